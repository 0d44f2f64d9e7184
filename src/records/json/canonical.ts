import { JsonFault, LONE_SURROGATE } from "./parse.ts";
import type { Json, JsonObject } from "./value.ts";
import { ExactNumber, isObject } from "./value.ts";

/**
 * The canonical text of a value, which is signed: no spaces, keys sorted by code point, characters
 * unescaped where possible, numbers as in `numberOf`. The draft's reference implementation signs
 * this form; for ordinary values RFC 8785 gives the same bytes.
 */
export function canonicalText(value: Json): string {
  if (typeof value === "string") return textOf(value);
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = sortedKeys(value).map(
    (key) => `${textOf(key)}:${canonicalText(value[key] ?? null)}`,
  );
  return `{${members.join(",")}}`;
}

export function canonicalBytes(value: Json): Buffer {
  return Buffer.from(canonicalText(value), "utf8");
}

/** Elements of a list too long for memory, by its path; undefined for other lists. */
export type LongLists = (path: string) => Iterable<Json> | undefined;

const CHUNK_LENGTH = 1 << 16;

/** Canonical bytes of a skeleton with its long lists inserted; these are requested in order. */
export function* canonicalChunks(skeleton: Json, lists: LongLists): Iterable<Buffer> {
  let waiting = "";
  for (const text of texts(skeleton, "", lists)) {
    waiting += text;
    if (waiting.length < CHUNK_LENGTH) continue;
    yield Buffer.from(waiting, "utf8");
    waiting = "";
  }
  if (waiting !== "") yield Buffer.from(waiting, "utf8");
}

function* texts(value: Json, path: string, lists: LongLists): Iterable<string> {
  if (Array.isArray(value)) {
    const elements = lists(path);
    if (elements) yield* listTexts(elements);
    else yield canonicalText(value);
  } else if (isObject(value)) {
    let opening = "{";
    for (const key of sortedKeys(value)) {
      yield `${opening}${textOf(key)}:`;
      yield* texts(value[key] ?? null, path === "" ? key : `${path}/${key}`, lists);
      opening = ",";
    }
    yield opening === "{" ? "{}" : "}";
  } else yield canonicalText(value);
}

function* listTexts(elements: Iterable<Json>): Iterable<string> {
  let opening = "[";
  for (const element of elements) {
    yield opening + canonicalText(element);
    opening = ",";
  }
  yield opening === "[" ? "[]" : "]";
}

function textOf(text: string): string {
  if (LONE_SURROGATE.test(text)) {
    throw new JsonFault("lone-surrogate", 0, "a text holds half a surrogate pair");
  }
  return JSON.stringify(text);
}

export function sortedKeys(object: JsonObject): string[] {
  return Object.keys(object).toSorted(compareCodePoints);
}

const HIGH_SURROGATES_START = 0xd800;
const AFTER_SURROGATES = 0xe000;

/**
 * Comparing UTF-16 code units would sort characters beyond the basic plane before U+E000, because
 * surrogates are smaller; comparing code points sorts them last.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < HIGH_SURROGATES_START) return unit;
  return unit >= AFTER_SURROGATES ? unit - 0x800 : unit + 0x2000;
}
