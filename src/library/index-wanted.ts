import type { Archive } from "../store/archive.ts";
import { indexTexts } from "../ingest/index-texts.ts";
import { isForNow } from "./stale-warning.ts";

/** For a search. What cannot be put into the index is not found: that is said. */
export function indexWanted(
  archive: Archive,
  told: Parameters<typeof indexTexts>[1],
  remark?: (sentence: string) => void,
): void {
  try {
    if (archive.mode !== "read") indexTexts(archive, told);
  } catch (error) {
    if (!isForNow(error)) throw error;
  }
  const missed = notSearched(archive, told.roots);
  if (missed !== undefined) remark?.(missed);
}

/** What is said when the words of some sessions cannot be put into the index now. */
function notSearched({ rows }: Archive, roots: readonly number[]): string | undefined {
  const count = rows.withoutText(roots).length;
  if (count === 0) return undefined;
  const [sessions, are] = count === 1 ? ["session", "is"] : ["sessions", "are"];
  const missed = `The words of ${count} ${sessions} ${are} not in the index yet, and not searched`;
  return `${missed}: the archive cannot be written to now. --fresh searches the disk.`;
}
