import { hash } from "node:crypto";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { SessionFile } from "../core/session-file.ts";

/**
 * A short form of everything that a root tells without opening a file: names, sizes, times, and
 * what was odd about them. When it is the same as the last time, nothing has changed; else it tells
 * where to look.
 *
 *     1525 kxvGBGqU… 5DsGf0pR… …      how many files, and a digest of each run of some dozen files
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
  let text = "";
  const cut = (): void => {
    if (run.length > 0) runs.push({ digest: hash("sha1", text, "base64"), files: run });
    run = [];
    text = "";
  };
  for (const file of files) {
    const { path, sizeBytes, modifiedMs, changedMs, inode, isCleaned } = file;
    // Its role is told by its path, or by what is in it.
    text += `${path}\n${sizeBytes} ${modifiedMs} ${changedMs} ${inode} ${isCleaned}\n`;
    run.push(file);
    if (isLast(path)) cut();
  }
  cut();
  const odd = diagnostics.length > 0 ? [hash("sha1", JSON.stringify(diagnostics), "base64")] : [];
  const digests = runs.map(({ digest }) => digest);
  return { text: [files.length, ...digests, ...odd].join(" "), runs };
}

/** The end of a name decides where a run ends: a new file does not change all runs after it. */
function isLast(path: string): boolean {
  let sum = 0;
  for (let at = Math.max(0, path.length - 14); at < path.length; at += 1) {
    sum = Math.imul(sum, 31) + path.charCodeAt(at);
  }
  // Names that only count up differ in a few bits: they are spread over all of them.
  const mixed = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d);
  return ((mixed >>> 20) & 31) === 0;
}

/**
 * Files that may not be what they were at an earlier look. Nothing when it does not tell, or when
 * files came or went. As many as there were, and those of unchanged runs all there: if these were
 * there too, none has gone.
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
