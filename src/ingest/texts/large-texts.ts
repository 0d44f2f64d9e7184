import type { Message } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionWork } from "../../core/rows/session-work.ts";
import type { TextPiece } from "../../core/session/text.ts";
import { factsOf } from "../../core/usage/usage-facts.ts";
import type { Source } from "../../sources/source.ts";
import type { OpenedFile } from "../decode.ts";
import { fullMessages } from "../full-messages.ts";
import { WorkReader } from "../session-work.ts";
import { readSessions } from "../read-group.ts";
import type { ReadSpill } from "./texts.ts";
import { callsIn, textsOfMessage, titleTexts } from "./texts.ts";

/** Texts of one session; a large session comes in several parts. */
export interface TextPart {
  sessionId: string;
  pieces: TextPiece[];
  /** With the last part. */
  work?: SessionWork;
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
    const work = new WorkReader(source.abilities.fileEdits);
    const messages = fullMessages({ source, group, session }, blockBytes);
    yield* partsOf(session, { messages, work, readSpill });
    yield {
      sessionId: session.id,
      pieces: [],
      work: work.end(factsOf(session), session.compressions),
    };
  }
}

function* partsOf(
  session: Session,
  {
    messages,
    work,
    readSpill,
  }: { messages: Iterable<Message>; work: WorkReader; readSpill: ReadSpill },
): Generator<TextPart> {
  const answered = callsIn(session);
  let pieces: TextPiece[] = [];
  let characters = 0;
  for (const message of messages) {
    work.add(message);
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
