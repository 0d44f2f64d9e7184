import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionFilter } from "../core/filter/filter.ts";
import { groupBy } from "../core/group.ts";
import { keyOf } from "../core/session/links.ts";
import { readSession } from "../ingest/read-session.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import { Insights, workedSession } from "../queries/insights/insights.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import type { StoreView } from "./store-view.ts";

/** Default number of sessions to read, newest first. */
const USUAL_SESSIONS = 200;
/** Sessions per query for replies. */
const PAGE = 100;

/** Analyses where the work in sessions went, by documented rules. */
export async function insightsInto(
  view: StoreView,
  prices: PriceBook,
  { limit = USUAL_SESSIONS, ...filter }: SessionFilter,
): Promise<InsightsAnswer> {
  const { store, scope, sources } = view;
  const insights = new Insights();
  const query = { scope, filter, sort: "newest" } as const;
  let [after, left, meant]: [string | undefined, number, number] = [undefined, limit, 0];
  do {
    const asked = {
      ...query,
      limit: Math.min(PAGE, left),
      ...(after === undefined ? {} : { after }),
    };
    const page = await store.sessions(asked);
    const sessionIds = page.items.map(({ summary }) => summary.id);
    const paid = await store.replies({ scope, filter: {}, sessionIds });
    const bySession = groupBy(paid, ({ source, sessionId }) => keyOf(source, sessionId));
    for (const { summary } of page.items) {
      // Yield to the event loop, because reading takes long.
      await nextTurn();
      const session = await readSession(view, summary);
      const source = sources.find(({ id }) => id === summary.source);
      if (!session) continue;
      const editsOf = source?.abilities.fileEdits ?? (() => []);
      const replies = bySession.get(keyOf(summary.source, summary.id)) ?? [];
      insights.add(workedSession({ summary, session, editsOf }, replies, prices));
    }
    meant = page.total;
    left -= page.items.length;
    after = page.next;
  } while (after !== undefined && left > 0);
  const instant = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString();
  const period = { since: instant(filter.sinceMs), until: instant(filter.untilMs) };
  return insights.answer({ period, meant, prices });
}
