import { optional } from "../core/optional.ts";
import type { Group, UsageBucket, UsageBuckets } from "../core/usage/usage-fact.ts";
import type { CountColumns } from "./row-values.ts";
import { countsOf } from "./row-values.ts";

/**
 * Gives each group one label. Its members may have different ones; the alphabetically first is
 * used.
 */
export function withOneLabel({ buckets, sessions }: UsageBuckets): UsageBuckets {
  const labels = new Map<string, string>();
  for (const { groups } of buckets) {
    for (const [at, { key, label }] of groups.entries()) {
      const known = labels.get(`${at} ${key}`) ?? label;
      if (label === undefined || known === undefined) continue;
      labels.set(`${at} ${key}`, label < known ? label : known);
    }
  }
  const labelled = (groups: readonly Group[]): Group[] =>
    groups.map(({ key }, at) => ({ key, ...optional("label", labels.get(`${at} ${key}`)) }));
  return {
    buckets: buckets.map((bucket) => ({ ...bucket, groups: labelled(bucket.groups) })),
    sessions: sessions.map(({ groups, count }) => ({ groups: labelled(groups), count })),
  };
}

/** A row of a grouped query: `key0`, `label0`, … of its groups, and price columns. */
type GroupRow = Record<string, string | number | null>;
/** The same with sums. */
export type UsageRow = GroupRow & CountColumns;

export function bucketOf(row: UsageRow, depth: number): UsageBucket {
  return {
    groups: groupsOf(row, depth),
    model: textOf(row["model"]),
    promptClass: Number(row["prompt_class"]),
    pricePeriod: row["price_period"] === null ? null : Number(row["price_period"]),
    tier: textOf(row["tier"]),
    requests: Number(row["requests"]),
    atLeast: Number(row["at_least"]),
    odd: Number(row["odd"]),
    tokens: countsOf(row),
  };
}

export function groupsOf(row: GroupRow, depth: number): Group[] {
  return Array.from({ length: depth }, (_, at) => {
    const label = textOf(row[`label${at}`]);
    return { key: String(row[`key${at}`]), ...(label === null ? {} : { label }) };
  });
}

function textOf(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
