import type { Archive } from "../store/archive.ts";
import { PolluxError } from "../core/error.ts";

/** What is said when answers are not as new as was asked for, and why. */
export function asItWas({ files }: Archive, why: string): string {
  const lookedMs = Math.max(0, ...files.roots().map((root) => root.lookedMs));
  const when = lookedMs === 0 ? "" : ` on ${new Date(lookedMs).toISOString()}`;
  const left = `Answers are as it was left${when}; what changed since is not in them.`;
  return `${why} ${left} --fresh reads the disk.`;
}

const FOR_NOW = new Set(["archive-busy", "disk-full"]);

/** Nothing can be taken in for the time being; what is kept is there. */
export function isForNow(error: unknown): error is PolluxError {
  return error instanceof PolluxError && FOR_NOW.has(error.code);
}
