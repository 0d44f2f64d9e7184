import { exactText, JsonFault, parseExact } from "../json/parse.ts";
import { fromPlain } from "../json/plain.ts";
import type { Json } from "../json/value.ts";

/**
 * A recorded value, read as well as can be. What could not be signed as it stands (a key given
 * twice, half a surrogate pair, a number beyond all doubles) is read the way the program itself
 * would; its text is then kept beside the record, so that nothing is lost.
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
    return { kind: "exact", value: parseExact(isMarked ? text.slice(1) : text) };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return error.kind === "syntax" ? { kind: "damaged" } : repair(bytes);
  }
}

function repair(bytes: Uint8Array): NativeRead {
  try {
    return { kind: "repaired", value: repaired(JSON.parse(Buffer.from(bytes).toString("utf8"))) };
  } catch {
    // Not JSON after all, or nested beyond what can be read.
    return { kind: "damaged" };
  }
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** As `JSON.parse` gave it, with what no text can hold replaced. */
export function repaired(value: unknown): Json {
  if (typeof value === "number") return Number.isFinite(value) ? fromPlain(value) : null;
  if (typeof value === "string") return value.replace(LONE_SURROGATES, "\uFFFD");
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== "object" || value === null) return fromPlain(value);
  const members = Object.entries(value).map(([key, item]) => [repaired(key), repaired(item)]);
  return fromPlain(Object.fromEntries(members));
}
