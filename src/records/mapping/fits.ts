import type { Json } from "../json/value.ts";
import { ExactNumber, isWhole } from "../json/value.ts";

const DAY = String.raw`\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?`;
const ZONE = String.raw`([Zz]|[-+]([01]\d|2[0-3]):[0-5]\d)`;
/** RFC 3339 as in the schema. */
const INSTANT = new RegExp(`^${DAY}[Tt]${TIME}${ZONE}$`);

export function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

export function isInstant(value: Json | undefined): value is string | number {
  return typeof value === "string" ? INSTANT.test(value) : isCount(value);
}

/** A non-negative integer that fits into 64 bits. */
export function isCount(value: Json | undefined): value is number {
  if (typeof value === "number") return value >= 0;
  return value instanceof ExactNumber && isWhole(value) && isUnsigned(BigInt(value.text));
}

function isUnsigned(value: bigint): boolean {
  return value >= 0n && value < 1n << 64n;
}
