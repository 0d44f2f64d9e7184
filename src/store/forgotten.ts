import type { Forgotten, SessionRef } from "./store.ts";

/** The key of a session's note. */
export function forgottenKey({ source, id }: SessionRef): string {
  return `${source}:${id}`;
}

/**
 * Builds the answer of `Store.forgotten` from the stored notes. Notes of earlier versions have only
 * an id; they hold for the sessions of all agents.
 */
export function forgottenOf(notes: readonly { kind: string; key: string }[]): Forgotten {
  const keysOf = (wanted: string): string[] => {
    return notes.flatMap(({ kind, key }) => (kind === wanted ? [key] : []));
  };
  const [files, sessions] = [new Set(keysOf("file")), new Set(keysOf("session"))];
  return {
    hasFile: (path) => files.has(path),
    files: [...files],
    hasSession: (ref) => sessions.has(forgottenKey(ref)) || sessions.has(ref.id),
    sessions: [...new Set([...sessions].map((key) => key.slice(key.indexOf(":") + 1)))],
  };
}
