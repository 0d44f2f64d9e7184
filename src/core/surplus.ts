import { groupBy } from "./group.ts";

/**
 * What goes when only so many sessions of a folder are to stay: all but the newest. The one that is
 * begun next is among those that stay.
 */
export function surplusOf<T extends { folder: string; lastMs: number }>(
  sessions: readonly T[],
  mostSessions: number,
): T[] {
  const folders = groupBy(sessions, ({ folder }) => folder);
  return [...folders.values()].flatMap((all) => {
    const newestFirst = all.toSorted((a, b) => b.lastMs - a.lastMs);
    return newestFirst.slice(Math.max(0, mostSessions - 1));
  });
}
