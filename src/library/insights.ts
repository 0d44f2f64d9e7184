import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionFilter } from "../core/filter/filter.ts";
import { timeText } from "../core/instant.ts";
import { keyOf } from "../core/session/links.ts";
import { readSession } from "../ingest/read-session.ts";
import { workOf } from "../ingest/session-work.ts";
import type { SessionWork } from "../core/rows/session-work.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import { Insights, workedSession } from "../queries/insights/insights.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import type { SessionRef } from "../store/store.ts";
import type { StoreView } from "./store-view.ts";

/** Sessions per query. */
const PAGE = 500;
/** Sessions whose work is not kept yet and that are read for an answer, newest first. */
const MOST_READ = 200;

/** Analyses where the work in sessions went, by documented rules. */
export async function insightsInto(
  view: StoreView,
  prices: PriceBook,
  { limit, ...filter }: SessionFilter,
): Promise<InsightsAnswer> {
  const { store, scope } = view;
  const insights = new Insights();
  const all = await store.refs({ scope, filter });
  const meant = all.slice(0, limit);
  let left = MOST_READ;
  for (let from = 0; from < meant.length; from += PAGE) {
    const page = meant.slice(from, from + PAGE);
    const rows = await store.work(page.map(({ id }) => id));
    const byKey = new Map(rows.map((row) => [keyOf(row.source, row.id), row]));
    for (const { source, id } of page) {
      const row = byKey.get(keyOf(source, id));
      if (!row || (row.work === null && left === 0)) continue;
      if (row.work === null) left -= 1;
      const work = row.work ?? (await readWork(view, row));
      if (work) insights.add(workedSession(row, work, prices));
    }
  }
  const period = { since: timeText(filter.sinceMs), until: timeText(filter.untilMs) };
  return insights.answer({ period, meant: all.length, prices });
}

/** Reads a session in full. */
async function readWork(view: StoreView, ref: SessionRef): Promise<SessionWork | undefined> {
  // Yield to the event loop, because reading takes long.
  await nextTurn();
  const session = await readSession(view, ref);
  const source = view.sources.find(({ id }) => id === ref.source);
  return session && workOf(session, source?.abilities.fileEdits);
}
