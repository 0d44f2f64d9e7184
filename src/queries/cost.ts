import type { SplitUsage } from "../core/usage-fact.ts";
import type { DatedRates, Rates } from "./prices.ts";

type Counts = Pick<SplitUsage, "input" | "fresh" | "cached" | "output" | "thoughts">;

/** An exact amount of money: whole micro-dollars, and millionths of one. */
export interface Money {
  micro: number;
  rest: number;
}

/** What one request cost. Exact: it is rounded when it is told, not before it is added up. */
export function costOf(counts: Counts, rates: DatedRates): Money {
  const { input, cached, output } = tierOf(counts, rates);
  const written = counts.output + counts.thoughts;
  // Tokens × micro-dollars per million tokens = millionths of a micro-dollar.
  const exact = counts.fresh * input + counts.cached * cached + written * output;
  if (exact <= Number.MAX_SAFE_INTEGER) {
    // The remainder of large numbers is slow; a quotient that was rounded up is put right.
    const micro = Math.floor(exact / 1e6);
    const rest = exact - micro * 1e6;
    return rest < 0 ? { micro: micro - 1, rest: rest + 1e6 } : { micro, rest };
  }
  const [fresh = 0n, kept = 0n, out = 0n] = [counts.fresh, counts.cached, written].map(BigInt);
  const large = fresh * BigInt(input) + kept * BigInt(cached) + out * BigInt(output);
  return { micro: Number(large / 1_000_000n), rest: Number(large % 1_000_000n) };
}

/** The tier is decided by the whole prompt of the one request, cached part included. */
export function tierOf(counts: Pick<Counts, "input">, rates: DatedRates): Rates {
  return rates.above && counts.input > rates.above.tokens ? rates.above : rates;
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
