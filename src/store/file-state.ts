import type { KnownFile } from "../core/files/kept.ts";
import type { SessionFileRef } from "../core/session/session.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import { goneSince } from "../core/rows/summarise.ts";

/** The current state of a file; it may be newer than the session's rows. */
export interface FileState {
  modifiedMs: number;
  goneSinceMs: number | undefined;
}

export function stateOf({ modifiedMs, goneSinceMs }: KnownFile): FileState {
  return { modifiedMs, goneSinceMs };
}

/**
 * Returns the session with the current state of its files. Files unknown to the store are
 * unchanged.
 */
export function withFileStates(
  row: SessionRow,
  find: (path: string) => FileState | undefined,
): SessionRow {
  const files = currentFiles(row.session.files, find);
  return {
    summary: { ...row.summary, goneSince: goneSince(files) },
    session: { ...row.session, files },
  };
}

export function currentFiles(
  files: readonly SessionFileRef[],
  find: (path: string, position: number) => FileState | undefined,
): SessionFileRef[] {
  return files.map((ref, position) => {
    const state = find(ref.path, position);
    if (!state) return ref;
    if (state.modifiedMs === ref.modifiedMs && state.goneSinceMs === ref.goneSinceMs) return ref;
    const { goneSinceMs: _before, ...rest } = ref;
    const gone = state.goneSinceMs === undefined ? {} : { goneSinceMs: state.goneSinceMs };
    return { ...rest, modifiedMs: state.modifiedMs, ...gone };
  });
}
