import type { UsageBucket } from "../../core/usage/usage-fact.ts";
import type { BucketQuery } from "../store.ts";
import type { ReplyTable } from "./table.ts";
import { columnAt } from "./table.ts";

const MODEL = columnAt("model");
const TIER = columnAt("tier");
const PROMPT = columnAt("prompt");

/** Everything a price depends on. */
export type PriceClass = Pick<UsageBucket, "model" | "promptClass" | "pricePeriod" | "tier">;

/** Numbers the price classes; the numbers are the same in all parts. */
export class PriceClasses {
  readonly #query: Pick<BucketQuery, "thresholds" | "priceDates">;
  readonly #rates: Pick<PriceClass, "model" | "tier">[] = [];
  readonly #rateNumbers = new Map<string, number>();

  constructor(query: Pick<BucketQuery, "thresholds" | "priceDates">) {
    this.#query = query;
  }

  /** Returns a function that gives a reply's class number; the reply's numbers begin at `at`. */
  finder({ numbers, names }: ReplyTable): (at: number, atMs: number | undefined) => number {
    const { thresholds, priceDates } = this.#query;
    const list = [...names.keys()];
    const rates = list.map(() => new Map<number, number>());
    return (at, atMs) => {
      const model = numbers[at + MODEL] ?? 0;
      const tier = numbers[at + TIER] ?? 0;
      let rate = rates[model]?.get(tier);
      if (rate === undefined) {
        rate = this.#rateOf(list[model] ?? null, list[tier] ?? null);
        rates[model]?.set(tier, rate);
      }
      const prompt = numbers[at + PROMPT] ?? 0;
      let promptClass = 0;
      for (const size of thresholds) if (prompt > size) promptClass += 1;
      let period = 0;
      if (atMs !== undefined) period = 1 + countPassed(priceDates, atMs);
      return (rate * (thresholds.length + 1) + promptClass) * (priceDates.length + 2) + period;
    };
  }

  meaningOf(number: number): PriceClass {
    const { thresholds, priceDates } = this.#query;
    const periods = priceDates.length + 2;
    const period = number % periods;
    const rest = Math.floor(number / periods);
    const { model = null, tier = null } =
      this.#rates[Math.floor(rest / (thresholds.length + 1))] ?? {};
    const promptClass = rest % (thresholds.length + 1);
    return { model, promptClass, pricePeriod: period === 0 ? null : period - 1, tier };
  }

  #rateOf(model: string | null, tier: string | null): number {
    const key = JSON.stringify([model, tier]);
    const known = this.#rateNumbers.get(key) ?? this.#rates.push({ model, tier }) - 1;
    this.#rateNumbers.set(key, known);
    return known;
  }
}

function countPassed(dates: readonly number[], atMs: number): number {
  let passed = 0;
  for (const date of dates) if (atMs >= date) passed += 1;
  return passed;
}
