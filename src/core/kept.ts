import type { SessionFile } from "./session-file.ts";

/** A root whose files are kept: on this machine, or on the one that an archive was brought from. */
export interface KnownRoot {
  id: number;
  source: string;
  path: string;
  how: RootHow;
  machine: { uid: string; name: string; isThis: boolean };
  /** When it was last compared with the disk. */
  lookedMs: number;
  /** A short form of all that it held then, when nothing changed meanwhile. */
  snapshot?: string;
}

/**
 * - `usual`: a place where the program leaves its files
 * - `asked`: kept on purpose
 * - `visited`: only looked at once by name; answers about everything leave it out
 */
export type RootHow = "usual" | "asked" | "visited";

/**
 * A file whose bytes are kept, whether it is still there or not. A content that was replaced is a
 * file of its own, gone since then; its id is below zero.
 */
export interface KnownFile extends SessionFile {
  id: number;
  rootId: number;
  /**
   * The number of its newest content; another one when it was rewritten, the same while it grows.
   */
  content: number;
  /** SHA-256 of the whole content; absent in archives that were made before it was noted. */
  digest?: string;
  /** A write could have followed unseen, within the precision of the file's clock. */
  isSettled: boolean;
  firstSeenMs: number;
  lastSeenMs: number;
  /** Since when it is no longer on the disk. */
  goneSinceMs?: number;
  /** As they were when it was last read. */
  keys: readonly string[];
  sessionIds: readonly string[];
}

/** A content whose place another one took, as a file of its own. */
export function replacedFile(file: KnownFile, goneSinceMs: number): KnownFile {
  const replaced = { path: file.path, number: file.content };
  const path = `${file.path}.replaced-${file.content}`;
  return { ...file, id: -file.content, path, replaced, goneSinceMs };
}

/** A state that a kept file was seen in. */
export interface Version {
  id: number;
  fileId: number;
  content: number;
  sizeBytes: number;
  modifiedMs: number;
  keptMs: number;
  /** SHA-256 of the bytes up to here; absent in archives that were made before it was noted. */
  digest?: string;
}
