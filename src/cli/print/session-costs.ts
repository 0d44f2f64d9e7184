import type { SessionFilter } from "../../core/filter/filter.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { Review } from "../../library/review.ts";
import { DAY_MS } from "../../core/instant.ts";

/** Costs of sessions, for `costOfSession`; absent if not known yet, `null` if without a price. */
export type Costs = ReadonlyMap<string, number | null>;

/** Costs of the listed sessions. Their replies lie between the first start and the last change. */
export async function costsOf(
  library: Pick<Review, "costs">,
  sessions: readonly SessionSummary[],
  filter: Pick<SessionFilter, "source" | "project" | "folder">,
): Promise<Costs> {
  if (sessions.length === 0) return new Map();
  const first = Math.min(...sessions.map(({ startedAt }) => Date.parse(startedAt ?? "")));
  const last = Math.max(...sessions.map(({ updatedAt }) => Date.parse(updatedAt ?? "")));
  // Whole days, because these are already summed. A session without a time removes the limit.
  const since = Number.isNaN(first) ? {} : { sinceMs: Math.floor(first / DAY_MS) * DAY_MS };
  const until = Number.isNaN(last) ? {} : { untilMs: (Math.floor(last / DAY_MS) + 2) * DAY_MS };
  return library.costs({ ...filter, ...since, ...until });
}
