import { doubleText } from "./number.ts";
import type { Json } from "./value.ts";
import { ExactNumber, newObject } from "./value.ts";

/** Converts values made by our own code; members that are `undefined` are left out. */
export function fromPlain(value: unknown): Json {
  if (typeof value === "number") return fromNumber(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value instanceof ExactNumber) return value;
  if (typeof value !== "object") throw new TypeError(`no JSON value: ${typeof value}`);
  const object = newObject();
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) object[key] = fromPlain(item);
  }
  return object;
}

function fromNumber(value: number): number | ExactNumber {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  if (!Number.isFinite(value)) throw new RangeError("a number that is not finite cannot be JSON");
  return new ExactNumber(doubleText(value));
}
