import type { SessionRow } from "../core/rows/session-rows.ts";
import type { Scope, SessionRef, Store } from "../store/store.ts";
import { keyOf } from "../core/session/links.ts";

/** Loads sessions with all their subagents' sessions, also nested ones; parents come first. */
export async function withSubsessions(
  { store, scope }: { store: Pick<Store, "sessions">; scope: Scope },
  refs: readonly SessionRef[],
): Promise<SessionRow[]> {
  const found = new Map<string, SessionRow>();
  const ids = refs.map(({ id }) => id);
  const isMeant = (row: SessionRow): boolean => {
    return refs.some(({ source, id }) => row.summary.source === source && row.summary.id === id);
  };
  let waiting = (await store.sessions({ scope, ids })).items.filter(isMeant);
  while (waiting.length > 0) {
    const more: SessionRow[] = [];
    for (const row of waiting) {
      const { source, id } = row.summary;
      const key = keyOf(source, id);
      if (found.has(key)) continue;
      found.set(key, row);
      const { items } = await store.sessions({ scope, filter: { source }, parentId: id });
      more.push(...items);
    }
    waiting = more;
  }
  return [...found.values()];
}
