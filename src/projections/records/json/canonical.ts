import { JsonFault, LONE_SURROGATE } from "./parse.ts";
import type { Json, JsonObject } from "./value.ts";
import { ExactNumber } from "./value.ts";

/**
 * The one text of a value that is signed: no spaces, keys in the order of their code points,
 * characters as they are, numbers in the form of `numberOf`. It is the form in which the draft's
 * reference signs; for ordinary values RFC 8785 gives the same bytes.
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
 * Comparing code units puts characters beyond the basic plane before U+E000, for their surrogates
 * are smaller; comparing code points puts them last.
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
