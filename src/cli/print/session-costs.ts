import type { SessionSummary } from "../../core/summary.ts";
import type { Library } from "../../library/library.ts";
import type { UsageQuery } from "../../queries/usage.ts";

/** What sessions cost, by their id; absent when it is not known yet, `null` without a price. */
export type Costs = ReadonlyMap<string, number | null>;

/** What listed sessions cost. Their replies are not older than the first of them. */
export async function costsOf(
  library: Library,
  sessions: readonly SessionSummary[],
  query: Pick<UsageQuery, "source" | "project" | "folder">,
): Promise<Costs> {
  const starts = sessions.map(({ startedAt }) => Date.parse(startedAt ?? ""));
  if (starts.length === 0) return new Map();
  const first = starts.reduce((least, start) => Math.min(least, start), Infinity);
  // One without a time makes all of them asked for.
  const since = Number.isFinite(first) ? { sinceMs: first } : {};
  const { rows } = await library.usage({ ...query, ...since, by: ["session"] });
  return new Map(rows.map(({ key, costMicroUsd }) => [key, costMicroUsd]));
}
