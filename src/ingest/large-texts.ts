import type { Message } from "../core/message.ts";
import type { Session } from "../core/session.ts";
import type { TextPiece } from "../core/text.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import type { Source } from "../sources/source.ts";
import type { OpenedFile } from "./decode.ts";
import { readSessions } from "./read-group.ts";
import type { ReadSpill } from "./texts.ts";
import { textsOf, titleTexts } from "./texts.ts";

/** Texts of one session; those of a large one come in several parts. */
export interface TextPart {
  sessionId: string;
  pieces: TextPiece[];
}

/** So much of a file is read in full at a time. */
const SLICE_BYTES = 2 * 1024 * 1024;
const NEWLINE = 10;

/**
 * The texts of sessions that are too large to be held in full. What the sessions are made of is
 * known from their outline; what was said is read slice by slice, line by line, and each message is
 * told from its last record, which is its fullest.
 *
 * Throws `NotInLines` when a message was not found so: then the files are not written line by line.
 */
export function* textsInParts(
  source: Source,
  group: readonly OpenedFile[],
  { readSpill, sliceBytes = SLICE_BYTES }: { readSpill: ReadSpill; sliceBytes?: number },
): Generator<TextPart> {
  const wanted = new WantedMessages(readSessions(source, group, "outline"));
  yield* wanted.titles;
  for (const opened of group) {
    for (const { part, shift } of slicesOf(opened, sliceBytes)) {
      const parts = new Map<string, TextPiece[]>();
      for (const session of readSessions(source, [part], "full")) {
        const taken = wanted.take(session, shift);
        for (const piece of textsOf({ ...session, messages: taken.messages }, readSpill)) {
          const isOwn = piece.places[0]?.file === opened.file.path;
          for (const outline of taken.outlines.get(piece.messageId ?? "") ?? []) {
            const { sessionId, standing } = outline;
            const places = isOwn ? outline.places.toReversed() : piece.places;
            parts.set(sessionId, [...(parts.get(sessionId) ?? []), { ...piece, standing, places }]);
          }
        }
      }
      for (const [sessionId, pieces] of parts) yield { sessionId, pieces };
    }
  }
  if (!wanted.isAllTaken) throw new NotInLines();
}

/** A message could not be read from a line of its own. */
export class NotInLines extends Error {}

/** What of a message's outline is needed; all else is let go of. */
interface Wanted extends Pick<Message, "standing" | "places"> {
  sessionId: string;
}

/** Messages by where their last record stands; that of a fork is a message of both sessions. */
class WantedMessages {
  readonly titles: TextPart[];
  readonly #byPlace = new Map<string, Wanted[]>();

  constructor(sessions: readonly Session[]) {
    this.titles = sessions.map((session) => {
      return { sessionId: session.id, pieces: titleTexts(session) };
    });
    for (const { id, messages } of sessions) {
      for (const message of messages) {
        const last = message.places.at(-1);
        // Copies of a message are not found twice.
        if (!last || message.copyOf !== undefined) continue;
        const key = `${message.id}\n${last.file}\n${last.start}`;
        const { standing, places } = message;
        const wanted = { sessionId: id, standing, places };
        this.#byPlace.set(key, [...(this.#byPlace.get(key) ?? []), wanted]);
      }
    }
  }

  get isAllTaken(): boolean {
    return this.#byPlace.size === 0;
  }

  /** Those messages of a slice whose last record is in it, and what their outline says. */
  take(
    { messages }: Session,
    shift: number,
  ): { messages: Message[]; outlines: Map<string, Wanted[]> } {
    const outlines = new Map<string, Wanted[]>();
    const own = messages.filter((message) => {
      const last = message.places.at(-1);
      const key = last && `${message.id}\n${last.file}\n${last.start + shift}`;
      const wanted = this.#byPlace.get(key ?? "");
      if (!wanted || key === undefined) return false;
      this.#byPlace.delete(key);
      outlines.set(message.id, wanted);
      return true;
    });
    return { messages: own.map(({ copyOf: _original, ...message }) => message), outlines };
  }
}

interface Slice {
  part: OpenedFile;
  /** How far places in the slice are before those in the file. */
  shift: number;
}

/** Whole lines, each slice behind the first line of the file, which says what the file is. */
function* slicesOf(opened: OpenedFile, sliceBytes: number): Generator<Slice> {
  let first: Buffer | undefined;
  for (const { start, lines } of lineSlices(opened.bytes, sliceBytes)) {
    first ??= Buffer.from(lines.subarray(0, lines.indexOf(NEWLINE) + 1));
    const isFirst = start === 0;
    const bytes = isFirst ? lines : Buffer.concat([first, lines]);
    const file = { ...opened.file, sizeBytes: bytes.length };
    const part = { ...opened, file, bytes: memoryBytes(opened.bytes.path, bytes) };
    yield { part, shift: isFirst ? 0 : start - first.length };
  }
}

function* lineSlices(
  bytes: ByteSource,
  sliceBytes: number,
): Generator<{ start: number; lines: Buffer }> {
  let waiting: Buffer[] = [];
  let length = 0;
  let start = 0;
  for (const chunk of bytes.chunks()) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    // A chunk's memory is used again for the next one: keep a copy.
    if (length + chunk.length < sliceBytes || end === 0) {
      waiting.push(Buffer.from(chunk));
      length += chunk.length;
      continue;
    }
    const lines = Buffer.concat([...waiting, chunk.subarray(0, end)]);
    yield { start, lines };
    start += lines.length;
    waiting = [Buffer.from(chunk.subarray(end))];
    length = chunk.length - end;
  }
  if (length > 0) yield { start, lines: Buffer.concat(waiting) };
}
