import { isUtf8 } from "node:buffer";
import type { ByteReader, ByteSource } from "../bytes.ts";
import { readerOf } from "../bytes.ts";
import type { Fields } from "./fields.ts";
import { WHOLE } from "./fields.ts";
import type { Continuation, Part, PartsAhead } from "./part.ts";
import { START } from "./part.ts";
import { Row } from "./row.ts";
import type { JsonWalk, WalkBuffer } from "./walk.ts";

const NEWLINE = 10;
/** Bytes walked at once; small enough that they are still in the processor's cache when read. */
export const PART_BYTES: number = 512 * 1024;
/** Longer lines are not walked; parsing them would need a string of the same length. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface WalkLinesOptions {
  source: ByteSource;
  fields: Fields;
}

/** Visits lines in order until `visit` returns false. Returns whether all lines were visited. */
export function walkLines(
  walk: JsonWalk,
  wanted: WalkLinesOptions,
  visit: (line: JsonLine) => boolean,
): boolean {
  const line = new JsonLine(new Parts(walk, wanted));
  try {
    while (line.next()) if (!visit(line)) return false;
    return true;
  } finally {
    line.close();
  }
}

export type LineState = "json" | "not-json" | "too-long";

/** The current line. All of its data is valid only during the visit. */
export class JsonLine {
  /** The wanted fields; valid only if `state` is "json". */
  readonly row: Row = new Row();
  state: LineState = "json";
  readonly #parts: Parts;
  #part: Part | undefined;
  #first = 0;
  #offset = 0;
  /** Records of the part that have not been visited, and the address of the next one. */
  #left = 0;
  #next = 0;

  /** @internal */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** 1-based; blank lines count. */
  get number(): number {
    return this.row.line;
  }

  /** Start and end of the line in the file, excluding its line break. */
  get start(): number {
    return this.#offset + this.row.lineStart - this.#first;
  }

  get end(): number {
    return this.#offset + this.row.lineEnd - this.#first;
  }

  get bytes(): Buffer {
    return this.row.bytes.subarray(this.row.lineStart, this.row.lineEnd);
  }

  /**
   * Whether the line is valid UTF-8; if not, decoding it puts replacement characters into strings.
   */
  get isUtf8(): boolean {
    const part = this.#part;
    if (!part) return false;
    // Usually the whole part is valid, so that one check serves all of its lines.
    part.isUtf8 ??= isUtf8(part.memory.bytes.subarray(part.first, part.end));
    return part.isUtf8 || isUtf8(this.bytes);
  }

  /** @internal Moves to the next line to visit; returns false if there is none. */
  next(): boolean {
    while (this.#left === 0) if (!this.#open()) return this.state === "too-long";
    this.#left -= 1;
    this.#next = this.row.moveTo(this.#next);
    this.state = this.row.has(WHOLE) ? "json" : "not-json";
    return true;
  }

  /** @internal */
  close(): void {
    this.#parts.close();
  }

  #open(): boolean {
    const wasTooLong = this.state === "too-long";
    const part = wasTooLong ? undefined : this.#parts.next();
    this.state = part === "too-long" ? "too-long" : "json";
    if (part === "too-long") this.row.line = this.#parts.nextLine;
    if (part === undefined || part === "too-long") return false;
    this.row.lookAt(part.memory);
    this.#part = part;
    this.#first = part.first;
    this.#offset = part.offset;
    this.#left = part.count;
    this.#next = part.records;
    return true;
  }
}

/** The parts of a file, in order: walked by another thread as far as it got, then by this one. */
class Parts {
  readonly #walk: JsonWalk;
  readonly #wanted: WalkLinesOptions;
  readonly #ahead: PartsAhead | undefined;
  #own: OwnParts | undefined;

  constructor(walk: JsonWalk, wanted: WalkLinesOptions) {
    this.#walk = walk;
    this.#wanted = wanted;
    this.#ahead = wanted.source.ahead?.();
    if (!this.#ahead) this.#own = new OwnParts(walk, wanted, START);
  }

  next(): Part | "too-long" | undefined {
    if (this.#own) return this.#own.next();
    const part = this.#ahead?.next();
    if (!part || "memory" in part) return part;
    this.#own = new OwnParts(this.#walk, this.#wanted, part);
    return this.#own.next();
  }

  /** The first line that was not walked. */
  get nextLine(): number {
    return this.#own?.nextLine ?? 0;
  }

  close(): void {
    this.#ahead?.close();
    this.#own?.close();
  }
}

/** Reads and walks a file in one buffer, which grows with the longest line. */
class OwnParts {
  readonly #walk: JsonWalk;
  readonly #reader: ByteReader;
  readonly #lines: LineParts;
  #buffer: WalkBuffer;

  constructor(walk: JsonWalk, { source, fields }: WalkLinesOptions, from: Continuation) {
    this.#walk = walk;
    this.#reader = readerOf(source, from.offset);
    this.#lines = new LineParts(walk, { reader: this.#reader, fields, from });
    this.#buffer = walk.buffer(PART_BYTES);
  }

  next(): Part | "too-long" | undefined {
    for (;;) {
      const part = this.#lines.next(this.#buffer);
      if (part !== "does-not-fit") return part;
      if (this.#buffer.sizeBytes >= MAX_LINE_BYTES) return "too-long";
      this.#buffer = this.#walk.buffer(this.#buffer.sizeBytes * 2);
    }
  }

  get nextLine(): number {
    return this.#lines.nextLine;
  }

  close(): void {
    this.#reader.close();
  }
}

/** Reads a file and walks its lines, as many at once as fit into a buffer. */
export class LineParts {
  readonly #walk: JsonWalk;
  readonly #reader: ByteReader;
  readonly #fields: Fields;
  /** The first byte and line that were not walked. */
  #offset: number;
  #line: number;
  /** Addresses of bytes that were read and not walked. */
  #restFrom = 0;
  #restEnd = 0;
  #isAtEnd = false;

  constructor(
    walk: JsonWalk,
    { reader, fields, from }: { reader: ByteReader; fields: Fields; from: Continuation },
  ) {
    this.#walk = walk;
    this.#reader = reader;
    this.#fields = fields;
    this.#offset = from.offset;
    this.#line = from.line;
  }

  get nextLine(): number {
    return this.#line;
  }

  /** Whether everything was read and walked. */
  get isAtEnd(): boolean {
    return this.#isAtEnd && this.#restFrom === this.#restEnd;
  }

  /** Returns undefined at the end; "does-not-fit" if a line does not fit. */
  next(buffer: WalkBuffer): Part | "does-not-fit" | undefined {
    const { first } = buffer;
    const walk = this.#walk;
    const filledEnd = this.#fill(buffer);
    if (filledEnd === first) return undefined;
    const bytes = walk.bytes.subarray(first, filledEnd);
    const end = this.#isAtEnd ? filledEnd : first + bytes.lastIndexOf(NEWLINE) + 1;
    if (end === first) return "does-not-fit";
    walk.endAt(filledEnd);
    const stop = walk.lines({ buffer, end, fields: this.#fields }, this.#line);
    const offset = this.#offset;
    this.#offset += stop - first;
    this.#line = walk.program.nextLine();
    this.#restFrom = stop;
    const count = walk.program.countRecords();
    const { records } = buffer;
    return { memory: walk, first, end: stop, offset, records, count, isUtf8: undefined };
  }

  /** Moves the rest to the buffer and fills it. Returns the end of its bytes. */
  #fill({ first, sizeBytes }: WalkBuffer): number {
    const { bytes } = this.#walk;
    bytes.copyWithin(first, this.#restFrom, this.#restEnd);
    let end = first + this.#restEnd - this.#restFrom;
    while (!this.#isAtEnd && end < first + sizeBytes) {
      const count = this.#reader.read(bytes.subarray(end, first + sizeBytes));
      this.#isAtEnd = count === 0;
      end += count;
    }
    this.#restFrom = first;
    this.#restEnd = end;
    return end;
  }
}
