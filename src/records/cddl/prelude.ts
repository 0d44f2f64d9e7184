import type { Seen } from "./item.ts";

/** The supported types of the CDDL standard prelude. */
export const PRELUDE: ReadonlyMap<string, (seen: Seen) => boolean> = new Map<
  string,
  (seen: Seen) => boolean
>([
  ["any", () => true],
  ["uint", (seen) => seen.kind === "int" && seen.value >= 0n && seen.value < 1n << 64n],
  ["nint", (seen) => seen.kind === "int" && seen.value < 0n && seen.value >= -(1n << 64n)],
  ["int", (seen) => seen.kind === "int" && isShort(seen.value)],
  ["float", ({ kind }) => kind === "float"],
  ["number", (seen) => seen.kind === "float" || (seen.kind === "int" && isShort(seen.value))],
  ["tstr", ({ kind }) => kind === "text"],
  ["text", ({ kind }) => kind === "text"],
  ["bstr", ({ kind }) => kind === "bytes"],
  ["bytes", ({ kind }) => kind === "bytes"],
  ["bool", ({ kind }) => kind === "bool"],
  ["true", (seen) => seen.kind === "bool" && seen.value],
  ["false", (seen) => seen.kind === "bool" && !seen.value],
  ["null", ({ kind }) => kind === "null"],
  ["nil", ({ kind }) => kind === "null"],
]);

/** CBOR integers have 64 bits plus a sign. */
function isShort(value: bigint): boolean {
  return value < 1n << 64n && value >= -(1n << 64n);
}
