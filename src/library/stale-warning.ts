import { PolluxError } from "../core/error.ts";
import type { Store } from "../store/store.ts";

/** Warning that answers are not as current as requested, and why. */
export async function staleWarning(store: Store, why: string): Promise<string> {
  const roots = await store.roots();
  const lookedMs = Math.max(0, ...roots.map((root) => root.lookedMs));
  const when = lookedMs === 0 ? "" : ` on ${new Date(lookedMs).toISOString()}`;
  const left = `Answers show its state${when} and miss later changes.`;
  return `${why} ${left} Use --fresh to read from disk.`;
}

/** Without a look for changes, warns about files that this version has not read yet. */
export async function warnUnread(store: Store, remark?: (sentence: string) => void): Promise<void> {
  const { length } = await store.unread();
  const files = length === 1 ? "1 archived file was" : `${length} archived files were`;
  const sentence = `${files} not read by this version yet and are missing from answers.`;
  if (length > 0) remark?.(`${sentence} Run without --no-refresh to read them.`);
}

const FOR_NOW = new Set(["archive-busy", "disk-full"]);

/** True for temporary errors: nothing can be kept now, but kept sessions can be read. */
export function isTemporary(error: unknown): error is PolluxError {
  return error instanceof PolluxError && FOR_NOW.has(error.code);
}

/** Warning that some sessions cannot be indexed now. */
export function notSearchedWarning(count: number): string {
  const sessions = count === 1 ? "session" : "sessions";
  const missed = `The text of ${count} ${sessions} is not indexed yet and was not searched`;
  return `${missed}: the archive is not writable now. Use --fresh to search the files on disk.`;
}

/** True if there is no archive yet and none can be created now. */
export function isNotCreated(error: unknown): error is PolluxError {
  return error instanceof PolluxError && error.code === "archive-not-created";
}

/** Warning that answers come from the disk because nothing can be kept. */
export function notKeptWarning({ message }: PolluxError): string {
  return `${message} Nothing is archived. Answers are read from the disk.`;
}
