/**
 * JSON as it stands in a text. A plain `number` is always a safe whole number; every other number
 * keeps its own text, so that `1` and `1.0`, large integers and odd fractions stay what they are.
 * Objects have no prototype: a key named `__proto__` is a key.
 */
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A number that is no safe whole number, in its canonical text. */
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

/** The same value, whatever the order of the keys; `1` and `1.0` are two values. */
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
