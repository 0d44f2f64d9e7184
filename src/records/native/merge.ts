import type { MessageForm } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";

/**
 * Merges several recordings of a message. Later ones win, but never erase earlier values: a later
 * one may lack tokens or calls, or have only the beginning of an output.
 */
export function mergeNative(copies: readonly JsonObject[], form: MessageForm): JsonObject {
  const [first, ...later] = copies;
  return later.reduce((merged, copy) => mergeTwo(merged, copy, form), first ?? newObject());
}

function mergeTwo(earlier: JsonObject, later: JsonObject, form: MessageForm): JsonObject {
  const { calls } = form.names.message;
  const merged = newObject(earlier);
  for (const [key, value] of Object.entries(later)) {
    const known = earlier[key];
    if (known !== undefined && isNothing(value) && !isNothing(known)) continue;
    merged[key] = key === calls ? mergeCalls(known, value, form) : value;
  }
  return merged;
}

function isNothing(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Merges calls by id; those of the earlier recording come first. */
function mergeCalls(earlier: Json | undefined, later: Json, form: MessageForm): Json {
  if (!Array.isArray(earlier) || !Array.isArray(later)) return later;
  const idOf = (call: Json): Json | undefined =>
    isObject(call) ? call[form.names.call.id] : undefined;
  const fresh = later.filter((call) => !earlier.some((known) => idOf(known) === idOf(call)));
  const known = earlier.map((call) => {
    const again = later.find((other) => idOf(other) === idOf(call));
    return again === undefined ? call : mergeCall(call, again, form);
  });
  return [...known, ...fresh];
}

function mergeCall(earlier: Json, later: Json, form: MessageForm): Json {
  if (!isObject(earlier) || !isObject(later)) return later;
  const { result } = form.names.call;
  const merged = newObject({ ...earlier, ...later });
  const whole = earlier[result];
  const isLess = form.isCut(later) && !form.isCut(earlier);
  if (whole !== undefined && (isNothing(later[result] ?? null) || isLess)) merged[result] = whole;
  return merged;
}
