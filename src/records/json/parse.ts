import { numberOf } from "./number.ts";
import type { Json, JsonObject } from "./value.ts";
import { newObject } from "./value.ts";

/** Why a text is not JSON that can be signed. */
export type FaultKind =
  | "syntax"
  | "duplicate-key"
  | "lone-surrogate"
  | "number-out-of-range"
  | "too-deep"
  | "not-utf8";

export class JsonFault extends Error {
  readonly kind: FaultKind;
  /** Character offset in the text. */
  readonly at: number;

  constructor(kind: FaultKind, at: number, message: string) {
    super(message);
    this.name = "JsonFault";
    this.kind = kind;
    this.at = at;
  }
}

/** Deeper values would overflow the stack of many parsers. */
const MAX_DEPTH = 1000;
/** Limit for values that become part of a record, which adds levels around them. */
export const MAX_PART_DEPTH = 900;

const QUOTE = 34;
const BACKSLASH = 92;
const SPACES = new Set([9, 10, 13, 32]);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: readonly (readonly [string, Json])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
export const LONE_SURROGATE: RegExp = /\p{Surrogate}/u;

/**
 * Parses one JSON value, strictly: anything that parsers treat differently (a duplicate key, a lone
 * surrogate, a number beyond the range of doubles) is rejected, not repaired.
 */
export function parseExact(text: string, maxDepth: number = MAX_DEPTH): Json {
  const parser = new Parser(text, maxDepth);
  return parser.whole();
}

/** The bytes must be UTF-8 without a byte order mark. */
export function parseExactBytes(bytes: Uint8Array): Json {
  return parseExact(exactText(bytes));
}

export function exactText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder does not report the position.
    throw new JsonFault("not-utf8", 0, "some bytes are not UTF-8");
  }
}

class Parser {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  whole(): Json {
    const value = this.#value();
    this.#skipSpaces();
    if (this.#at < this.#text.length) throw this.#syntax("something follows the value");
    return value;
  }

  #value(): Json {
    this.#skipSpaces();
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) return this.#string();
    if (code === 123) return this.#nested(() => this.#object());
    if (code === 91) return this.#nested(() => this.#list());
    for (const [word, value] of LITERALS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.#number();
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) {
      throw new JsonFault("too-deep", this.#at, `values are nested deeper than ${this.#maxDepth}`);
    }
    this.#at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): JsonObject {
    const object = newObject();
    if (this.#takes("}")) return object;
    do {
      this.#skipSpaces();
      const from = this.#at;
      if (this.#text.charCodeAt(from) !== QUOTE) throw this.#syntax("a key was expected");
      const key = this.#string();
      if (key in object) {
        const named = JSON.stringify(key.slice(0, 60));
        throw new JsonFault("duplicate-key", from, `the key ${named} occurs twice in one object`);
      }
      if (!this.#takes(":")) throw this.#syntax("a colon was expected");
      object[key] = this.#value();
    } while (this.#takes(","));
    if (!this.#takes("}")) throw this.#syntax("a comma or the end of the object was expected");
    return object;
  }

  #list(): Json[] {
    const list: Json[] = [];
    if (this.#takes("]")) return list;
    do list.push(this.#value());
    while (this.#takes(","));
    if (!this.#takes("]")) throw this.#syntax("a comma or the end of the list was expected");
    return list;
  }

  #string(): string {
    const from = this.#at;
    const end = this.#endOfString();
    this.#at = end + 1;
    const raw = this.#text.slice(from, end + 1);
    const text = decodeString(raw, () => this.#syntaxAt(from, "a text is not well written"));
    if (LONE_SURROGATE.test(text)) {
      throw new JsonFault("lone-surrogate", from, "a text holds half a surrogate pair");
    }
    return text;
  }

  /** Searches for quotes instead of scanning characters: most of a session is long texts. */
  #endOfString(): number {
    const text = this.#text;
    let quote = text.indexOf('"', this.#at + 1);
    while (quote !== -1) {
      let slashes = 0;
      while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
      if (slashes % 2 === 0) return quote;
      quote = text.indexOf('"', quote + 1);
    }
    throw this.#syntax("a text has no end");
  }

  #number(): Json {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text)?.[0];
    if (found === undefined) throw this.#syntax("a value was expected");
    const value = numberOf(found);
    if (value === undefined) {
      throw new JsonFault("number-out-of-range", this.#at, "a number is too large to be kept");
    }
    this.#at += found.length;
    return value;
  }

  #takes(sign: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #skipSpaces(): void {
    while (SPACES.has(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #syntax(what: string): JsonFault {
    return this.#syntaxAt(this.#at, what);
  }

  #syntaxAt(at: number, what: string): JsonFault {
    return new JsonFault("syntax", at, `it is not JSON: ${what} at character ${at}`);
  }
}

/** `raw` includes the quotes. `JSON.parse` handles all escapes and rejects control characters. */
function decodeString(raw: string, fault: () => JsonFault): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    // The engine's error quotes the content; ours does not.
    throw fault();
  }
}
