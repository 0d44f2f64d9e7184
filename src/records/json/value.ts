/**
 * JSON without loss. A plain `number` is always a safe integer; every other number keeps its text,
 * so that `1` and `1.0`, large integers and unusual fractions stay distinct. Objects have no
 * prototype, so `__proto__` is an ordinary key.
 */
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A number that is not a safe integer, as canonical text. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): number {
    return Number(this.text);
  }
}

export function newObject(members: Readonly<Record<string, Json | undefined>> = {}): JsonObject {
  const object = Object.create(null) as JsonObject;
  for (const [key, value] of Object.entries(members)) {
    if (value !== undefined) object[key] = value;
  }
  return object;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

export function isWhole(value: Json | undefined): boolean {
  return typeof value === "number" || (value instanceof ExactNumber && /^-?\d+$/.test(value.text));
}

/** Compares values regardless of key order; `1` and `1.0` differ. */
export function isEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof ExactNumber || b instanceof ExactNumber) {
    return a instanceof ExactNumber && b instanceof ExactNumber && a.text === b.text;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqual(item, b[index] as Json));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const other = b[key];
    return other !== undefined && isEqual(a[key] as Json, other);
  });
}
