import type { Cbor } from "../cbor.ts";
import { CborFloat, CborTag } from "../cbor.ts";
import type { Json } from "../json/value.ts";
import { ExactNumber, isWhole } from "../json/value.ts";

/** A value to be matched, whether it came from JSON or from CBOR. */
export type Item = Json | Cbor;

/** The type of an item in CDDL terms. */
export type Seen =
  | { kind: "null" }
  | { kind: "bool"; value: boolean }
  | { kind: "int"; value: bigint }
  | { kind: "float"; value: number }
  | { kind: "text"; value: string }
  | { kind: "bytes"; value: Uint8Array }
  | { kind: "list"; items: readonly Item[] }
  | { kind: "map"; members: readonly Member[] }
  | { kind: "tag"; tag: number; item: Item };

export type Member = readonly [key: Item, value: Item];

export function look(item: Item): Seen {
  if (item === null) return { kind: "null" };
  if (typeof item === "boolean") return { kind: "bool", value: item };
  if (typeof item === "string") return { kind: "text", value: item };
  if (typeof item === "number" || typeof item === "bigint")
    return { kind: "int", value: BigInt(item) };
  if (item instanceof ExactNumber) return lookAtNumber(item);
  if (item instanceof CborFloat) return { kind: "float", value: item.value };
  if (item instanceof CborTag) return { kind: "tag", tag: item.tag, item: item.value };
  if (item instanceof Uint8Array) return { kind: "bytes", value: item };
  if (Array.isArray(item)) return { kind: "list", items: item };
  return { kind: "map", members: item instanceof Map ? [...item] : Object.entries(item) };
}

/** `1.0` is not an integer: it is signed as a different text than `1`. */
function lookAtNumber(item: ExactNumber): Seen {
  if (isWhole(item)) return { kind: "int", value: BigInt(item.text) };
  return { kind: "float", value: Number(item.text) };
}

const WORDS: Readonly<Record<Seen["kind"], string>> = {
  null: "null",
  bool: "a boolean",
  int: "an integer",
  float: "a floating-point number",
  text: "a text",
  bytes: "a byte string",
  list: "a list",
  map: "a map",
  tag: "a tag",
};

export function describe(seen: Seen): string {
  if (seen.kind === "text" && seen.value.length <= 40) return JSON.stringify(seen.value);
  if (seen.kind === "int" || seen.kind === "bool") return String(seen.value);
  return WORDS[seen.kind];
}

/** A segment of a JSON Pointer. */
export function stepOf(key: Item): string {
  const seen = look(key);
  const text = seen.kind === "text" ? seen.value : describe(seen);
  return text.replace(/~/g, "~0").replace(/\//g, "~1");
}
