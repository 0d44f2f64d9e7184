import { instantOf } from "../../core/instant.ts";

/**
 * Functions for reading untrusted values. Session files come from many versions and may be damaged:
 * each function returns what it found or `undefined`, and never throws.
 */
export type Json = Record<string, unknown>;

export function asObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns a non-empty string. */
export function asName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a valid time, as written. */
export function asTime(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 40) return undefined;
  return Number.isNaN(instantOf(value)) ? undefined : value;
}

/** A million times any model's limit; above it, sums of many requests would not be exact. */
const MAX_COUNT = 1e12;

/** Whether a value is a valid count of tokens, lines or calls. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;
}

/** Describes why a value is not a count, for a diagnostic; never quotes recorded text. */
export function describeInvalidCount(value: unknown): string {
  if (typeof value !== "number") return `not a number but ${typeName(value)}`;
  if (value < 0) return `negative (${value})`;
  return Number.isInteger(value) ? `too large (${value})` : `not a whole number (${value})`;
}

export function typeName(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** Values nested deeper than this are replaced: serialising them would overflow the stack. */
const MAX_DEPTH = 200;

export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const child of Object.values(item)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}

/** Returns the elements of a list that are objects. */
export function objectsIn(value: unknown): Json[] {
  return (asList(value) ?? []).filter((item): item is Json => asObject(item) !== undefined);
}
