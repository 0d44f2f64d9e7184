import type { SessionFile } from "./session-file.ts";

/** A root whose files are kept: on this machine, or on the one that an archive was brought from. */
export interface KeptRoot {
  id: number;
  source: string;
  path: string;
  how: RootHow;
  machine: { uid: string; name: string; isThis: boolean };
  /** When it was last compared with the disk. */
  lookedMs: number;
}

/**
 * - `usual`: a place where the program leaves its files
 * - `asked`: taken in on purpose
 * - `visited`: only looked at once by name; answers about everything leave it out
 */
export type RootHow = "usual" | "asked" | "visited";

/**
 * A file whose bytes are kept, whether it is still there or not. A content that was replaced is a
 * file of its own, gone since then; its number is below zero.
 */
export interface KeptFile extends SessionFile {
  id: number;
  rootId: number;
  /** Its newest content; the one before it stays under another number. */
  stream: number;
  /** A write could have followed unseen, within the precision of the file's clock. */
  isSettled: boolean;
  firstSeenMs: number;
  lastSeenMs: number;
  /** Since when it is no longer on the disk. */
  goneSinceMs?: number;
}

/** A content whose place another one took, as a file of its own. */
export function replacedFile(file: KeptFile, goneSinceMs: number): KeptFile {
  const replaced = { path: file.path, number: file.stream };
  const path = `${file.path}.replaced-${file.stream}`;
  return { ...file, id: -file.stream, path, replaced, goneSinceMs };
}

/** A state that a kept file was seen in. */
export interface KeptVersion {
  id: number;
  fileId: number;
  stream: number;
  sizeBytes: number;
  modifiedMs: number;
  keptMs: number;
}
