import type { SessionRow } from "../core/rows/session-rows.ts";
import type { SessionRef, Store } from "../store/store.ts";

/** Loads sessions with all their subagents' sessions, also nested ones; parents come first. */
export async function withSubsessions(
  store: Pick<Store, "sessions">,
  refs: readonly SessionRef[],
): Promise<SessionRow[]> {
  const found = new Map<string, SessionRow>();
  const query = { scope: "own", filter: {}, sort: "newest" } as const;
  const ids = refs.map(({ id }) => id);
  const isMeant = (row: SessionRow): boolean => {
    return refs.some(({ source, id }) => row.summary.source === source && row.summary.id === id);
  };
  let waiting = (await store.sessions({ ...query, ids })).items.filter(isMeant);
  while (waiting.length > 0) {
    const more: SessionRow[] = [];
    for (const row of waiting) {
      const { source, id } = row.summary;
      if (found.has(`${source}\n${id}`)) continue;
      found.set(`${source}\n${id}`, row);
      const { items } = await store.sessions({ ...query, filter: { source }, parentId: id });
      more.push(...items);
    }
    waiting = more;
  }
  return [...found.values()];
}
