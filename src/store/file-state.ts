import type { SessionFileRef } from "../core/session.ts";
import type { SessionRow } from "../core/session-rows.ts";
import { goneSince } from "../core/summarise.ts";

/** What is known of a file now; its session's rows may have been made before. */
export interface FileState {
  modifiedMs: number;
  goneSinceMs: number | undefined;
}

/** A session with its files as they are now. What is no file of the store stays as it is. */
export function withFileStates(
  row: SessionRow,
  stateOf: (path: string) => FileState | undefined,
): SessionRow {
  const files = currentFiles(row.session.files, stateOf);
  return {
    summary: { ...row.summary, goneSince: goneSince(files) },
    session: { ...row.session, files },
  };
}

/** Files as they are now. */
export function currentFiles(
  files: readonly SessionFileRef[],
  stateOf: (path: string, position: number) => FileState | undefined,
): SessionFileRef[] {
  return files.map((ref, position) => {
    const state = stateOf(ref.path, position);
    if (!state) return ref;
    const { goneSinceMs: _before, ...rest } = ref;
    const gone = state.goneSinceMs === undefined ? {} : { goneSinceMs: state.goneSinceMs };
    return { ...rest, modifiedMs: state.modifiedMs, ...gone };
  });
}
