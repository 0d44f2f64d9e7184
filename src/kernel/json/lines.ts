import { isUtf8 } from "node:buffer";
import type { ByteReader, ByteSource } from "../bytes.ts";
import { readerOf } from "../bytes.ts";
import type { Fields } from "./fields.ts";
import { WHOLE } from "./fields.ts";
import type { Row } from "./row.ts";
import type { JsonWalk, KnownFields } from "./walk.ts";
import { BAD } from "./walk.ts";

const NEWLINE = 10;
/** Bytes read at once; small enough that they are still in the processor's cache when walked. */
const WINDOW_BYTES = 512 * 1024;
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

/** The current line. All of its data is valid only during the visit. */
export class JsonLine {
  /** 1-based; blank lines count. */
  number = 0;
  /** The wanted fields; valid only if `state` is "json". */
  readonly row: Row;
  state: LineState = "json";
  readonly #walk: JsonWalk;
  readonly #reader: ByteReader;
  readonly #known: KnownFields;
  /**
   * Offsets in the window: start of this line, of the next one, and of the first incomplete line.
   */
  #from: number;
  #next: number;
  #wholeEnd: number;
  /** End of the line, excluding its line break. */
  #to: number;
  /** Bytes of the file before the window. */
  #passedBytes = 0;
  #windowBytes = WINDOW_BYTES;
  #isUtf8: boolean | undefined;
  /** The line is too long; the rest of the file is not read. */
  #isOver = false;

  /** @internal */
  constructor(walk: JsonWalk, { fields }: WalkLinesOptions, reader: ByteReader) {
    this.#walk = walk;
    this.#reader = reader;
    this.#known = walk.known(fields);
    this.row = this.#known.row;
    walk.load(walk.room(0));
    this.#from = this.#to = this.#next = this.#wholeEnd = walk.first;
  }

  /** Start and end of the line in the file, excluding its line break. */
  get start(): number {
    return this.#passedBytes + this.#from - this.#walk.first;
  }

  get end(): number {
    return this.#passedBytes + this.#to - this.#walk.first;
  }

  get bytes(): Buffer {
    return this.#walk.bytes.subarray(this.#from, this.#to);
  }

  /**
   * Whether the line is valid UTF-8; if not, decoding it puts replacement characters into strings.
   */
  get isUtf8(): boolean {
    // Usually the whole window is valid, so that one check serves all of its lines.
    this.#isUtf8 ??= isUtf8(this.#walk.bytes.subarray(this.#from, this.#wholeEnd));
    return this.#isUtf8 || isUtf8(this.bytes);
  }

  /** @internal Moves to the next line to visit; returns false if there is none. */
  next(): boolean {
    for (;;) {
      if (this.#isOver) return false;
      if (this.#next >= this.#wholeEnd && !this.#readOn()) return false;
      this.number += 1;
      this.#from = this.#next;
      if (this.#walkLine()) return true;
    }
  }

  /** Returns false if the line is skipped because it is blank. */
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

  /**
   * Reads until the window holds a complete line or a line that is too long; returns false at the
   * end.
   */
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
