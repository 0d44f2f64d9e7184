import { groupBy } from "../group.ts";

/**
 * Returns the sessions that an agent deletes when it keeps at most `mostSessions` per folder: all
 * but the newest. The next session to be started counts as one of those kept.
 */
export function sessionsOverLimit<T extends { folder: string; lastMs: number }>(
  sessions: readonly T[],
  mostSessions: number,
): T[] {
  const folders = groupBy(sessions, ({ folder }) => folder);
  return [...folders.values()].flatMap((all) => {
    const newestFirst = all.toSorted((a, b) => b.lastMs - a.lastMs);
    return newestFirst.slice(Math.max(0, mostSessions - 1));
  });
}
