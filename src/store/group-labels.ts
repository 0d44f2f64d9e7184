import { optional } from "../core/optional.ts";
import type { Group, UsageBuckets } from "../core/usage/usage-fact.ts";

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
