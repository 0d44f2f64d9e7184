import type { UsageBuckets } from "../../core/usage/usage-fact.ts";
import { costOfBucket } from "../prices/cost.ts";
import type { BucketPlan, LedgerFilter } from "./ledger.ts";
import { bucketPlan } from "./ledger.ts";
import type { PriceBook } from "../prices/prices.ts";
import { sessionNamer } from "./session-names.ts";
import { Tally } from "./tally.ts";

export function planSessionCosts(filter: LedgerFilter, prices: PriceBook): BucketPlan {
  return bucketPlan(filter, prices, { by: ["session"], only: "buckets" });
}

/**
 * Cost of each session in micro-dollars, by `source:id`, and by id if no other agent uses it;
 * `null` if unknown.
 */
export function costsBySession(
  { buckets }: UsageBuckets,
  prices: PriceBook,
): Map<string, number | null> {
  const tallies = new Map<string, Tally>();
  for (const bucket of buckets) {
    const key = bucket.groups[0]?.key ?? "";
    const tally = tallies.get(key) ?? new Tally();
    tally.add(bucket, costOfBucket(bucket, prices));
    tallies.set(key, tally);
  }
  const nameOf = sessionNamer(buckets, 0);
  const costs = [...tallies].flatMap(([key, tally]) => {
    const { costMicroUsd } = tally.sums();
    return [key, nameOf(key)].map((name) => [name, costMicroUsd] as const);
  });
  return new Map(costs);
}
