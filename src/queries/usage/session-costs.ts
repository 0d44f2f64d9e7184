import type { UsageBuckets } from "../../core/usage/usage-fact.ts";
import { costOfBucket } from "../prices/cost.ts";
import type { BucketPlan } from "./ledger.ts";
import { bucketPlan } from "./ledger.ts";
import type { PriceBook } from "../prices/prices.ts";
import { Tally } from "./tally.ts";

export function planSessionCosts(prices: PriceBook): BucketPlan {
  return bucketPlan({}, prices, { by: ["session"] });
}

/** Cost of each session in micro-dollars, by id; `null` if unknown. */
export function costsBySession(
  { buckets }: UsageBuckets,
  prices: PriceBook,
): Map<string, number | null> {
  const tallies = new Map<string, Tally>();
  for (const bucket of buckets) {
    const id = bucket.groups[0]?.key ?? "";
    const tally = tallies.get(id) ?? new Tally();
    tally.add(bucket, costOfBucket(bucket, prices));
    tallies.set(id, tally);
  }
  return new Map([...tallies].map(([id, tally]) => [id, tally.sums().costMicroUsd]));
}
