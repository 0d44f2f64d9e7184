import type { SplitUsage, UsageBucket } from "../../core/usage/usage-fact.ts";
import { promptOf } from "../../core/usage/usage-facts.ts";
import type { AppliedRates, PriceAnswer, PriceBook, Rates } from "./prices.ts";

/** The counts that have a price. */
export type PaidCounts = Pick<
  SplitUsage,
  "fresh" | "cached" | "cacheWrite5m" | "cacheWrite1h" | "output" | "thoughts" | "webSearches"
>;

/** What the cost of one request depends on, besides its time. */
interface PaidRequest extends PaidCounts, Pick<SplitUsage, "input" | "tool"> {
  model?: string | null | undefined;
  tier?: string | null | undefined;
}

/** An exact amount of money: whole micro-dollars, and millionths of one. */
export interface Money {
  micro: number;
  rest: number;
}

/** The cost of tokens, or why it is unknown. */
export type Cost =
  | { kind: "priced"; money: Money; price: PriceApplied }
  | { kind: "unpriced"; why: string };

/** The rates applied to a request. */
export interface PriceApplied {
  /** The name in the price table. */
  model: string;
  /** The first day of this price; `null` if it applies from the start. */
  from: string | null;
  /** The prompt size above which these rates apply; `null` for the standard rates. */
  aboveTokens: number | null;
  /** Micro-dollars per million tokens, or per million searches. */
  rates: AppliedRates;
}

/** The cost of a group of requests; all requests of a bucket have the same rates. */
export function costOfBucket(bucket: UsageBucket, prices: PriceBook): Cost {
  const { model, pricePeriod, promptClass, tier, tokens } = bucket;
  const price = prices.priceOf({
    model: model ?? undefined,
    atMs: pricePeriod === null ? undefined : (prices.dates[pricePeriod - 1] ?? -Infinity),
    tier,
  });
  const above = prices.thresholds[promptClass - 1];
  return costFor(tokens, price, above === undefined ? 0 : above + 1);
}

/** Buckets with their cost; a report needs it several times. */
export interface PricedBucket {
  bucket: UsageBucket;
  cost: Cost;
}

export function pricedBuckets(buckets: readonly UsageBucket[], prices: PriceBook): PricedBucket[] {
  return buckets.map((bucket) => ({ bucket, cost: costOfBucket(bucket, prices) }));
}

/** The cost of one request. */
export function costOfReply(fact: PaidRequest, atMs: number | undefined, prices: PriceBook): Cost {
  const price = prices.priceOf({ model: fact.model ?? undefined, atMs, tier: fact.tier });
  return costFor(fact, price, promptOf(fact));
}

/** The size of a single request's whole prompt selects the tier. */
function costFor(counts: PaidCounts, price: PriceAnswer, prompt: number): Cost {
  if (price.kind === "unpriced") return price;
  const above = price.rates.above?.findLast(({ tokens }) => prompt > tokens);
  const applied = priceApplied(price, above);
  return { kind: "priced", money: costOf(counts, applied.rates), price: applied };
}

type FoundPrice = Extract<PriceAnswer, { kind: "priced" }>;

/** Few prices apply to very many requests, so the last one of each table entry is reused. */
const lastApplied = new WeakMap<Rates, { percent: number; pricedAs: string; to: PriceApplied }>();

function priceApplied(
  { pricedAs, rates: dated, percent }: FoundPrice,
  above: (Rates & { tokens: number }) | undefined,
): PriceApplied {
  const known = lastApplied.get(above ?? dated);
  if (known?.percent === percent && known.pricedAs === pricedAs) return known.to;
  // The price of a search does not depend on the size of the prompt.
  const rates = withPercent({ ...(above ?? dated), webSearches: dated.webSearches }, percent);
  const { from = null } = dated;
  const to = { model: pricedAs, from, aboveTokens: above?.tokens ?? null, rates };
  lastApplied.set(above ?? dated, { percent, pricedAs, to });
  return to;
}

function withPercent(rates: Rates, percent: number): AppliedRates {
  const share = (rate: number): number => Math.round((rate * percent) / 100);
  const { input, cached, output } = rates;
  return {
    input: share(input),
    cached: share(cached),
    cacheWrite5m: share(rates.cacheWrite5m ?? input),
    cacheWrite1h: share(rates.cacheWrite1h ?? 2 * input),
    output: share(output),
    thoughts: share(rates.thoughts ?? output),
    // Shares of service tiers apply to tokens only.
    webSearches: rates.webSearches ?? null,
  };
}

/** Exact: rounded for display only, after summing. */
export function costOf(counts: PaidCounts, rates: Rates | AppliedRates): Money {
  // Counts × micro-dollars per million = millionths of a micro-dollar.
  const products: readonly [number, number][] = [
    [counts.fresh, rates.input],
    [counts.cached ?? 0, rates.cached],
    [counts.cacheWrite5m ?? 0, rates.cacheWrite5m ?? rates.input],
    [counts.cacheWrite1h ?? 0, rates.cacheWrite1h ?? 2 * rates.input],
    [counts.output, rates.output],
    [counts.thoughts ?? 0, rates.thoughts ?? rates.output],
    [counts.webSearches ?? 0, rates.webSearches ?? 0],
  ];
  const exact = products.reduce((sum, [count, rate]) => sum + count * rate, 0);
  if (exact <= Number.MAX_SAFE_INTEGER) {
    // `%` is slow for large numbers; correct a quotient that was rounded up instead.
    const micro = Math.floor(exact / 1e6);
    const rest = exact - micro * 1e6;
    return rest < 0 ? { micro: micro - 1, rest: rest + 1e6 } : { micro, rest };
  }
  const large = products.reduce((sum, [count, rate]) => sum + BigInt(count) * BigInt(rate), 0n);
  return { micro: Number(large / 1_000_000n), rest: Number(large % 1_000_000n) };
}

export function addMoney(sum: Money, more: Money): void {
  sum.micro += more.micro;
  sum.rest += more.rest;
  if (sum.rest < 1e6) return;
  sum.micro += 1;
  sum.rest -= 1e6;
}

/** Whole micro-dollars; halves go up. */
export function roundMoney({ micro, rest }: Money): number {
  return rest >= 500_000 ? micro + 1 : micro;
}
