import type { Forgotten } from "./store.ts";

/** Builds the answer of `Store.forgotten` from the stored notes. */
export function forgottenOf(notes: readonly { kind: string; key: string }[]): Forgotten {
  const known = new Set(notes.map(({ kind, key }) => `${kind} ${key}`));
  const sessions = notes.flatMap(({ kind, key }) => (kind === "session" ? [key] : []));
  return { has: (kind, key) => known.has(`${kind} ${key}`), sessions };
}
