import { exactText, JsonFault, MAX_PART_DEPTH, parseExact } from "../json/parse.ts";
import { fromPlain } from "../json/plain.ts";
import type { Json } from "../json/value.ts";
import { newObject } from "../json/value.ts";

/**
 * A recorded value, read as well as possible. A value that cannot be signed unchanged (a duplicate
 * key, a lone surrogate, a number beyond the range of doubles) is read as `JSON.parse` would; its
 * text is then stored beside the record, so that nothing is lost.
 */
export type NativeRead =
  | { kind: "exact"; value: Json }
  | { kind: "repaired"; value: Json }
  | { kind: "damaged" };

const BYTE_ORDER_MARK = 0xfeff;

export function readNative(bytes: Uint8Array): NativeRead {
  try {
    const text = exactText(bytes);
    const isMarked = text.charCodeAt(0) === BYTE_ORDER_MARK;
    const value = parseExact(isMarked ? text.slice(1) : text, MAX_PART_DEPTH);
    return { kind: "exact", value };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return error.kind === "syntax" ? { kind: "damaged" } : repair(bytes);
  }
}

function repair(bytes: Uint8Array): NativeRead {
  try {
    return { kind: "repaired", value: repaired(JSON.parse(Buffer.from(bytes).toString("utf8"))) };
  } catch {
    // Not JSON.
    return { kind: "damaged" };
  }
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Takes a result of `JSON.parse` and replaces what records cannot hold. */
export function repaired(value: unknown, depth = 0): Json {
  if (typeof value === "number") return Number.isFinite(value) ? fromPlain(value) : null;
  if (typeof value === "string") return value.replace(LONE_SURROGATES, "\uFFFD");
  if (typeof value !== "object" || value === null) return fromPlain(value);
  if (depth >= MAX_PART_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => repaired(item, depth + 1));
  const object = newObject();
  for (const [key, item] of Object.entries(value)) {
    object[key.replace(LONE_SURROGATES, "\uFFFD")] = repaired(item, depth + 1);
  }
  return object;
}
