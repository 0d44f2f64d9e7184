import type { SessionFile } from "./session-file.ts";

/**
 * A root whose files are in the store: on this machine, or on the machine that an imported archive
 * came from.
 */
export interface KnownRoot {
  id: number;
  source: string;
  path: string;
  how: RootOrigin;
  machine: { uid: string; name: string; isThis: boolean };
  /** Time of the last comparison with the disk. */
  lookedMs: number;
  /** Snapshot of its files at that time; absent if some of them could not be kept as found. */
  snapshot?: string;
}

/**
 * - `usual`: one of the agent's standard folders
 * - `asked`: the user asked to keep it
 * - `visited`: read once by name only; left out of answers about everything
 */
export type RootOrigin = "usual" | "asked" | "visited";

/**
 * A file whose bytes are in the store, whether or not it is still on disk. A replaced content is
 * represented as a separate file with a negative id, gone since it was replaced.
 */
export interface KnownFile extends SessionFile {
  id: number;
  rootId: number;
  /**
   * The number of its newest content; it changes when the file is rewritten, not when it grows.
   */
  content: number;
  /** SHA-256 of the whole content; absent in archives made before digests were stored. */
  digest?: string;
  /**
   * False if a later write could have gone unnoticed, within the precision of the file's
   * timestamps.
   */
  isSettled: boolean;
  firstSeenMs: number;
  lastSeenMs: number;
  /** Time since which the file is no longer on disk. */
  goneSinceMs?: number;
  /** Keys and session ids as of the last reading. */
  keys: readonly string[];
  sessionIds: readonly string[];
}

/** Represents a content that was replaced as a separate file. */
export function replacedFile(file: KnownFile, goneSinceMs: number): KnownFile {
  const replaced = { path: file.path, number: file.content };
  const path = `${file.path}.replaced-${file.content}`;
  return { ...file, id: -file.content, path, replaced, goneSinceMs };
}

/** A state in which a kept file was seen. */
export interface Version {
  id: number;
  fileId: number;
  content: number;
  sizeBytes: number;
  modifiedMs: number;
  keptMs: number;
  /**
   * SHA-256 of the bytes up to `sizeBytes`; absent in archives made before digests were stored.
   */
  digest?: string;
}
