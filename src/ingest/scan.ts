import type { KnownFile } from "../core/kept.ts";
import type { SessionFile } from "../core/session-file.ts";

/** A file whose content may not be what is kept of it. */
export interface Changed {
  rootId: number;
  file: SessionFile;
  /** As it is kept; nothing for a file that is new. */
  known?: KnownFile;
}

export interface Comparison {
  changed: Changed[];
  /** They are back, or no longer cleaned, but hold what is kept of them. */
  touched: { file: SessionFile; known: KnownFile }[];
  /** No longer on the disk. */
  gone: KnownFile[];
  unchanged: number;
}

/** Compares what lies on the disk with what is kept, by what the file system tells alone. */
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

export function isNothingNew({ changed, touched, gone }: Comparison): boolean {
  return changed.length === 0 && touched.length === 0 && gone.length === 0;
}

/** What lies in a folder that cannot be entered is not gone. */
export function withoutClosed(
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

/** A file may be written again within one tick of its clock, and look the same. */
const TICK_MS = 20;

/** Whether the next write will show in the file's times. */
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

/** Size and time of writing can be put back to what they were; the time of the change cannot. */
export function isSameState(a: SessionFile, b: SessionFile): boolean {
  return (
    a.sizeBytes === b.sizeBytes &&
    a.modifiedMs === b.modifiedMs &&
    a.changedMs === b.changedMs &&
    a.inode === b.inode
  );
}

function isTouched(file: SessionFile, known: KnownFile): boolean {
  // Its role is told by its path, or by what is in it: it is the same.
  return known.goneSinceMs !== undefined || file.isCleaned !== known.isCleaned;
}
