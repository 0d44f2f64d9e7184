import { ROW_BYTES } from "./layout.ts";

const QUOTE = 34;

/** The wanted fields of one record, as they stand in the walker's bytes. */
export class Row {
  bytes: Buffer = Buffer.alloc(0);
  #slots = new Int32Array();

  lookAt(memory: ArrayBuffer, at: number): void {
    this.bytes = Buffer.from(memory);
    this.#slots = new Int32Array(memory, at, ROW_BYTES / 4);
  }

  has(slot: number): boolean {
    return this.#slots[slot] !== 0;
  }

  start(slot: number): number {
    return this.#slots[slot] ?? 0;
  }

  end(slot: number): number {
    return this.#slots[slot + 1] ?? 0;
  }

  /** Whether a field is there and is an object. */
  isObject(slot: number): boolean {
    return this.has(slot) && this.bytes[this.start(slot)] === 123;
  }

  /** The value of a field; characters that are not ASCII come out wrong. */
  value(slot: number): unknown {
    const start = this.start(slot);
    if (start === 0) return undefined;
    const end = this.end(slot);
    if (this.bytes[start] === QUOTE) {
      const text = this.bytes.toString("latin1", start + 1, end - 1);
      if (!text.includes("\\")) return text;
    }
    return JSON.parse(this.bytes.toString("latin1", start, end));
  }

  /** A text without its words, a list with or without something in it, or anything else. */
  kind(slot: number): unknown {
    const start = this.start(slot);
    if (start === 0) return undefined;
    const first = this.bytes[start];
    if (first === QUOTE) return this.end(slot) - start > 2 ? "…" : "";
    if (first === 91) return this.#isEmptyList(start, this.end(slot)) ? NONE : SOMETHING;
    return first === 110 ? null : {};
  }

  #isEmptyList(start: number, end: number): boolean {
    for (let at = start + 1; at < end - 1; at += 1) if ((this.bytes[at] ?? 0) > 32) return false;
    return true;
  }

  /** A number of a few digits, or -1. */
  count(slot: number): number {
    const { bytes } = this;
    const start = this.start(slot);
    const end = this.end(slot);
    if (start === 0 || end - start > 9) return -1;
    let count = 0;
    for (let at = start; at < end; at += 1) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) return -1;
      count = count * 10 + digit;
    }
    return count;
  }
}

const SOMETHING: readonly unknown[] = [0];
const NONE: readonly unknown[] = [];

/** Names and models come again and again: they are made once, and then compared byte by byte. */
export class KnownTexts {
  readonly #known: { bytes: Buffer; value: unknown }[] = [];

  find(row: Row, slot: number): unknown {
    const start = row.start(slot);
    const length = row.end(slot) - start;
    for (const { bytes, value } of this.#known) {
      if (bytes.length === length && isSame(bytes, row.bytes, start)) return value;
    }
    const value = row.value(slot);
    if (typeof value === "string" && this.#known.length < MAX_KNOWN) {
      this.#known.push({ bytes: Buffer.from(row.bytes.subarray(start, start + length)), value });
    }
    return value;
  }
}

const MAX_KNOWN = 32;

/** For a few bytes quicker than any call that compares many. */
function isSame(known: Buffer, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < known.length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}
