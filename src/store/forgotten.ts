import type { Forgotten } from "./store.ts";

/** What is not to be kept again, by the notes that a store has of it. */
export function forgottenOf(notes: readonly { kind: string; key: string }[]): Forgotten {
  const known = new Set(notes.map(({ kind, key }) => `${kind} ${key}`));
  const sessions = notes.flatMap(({ kind, key }) => (kind === "session" ? [key] : []));
  return { has: (kind, key) => known.has(`${kind} ${key}`), sessions };
}
