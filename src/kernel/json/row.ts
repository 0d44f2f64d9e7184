import { WHOLE } from "./fields.ts";

const QUOTE = 34;
const BACKSLASH = 92;

export type Kind = "text" | "number" | "boolean" | "null" | "object" | "list";

const KINDS: ReadonlyMap<number, Kind> = new Map([
  [QUOTE, "text"],
  [91, "list"],
  [102, "boolean"],
  [110, "null"],
  [116, "boolean"],
  [123, "object"],
]);

/** Functions of the compiled program that a row uses. */
export interface TextCheck {
  isPlain(at: number, end: number): number;
}

/** The memory of a walk: its bytes, the same as numbers, and the program that works on it. */
export interface WalkMemory {
  readonly bytes: Buffer;
  readonly notes: Int32Array;
  readonly program: TextCheck;
}

/** The row of a record begins after these bytes: its line, start, end and size. */
const HEAD_BYTES = 16;

/**
 * The wanted fields of one record. It holds the ranges of their values in the bytes of the walk,
 * and decodes values only on request. Valid until the next record is visited.
 */
export class Row {
  bytes: Buffer = Buffer.alloc(0);
  /** 1-based line on which the record begins. */
  line = 1;
  #notes: Int32Array = new Int32Array();
  #program: TextCheck | undefined;
  /** Where its ranges begin among the notes. */
  #at = 0;

  /** @internal */
  lookAt({ bytes, notes, program }: WalkMemory): void {
    this.bytes = bytes;
    this.#notes = notes;
    this.#program = program;
  }

  /** @internal Moves to the record at this address; returns the address after it. */
  moveTo(address: number): number {
    const at = address >> 2;
    this.line = this.#notes[at] ?? 0;
    this.#at = (address + HEAD_BYTES) >> 2;
    return address + (this.#notes[at + 3] ?? 0);
  }

  /** @internal Start and end of the line that holds the record. */
  get lineStart(): number {
    return this.#notes[this.#at - 3] ?? 0;
  }

  get lineEnd(): number {
    return this.#notes[this.#at - 2] ?? 0;
  }

  has(slot: number): boolean {
    return this.#notes[this.#at + (slot << 1)] !== 0;
  }

  /** Offset of a value in the bytes; 0 if the value is absent. */
  start(slot: number): number {
    return this.#notes[this.#at + (slot << 1)] ?? 0;
  }

  end(slot: number): number {
    return this.#notes[this.#at + (slot << 1) + 1] ?? 0;
  }

  kind(slot: number): Kind | undefined {
    const start = this.start(slot);
    return start === 0 ? undefined : (KINDS.get(this.bytes[start] ?? 0) ?? "number");
  }

  isObject(slot: number): boolean {
    return this.bytes[this.start(slot)] === 123 && this.has(slot);
  }

  /** Whether a string, list or object is empty. */
  isEmpty(slot: number): boolean {
    const end = this.end(slot) - 1;
    let at = this.start(slot) + 1;
    if (this.bytes[at - 1] === QUOTE) return at === end;
    while (at < end && (this.bytes[at] ?? 0) <= 32) at += 1;
    return at === end;
  }

  /** Returns a string; `undefined` for other types. */
  text(slot: number): string | undefined {
    const start = this.start(slot);
    if (start === 0 || this.bytes[start] !== QUOTE) return undefined;
    const end = this.end(slot);
    if (this.#program?.isPlain(start + 1, end - 1) === 1) {
      return this.bytes.toString("latin1", start + 1, end - 1);
    }
    return JSON.parse(this.bytes.toString("utf8", start, end)) as string;
  }

  /** Whether the value is this ASCII string, written without escapes. */
  isText(slot: number, text: string): boolean {
    const { bytes } = this;
    const start = this.start(slot);
    if (this.end(slot) - start !== text.length + 2 || bytes[start] !== QUOTE) return false;
    for (let at = 0; at < text.length; at += 1) {
      const byte = bytes[start + 1 + at] ?? 0;
      if (byte !== text.charCodeAt(at) || byte === BACKSLASH || byte > 127) return false;
    }
    return true;
  }

  /** Returns an unsigned integer of up to 15 digits; `undefined` for everything else. */
  count(slot: number): number | undefined {
    const { bytes } = this;
    const start = this.start(slot);
    const end = this.end(slot);
    if (start === 0 || end - start > 15) return undefined;
    let count = 0;
    for (let at = start; at < end; at += 1) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) return undefined;
      count = count * 10 + digit;
    }
    return count;
  }

  /** Returns the bytes of a value, without copying. */
  raw(slot: number): Buffer {
    return this.bytes.subarray(this.start(slot), this.end(slot));
  }

  /** Returns any value as `JSON.parse` would; `undefined` if it is absent. */
  value(slot: number = WHOLE): unknown {
    if (!this.has(slot)) return undefined;
    const text = this.text(slot);
    if (text !== undefined) return text;
    return JSON.parse(this.bytes.toString("utf8", this.start(slot), this.end(slot)));
  }
}

/** A power of two. */
const PLACES = 64;
/** Longer strings are not cached: they would be held for the rest of the run. */
const MOST_BYTES = 512;

interface KnownText {
  bytes: Buffer;
  text: string;
}

/**
 * Caches strings that occur often, such as models and session ids, and finds them by their bytes.
 * A string has one place in the cache, and replaces the one that was there.
 */
export class RepeatedTexts {
  readonly #known: (KnownText | undefined)[] = Array.from({ length: PLACES });

  /** Returns the same as `row.text(slot)`. */
  of(row: Row, slot: number): string | undefined {
    const start = row.start(slot);
    if (start === 0) return undefined;
    const { bytes } = row;
    const end = row.end(slot);
    const length = end - start;
    // The first and the last character differ most often; the quotes around them do not.
    const place = (length * 7 + (bytes[start + 1] ?? 0) * 3 + (bytes[end - 2] ?? 0)) & (PLACES - 1);
    const known = this.#known[place];
    if (known && isSame(known.bytes, bytes, start, length)) return known.text;
    const text = row.text(slot);
    if (text !== undefined && length <= MOST_BYTES) {
      this.#known[place] = { bytes: Buffer.from(row.raw(slot)), text };
    }
    return text;
  }
}

/**
 * For a few bytes this is faster than a library call. Compares backwards, because such strings
 * mostly differ at their end.
 */
// oxlint-disable-next-line max-params -- an object for each comparison would cost more than it
function isSame(known: Buffer, bytes: Buffer, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let at = length - 1; at >= 0; at -= 1) {
    if (known[at] !== bytes[start + at]) return false;
  }
  return true;
}
