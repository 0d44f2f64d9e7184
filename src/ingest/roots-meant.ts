import type { KeptRoot } from "../core/kept.ts";

/** Another machine may have a root at the same path: this one's is meant, if it has one. */
export function rootsMeant(known: KeptRoot[], wished: readonly string[] | "every"): KeptRoot[] {
  if (wished === "every") return known;
  if (wished.length === 0) return known.filter(({ how }) => how !== "visited");
  const own = new Set(known.filter(({ machine }) => machine.isThis).map(({ path }) => path));
  return known.filter(({ path, machine }) => {
    return wished.includes(path) && (machine.isThis || !own.has(path));
  });
}
