import type { KnownFile } from "../core/files/kept.ts";
import type { SessionFile } from "../core/files/session-file.ts";

/** A file whose content may differ from its kept bytes. */
export interface ChangedFile {
  rootId: number;
  file: SessionFile;
  /** The kept file; absent for a new file. */
  known?: KnownFile;
}

export interface Comparison {
  changed: ChangedFile[];
  /** Same content as kept, but back on disk, or with another `isCleaned`. */
  touched: { file: SessionFile; known: KnownFile }[];
  /** No longer on the disk. */
  gone: KnownFile[];
  unchanged: number;
}

/** Compares files on disk with kept files by file system metadata alone. */
export function compare(
  rootId: number,
  found: readonly SessionFile[],
  kept: readonly KnownFile[],
): Comparison {
  const comparison: Comparison = { changed: [], touched: [], gone: [], unchanged: 0 };
  const left = new Map(kept.filter(({ replaced }) => !replaced).map((file) => [file.path, file]));
  for (const file of found) {
    const known = left.get(file.path);
    left.delete(file.path);
    if (!known) comparison.changed.push({ rootId, file });
    else if (!isSame(file, known)) comparison.changed.push({ rootId, file, known });
    else if (isTouched(file, known)) comparison.touched.push({ file, known });
    else comparison.unchanged += 1;
  }
  comparison.gone = [...left.values()].filter(({ goneSinceMs }) => goneSinceMs === undefined);
  return comparison;
}

export function hasNoChanges({ changed, touched, gone }: Comparison): boolean {
  return changed.length === 0 && touched.length === 0 && gone.length === 0;
}

/** Removes files in unreadable folders from `gone`: they may still exist. */
export function withoutUnreadableFolders(
  comparison: Comparison,
  diagnostics: readonly { code: string; file: string }[],
): Comparison {
  const closed = diagnostics.flatMap(({ code, file }) => {
    return code === "unreadable-folder" ? [file] : [];
  });
  if (closed.length === 0) return comparison;
  const isClosed = (path: string): boolean => {
    return closed.some(
      (folder) => path.startsWith(folder) && /^([\\/]|$)/.test(path.slice(folder.length)),
    );
  };
  return { ...comparison, gone: comparison.gone.filter(({ path }) => !isClosed(path)) };
}

/** A second write within one tick of the file system clock leaves the times unchanged. */
const TICK_MS = 20;

/** Whether any later write will change the file's times. */
export function isSettled(
  { modifiedMs, changedMs }: Pick<SessionFile, "modifiedMs" | "changedMs">,
  nowMs: number,
): boolean {
  const isJustChanged = changedMs !== undefined && Math.abs(nowMs - changedMs) <= TICK_MS;
  return modifiedMs + TICK_MS < nowMs && !isJustChanged;
}

function isSame(file: SessionFile, known: KnownFile): boolean {
  return known.isSettled && isSameState(file, known);
}

/** Compares `changedMs` too: programs can reset size and mtime, but not ctime. */
export function isSameState(a: SessionFile, b: SessionFile): boolean {
  return (
    a.sizeBytes === b.sizeBytes &&
    a.modifiedMs === b.modifiedMs &&
    a.changedMs === b.changedMs &&
    a.inode === b.inode
  );
}

function isTouched(file: SessionFile, known: KnownFile): boolean {
  // The role follows from path and content, so it is the same too.
  return known.goneSinceMs !== undefined || file.isCleaned !== known.isCleaned;
}
