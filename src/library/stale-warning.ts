import { PolluxError } from "../core/error.ts";
import type { Store } from "../store/store.ts";

/** Warning that answers are not as current as requested, and why. */
export async function staleWarning(store: Store, why: string): Promise<string> {
  const roots = await store.roots();
  const lookedMs = Math.max(0, ...roots.map((root) => root.lookedMs));
  const when = lookedMs === 0 ? "" : ` on ${new Date(lookedMs).toISOString()}`;
  const left = `Answers are as it was left${when}; what changed since is not in them.`;
  return `${why} ${left} --fresh reads the disk.`;
}

/** Without a look for changes, warns about files that this version has not read yet. */
export async function tellUnread(store: Store, remark?: (sentence: string) => void): Promise<void> {
  const { length } = await store.unread();
  const files = length === 1 ? "1 kept file was" : `${length} kept files were`;
  const sentence = `${files} not yet read by this version, and answers are without.`;
  if (length > 0) remark?.(`${sentence} A look at the disk reads them.`);
}

const FOR_NOW = new Set(["archive-busy", "disk-full"]);

/** True for temporary errors: nothing can be kept now, but kept sessions can be read. */
export function isForNow(error: unknown): error is PolluxError {
  return error instanceof PolluxError && FOR_NOW.has(error.code);
}

/** Warning that some sessions cannot be indexed now. */
export function notSearched(count: number): string {
  const [sessions, are] = count === 1 ? ["session", "is"] : ["sessions", "are"];
  const missed = `The words of ${count} ${sessions} ${are} not in the index yet, and not searched`;
  return `${missed}: the archive cannot be written to now. --fresh searches the disk.`;
}
