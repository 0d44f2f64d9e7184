import { isUtf8 } from "node:buffer";
import type { ByteReader, ByteSource } from "../bytes.ts";
import { readerOf } from "../bytes.ts";
import type { Fields } from "./fields.ts";
import { WHOLE } from "./fields.ts";
import type { Row } from "./row.ts";
import type { JsonWalk, KnownFields } from "./walk.ts";
import { BAD } from "./walk.ts";

const NEWLINE = 10;
/** So much is read at once: what was just read is still in the processor's cache. */
const WINDOW_BYTES = 512 * 1024;
/** A longer line is not walked over; parsing it takes a string of that length, too. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface LinesWanted {
  source: ByteSource;
  fields: Fields;
}

/** Lines are visited in order; `false` stops. Says whether all of them were visited. */
export function walkLines(
  walk: JsonWalk,
  wanted: LinesWanted,
  visit: (line: JsonLine) => boolean,
): boolean {
  const reader = readerOf(wanted.source);
  try {
    const line = new JsonLine(walk, wanted, reader);
    while (line.next()) if (!visit(line)) return false;
    return true;
  } finally {
    reader.close();
  }
}

export type LineState = "json" | "not-json" | "too-long";

/** The line that is visited. Everything about it is valid only during the visit. */
export class JsonLine {
  /** Counted from 1; blank lines count, too. */
  number = 0;
  /** What was found, if it is JSON; else not to be looked at. */
  readonly row: Row;
  state: LineState = "json";
  readonly #walk: JsonWalk;
  readonly #reader: ByteReader;
  readonly #known: KnownFields;
  /** Where the line, the next one, and the first one that is not whole begin in the window. */
  #from: number;
  #next: number;
  #wholeEnd: number;
  /** Behind the line, without its line break. */
  #to: number;
  /** What lies before the window. */
  #passedBytes = 0;
  #windowBytes = WINDOW_BYTES;
  #isUtf8: boolean | undefined;
  /** The line is too long: what follows it is not read. */
  #isOver = false;

  /** @internal */
  constructor(walk: JsonWalk, { fields }: LinesWanted, reader: ByteReader) {
    this.#walk = walk;
    this.#reader = reader;
    this.#known = walk.known(fields);
    this.row = this.#known.row;
    walk.load(walk.room(0));
    this.#from = this.#to = this.#next = this.#wholeEnd = walk.first;
  }

  /** Where it begins and ends in the file, its line break left out. */
  get start(): number {
    return this.#passedBytes + this.#from - this.#walk.first;
  }

  get end(): number {
    return this.#passedBytes + this.#to - this.#walk.first;
  }

  get bytes(): Buffer {
    return this.#walk.bytes.subarray(this.#from, this.#to);
  }

  /** Whether it is UTF-8; when it is not, `JSON.parse` puts replacement characters into texts. */
  get isUtf8(): boolean {
    // Nearly always all of the window is, and it takes one look for all of its lines.
    this.#isUtf8 ??= isUtf8(this.#walk.bytes.subarray(this.#from, this.#wholeEnd));
    return this.#isUtf8 || isUtf8(this.bytes);
  }

  /** @internal Goes to the next line to be visited; false when there is none. */
  next(): boolean {
    for (;;) {
      if (this.#isOver) return false;
      if (this.#next >= this.#wholeEnd && !this.#readOn()) return false;
      this.number += 1;
      this.#from = this.#next;
      if (this.#walkLine()) return true;
    }
  }

  /** False for a line that is not visited. */
  #walkLine(): boolean {
    const walk = this.#walk;
    if (this.#isOver) {
      this.state = "too-long";
      this.#to = walk.end;
      return true;
    }
    const end = walk.line(this.#from, this.#known);
    this.state = end === BAD ? "not-json" : "json";
    this.#to = end === BAD ? walk.lineEnd(this.#from) : end;
    this.#next = this.#to + 1;
    return end === BAD || this.row.has(WHOLE);
  }

  /** Reads until there is a whole line, or a line that is too long; false at the end. */
  #readOn(): boolean {
    const walk = this.#walk;
    const { first } = walk;
    walk.bytes.copyWithin(first, this.#wholeEnd, walk.end);
    let filled = walk.end - this.#wholeEnd;
    this.#passedBytes += this.#wholeEnd - first;
    this.#next = first;
    this.#isUtf8 = undefined;
    for (;;) {
      if (filled === MAX_LINE_BYTES) {
        this.#isOver = true;
        walk.load(walk.room(filled));
        return true;
      }
      if (filled === this.#windowBytes) this.#windowBytes *= 2;
      const window = walk.room(this.#windowBytes);
      const count = this.#reader.read(window.subarray(filled));
      const newline = window.subarray(filled, filled + count).lastIndexOf(NEWLINE);
      filled += count;
      if (newline === -1 && count > 0) continue;
      walk.load(window.subarray(0, filled));
      this.#wholeEnd = count === 0 ? walk.end : walk.end - count + newline + 1;
      return filled > 0;
    }
  }
}
