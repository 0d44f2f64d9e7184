import type { Message } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";
import type { TextPiece } from "../../core/session/text.ts";
import type { Source } from "../../sources/source.ts";
import type { OpenedFile } from "../decode.ts";
import { fullMessages } from "../full-messages.ts";
import { readSessions } from "../read-group.ts";
import type { ReadSpill } from "./texts.ts";
import { callsIn, textsOfMessage, titleTexts } from "./texts.ts";

/** Texts of one session; a large session comes in several parts. */
export interface TextPart {
  sessionId: string;
  pieces: TextPiece[];
}

/** Approximate number of characters per part. */
const PART_CHARACTERS = 2 * 1024 * 1024;

/** Yields the texts of sessions that are too large to be held in memory in full. */
export function* textsInParts(
  source: Source,
  group: readonly OpenedFile[],
  { readSpill, blockBytes }: { readSpill: ReadSpill; blockBytes?: number },
): Generator<TextPart> {
  for (const session of readSessions(source, group, "outline")) {
    yield { sessionId: session.id, pieces: titleTexts(session) };
    yield* partsOf(session, fullMessages({ source, group, session }, blockBytes), readSpill);
  }
}

function* partsOf(
  session: Session,
  messages: Iterable<Message>,
  readSpill: ReadSpill,
): Generator<TextPart> {
  const answered = callsIn(session);
  let pieces: TextPiece[] = [];
  let characters = 0;
  for (const message of messages) {
    for (const piece of textsOfMessage(message, { answered, readSpill })) {
      pieces.push(piece);
      for (const text of piece.texts) characters += text.length;
    }
    if (characters < PART_CHARACTERS) continue;
    yield { sessionId: session.id, pieces };
    pieces = [];
    characters = 0;
  }
  if (pieces.length > 0) yield { sessionId: session.id, pieces };
}
