import { createHash, hash } from "node:crypto";
import type { Diagnostic } from "../core/files/diagnostic.ts";
import type { SessionFile } from "../core/files/session-file.ts";

/**
 * A digest of a root's file metadata (names, sizes, times) and diagnostics, made without opening a
 * file. An equal snapshot means that nothing has changed; otherwise it shows which files to
 * compare.
 *
 *     1525 kxvGBGqU… 5DsGf0pR… …      number of files, and a digest of each run of about 32 files
 */
export interface DirectorySnapshot {
  text: string;
  runs: Run[];
}

interface Run {
  digest: string;
  files: SessionFile[];
}

export function snapshotOf(
  files: readonly SessionFile[],
  diagnostics: readonly Diagnostic[],
): DirectorySnapshot {
  const runs: Run[] = [];
  let run: SessionFile[] = [];
  const cut = (): void => {
    if (run.length > 0) runs.push({ digest: digestOf(run), files: run });
    run = [];
  };
  for (const file of files) {
    run.push(file);
    if (isLast(file.path)) cut();
  }
  cut();
  const odd = diagnostics.length > 0 ? [hash("sha1", JSON.stringify(diagnostics), "base64")] : [];
  const digests = runs.map(({ digest }) => digest);
  return { text: [files.length, ...digests, ...odd].join(" "), runs };
}

/** Hashes numbers in binary form: formatting them as text takes several times as long. */
function digestOf(files: readonly SessionFile[]): string {
  const numbers = new Float64Array(files.length * 5);
  let names = "";
  let at = 0;
  for (const { path, sizeBytes, modifiedMs, changedMs = 0, inode = 0, isCleaned } of files) {
    // The role is left out: it follows from path and content.
    names += `${path}\n`;
    numbers[at] = sizeBytes;
    numbers[at + 1] = modifiedMs;
    numbers[at + 2] = changedMs;
    numbers[at + 3] = inode;
    numbers[at + 4] = isCleaned ? 1 : 0;
    at += 5;
  }
  return createHash("sha1").update(names).update(numbers).digest("base64");
}

/** The number of files in a snapshot. */
export function filesIn(snapshot: string): number {
  return Number(snapshot.split(" ", 1)[0]);
}

/** Ends a run by a hash of the file name, so that a new file does not shift all later runs. */
function isLast(path: string): boolean {
  let sum = 0;
  for (let at = Math.max(0, path.length - 14); at < path.length; at += 1) {
    sum = Math.imul(sum, 31) + path.charCodeAt(at);
  }
  // Consecutive names differ in a few bits only: mix them over the whole number.
  const mixed = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d);
  return ((mixed >>> 20) & 31) === 0;
}

/**
 * Returns the files that may have changed since an earlier snapshot, or undefined if the number of
 * files differs. If the caller then knows every returned file, none is gone: the number is equal,
 * and all files of unchanged runs are present.
 */
export function filesInChangedRuns(
  before: string,
  { text, runs }: DirectorySnapshot,
): SessionFile[] | undefined {
  const [count, ...digests] = before.split(" ");
  if (count === "" || count !== text.split(" ", 1)[0]) return undefined;
  const known = new Set(digests);
  return runs.filter((run) => !known.has(run.digest)).flatMap(({ files }) => files);
}
