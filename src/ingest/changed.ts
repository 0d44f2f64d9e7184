import type { KeptFile } from "../core/kept.ts";
import type { SessionFile } from "../core/session-file.ts";

/** A file whose content may not be what is kept of it. */
export interface Changed {
  file: SessionFile;
  /** As it is kept; nothing for a file that is new. */
  known?: KeptFile;
}

export interface Comparison {
  changed: Changed[];
  /** They are back, or no longer cleaned, but hold what is kept of them. */
  moved: { file: SessionFile; known: KeptFile }[];
  /** No longer on the disk. */
  gone: KeptFile[];
  unchanged: number;
}

/** Compares what lies on the disk with what is kept, by what the file system tells alone. */
export function compare(found: readonly SessionFile[], kept: readonly KeptFile[]): Comparison {
  const comparison: Comparison = { changed: [], moved: [], gone: [], unchanged: 0 };
  const rest = new Map(kept.map((file) => [file.path, file]));
  for (const file of found) {
    const known = rest.get(file.path);
    rest.delete(file.path);
    if (!known) comparison.changed.push({ file });
    else if (!isSame(file, known)) comparison.changed.push({ file, known });
    else if (isMoved(file, known)) comparison.moved.push({ file, known });
    else comparison.unchanged += 1;
  }
  comparison.gone = [...rest.values()].filter(({ goneSinceMs }) => goneSinceMs === undefined);
  return comparison;
}

/** A file may be written again within one tick of its clock, and look the same. */
const TICK_MS = 20;

export function isSettled({ modifiedMs }: Pick<SessionFile, "modifiedMs">, nowMs: number): boolean {
  return modifiedMs + TICK_MS < nowMs;
}

function isSame(file: SessionFile, known: KeptFile): boolean {
  return (
    known.isSettled &&
    file.sizeBytes === known.sizeBytes &&
    file.modifiedMs === known.modifiedMs &&
    file.inode === known.inode
  );
}

function isMoved(file: SessionFile, known: KeptFile): boolean {
  // Its role is told by its path, or by what is in it: it is the same.
  return known.goneSinceMs !== undefined || file.isCleaned !== known.isCleaned;
}
