import type { ByteSource } from "../../kernel/bytes.ts";

/** One line of a file. Its bytes are valid only until the next line is requested. */
export interface Line {
  bytes: Buffer;
  number: number;
  start: number;
  /** False for a last line without a newline: it may be incomplete. */
  isTerminated: boolean;
  /** The line exceeds the maximum string length; `bytes` holds only its beginning. */
  isTooLong: boolean;
  length: number;
}

/** The maximum string length is about 512 MiB; longer lines are reported, never built. */
const MAX_LINE_BYTES = 400 * 1024 * 1024;
const NEWLINE = 10;

export function* linesOf(source: ByteSource): Iterable<Line> {
  const pending = new PendingLine();
  let number = 1;
  let offset = 0;
  for (const chunk of source.chunks()) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE, from); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const start = offset + from - pending.length;
      const { bytes, isTooLong, length } = pending.take(chunk.subarray(from, end));
      yield { bytes, number, start, isTerminated: true, isTooLong, length };
      number += 1;
      from = end + 1;
    }
    if (from < chunk.length) pending.add(chunk.subarray(from));
    offset += chunk.length;
  }
  if (pending.length > 0) {
    const start = offset - pending.length;
    yield { ...pending.take(), number, start, isTerminated: false };
  }
}

/** The part of a line from earlier chunks. */
class PendingLine {
  length = 0;
  #pieces: Buffer[] = [];

  add(piece: Buffer): void {
    // Copied because a chunk's memory is reused for the next chunk.
    if (this.length + piece.length <= MAX_LINE_BYTES) this.#pieces.push(Buffer.from(piece));
    this.length += piece.length;
  }

  take(rest?: Buffer): Pick<Line, "bytes" | "isTooLong" | "length"> {
    if (this.length === 0 && rest) return { bytes: rest, isTooLong: false, length: rest.length };
    if (rest) this.add(rest);
    const taken = {
      bytes: Buffer.concat(this.#pieces),
      isTooLong: this.length > MAX_LINE_BYTES,
      length: this.length,
    };
    this.#pieces = [];
    this.length = 0;
    return taken;
  }
}
