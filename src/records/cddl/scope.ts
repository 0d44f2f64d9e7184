import type { Item, Seen } from "./item.ts";
import type { Failure } from "./mismatch.ts";
import type { Rule, Type } from "./syntax.ts";

/** The context for matching one part of a value. */
export interface Scope {
  rules: ReadonlyMap<string, Rule>;
  path: string;
  /** Number of enclosing maps and lists. */
  depth: number;
  /** Matches a nested part. */
  match(type: Type, item: Item, scope: Scope): Failure | undefined;
}

export function isLiteral(value: bigint | number | string | Uint8Array, seen: Seen): boolean {
  if (typeof value === "bigint") return seen.kind === "int" && seen.value === value;
  if (typeof value === "number") return seen.kind === "float" && seen.value === value;
  if (typeof value === "string") return seen.kind === "text" && seen.value === value;
  return seen.kind === "bytes" && Buffer.compare(seen.value, value) === 0;
}
