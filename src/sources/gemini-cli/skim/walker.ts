import type { TextMemory } from "./string-end.ts";
import { FIRST, textMemory } from "./string-end.ts";

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const NEWLINE = 10;
/** Deeper values are left to the reader. */
const MAX_DEPTH = 200;
/** What every step says when this is no JSON. */
export const BAD = -1;

/** Takes where a key begins and ends, and where its value begins; says where the value ends. */
export type OnField = (start: number, end: number, at: number) => number;

/**
 * Walks over JSON without building it, and is as strict as `JSON.parse`: whatever ends well here is
 * JSON. All offsets are those of the walker's own bytes.
 */
export class Walker {
  readonly #memory: TextMemory = textMemory();
  bytes: Buffer = Buffer.alloc(0);
  /** Behind the last byte. */
  end: number = FIRST;
  /** Line breaks that were walked over. */
  breaks = 0;
  #depth = 0;
  readonly #passField: OnField = (_start, _end, at) => this.value(at);
  readonly #passItem = (at: number): number => this.value(at);

  /** Where bytes can be put to be walked over without a copy. */
  room(length: number): Buffer {
    this.bytes = this.#memory.reserve(length);
    return this.bytes.subarray(FIRST, FIRST + length);
  }

  load(bytes: Buffer): void {
    const isThere = bytes.buffer === this.bytes.buffer && bytes.byteOffset === FIRST;
    this.bytes = this.#memory.reserve(bytes.length);
    if (!isThere) bytes.copy(this.bytes, FIRST);
    this.end = FIRST + bytes.length;
    this.breaks = 0;
    this.#depth = 0;
  }

  /** The next byte that is no white space. */
  space(from: number): number {
    const { bytes } = this;
    let at = from;
    for (;;) {
      const byte = bytes[at];
      if (byte === NEWLINE) this.breaks += 1;
      else if (byte !== 32 && byte !== 9 && byte !== 13) return at;
      at += 1;
    }
  }

  /** Behind the value that begins here. */
  value(at: number): number {
    const byte = this.bytes[at];
    if (byte === QUOTE) return this.text(at);
    if (byte === OPEN_OBJECT) return this.object(at, this.#passField);
    if (byte === OPEN_LIST) return this.list(at, this.#passItem);
    return this.#plain(at);
  }

  text(at: number): number {
    let from = at + 1;
    for (;;) {
      const stop = this.#memory.stop(from);
      const byte = this.bytes[stop];
      if (byte === QUOTE) return stop + 1;
      if (byte !== BACKSLASH || !isUnicode(this.bytes, stop + 1)) return BAD;
      from = stop + 6;
    }
  }

  object(from: number, onField: OnField): number {
    if (this.bytes[from] !== OPEN_OBJECT || (this.#depth += 1) > MAX_DEPTH) return BAD;
    let at = this.space(from + 1);
    if (this.bytes[at] === CLOSE_OBJECT) return this.#close(at);
    for (;;) {
      at = this.#field(at, onField);
      if (at === BAD) return BAD;
      at = this.space(at);
      const byte = this.bytes[at];
      if (byte === CLOSE_OBJECT) return this.#close(at);
      if (byte !== COMMA) return BAD;
      at = this.space(at + 1);
    }
  }

  #field(start: number, onField: OnField): number {
    if (this.bytes[start] !== QUOTE) return BAD;
    const end = this.text(start);
    if (end === BAD) return BAD;
    const colon = this.space(end);
    if (this.bytes[colon] !== COLON) return BAD;
    return onField(start + 1, end - 1, this.space(colon + 1));
  }

  list(from: number, onItem: (at: number) => number): number {
    if (this.bytes[from] !== OPEN_LIST || (this.#depth += 1) > MAX_DEPTH) return BAD;
    let at = this.space(from + 1);
    if (this.bytes[at] === CLOSE_LIST) return this.#close(at);
    for (;;) {
      at = onItem(at);
      if (at === BAD) return BAD;
      at = this.space(at);
      const byte = this.bytes[at];
      if (byte === CLOSE_LIST) return this.#close(at);
      if (byte !== COMMA) return BAD;
      at = this.space(at + 1);
    }
  }

  #close(at: number): number {
    this.#depth -= 1;
    return at + 1;
  }

  /** `true`, `false`, `null` and numbers: so short that the engine's own parser may judge them. */
  #plain(from: number): number {
    const { bytes } = this;
    let at = from;
    let hasOnlyDigits = true;
    for (let byte = bytes[at]; byte !== undefined && isPlain(byte); byte = bytes[at]) {
      hasOnlyDigits &&= byte >= 48 && byte <= 57;
      at += 1;
    }
    if (at === from || at > this.end) return BAD;
    // A number without sign, fraction and leading zero needs no judge.
    if (hasOnlyDigits && (at === from + 1 || bytes[from] !== 48)) return at;
    return isJson(bytes.toString("latin1", from, at)) ? at : BAD;
  }
}

/** Digits, small letters, the E of an exponent, signs and points. */
function isPlain(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 122) || byte === 69 || isSign(byte);
}

function isSign(byte: number): boolean {
  return byte === MINUS || byte === 43 || byte === 46;
}

function isJson(text: string): boolean {
  if (text === "true" || text === "false" || text === "null") return true;
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

/** `u` and four hexadecimal digits. */
function isUnicode(bytes: Buffer, at: number): boolean {
  return bytes[at] === 117 && /^[\da-fA-F]{4}$/.test(bytes.toString("latin1", at + 1, at + 5));
}
