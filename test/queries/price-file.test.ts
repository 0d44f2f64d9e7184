import { describe, expect, test } from "vitest";
import { PolluxError } from "../../src/core/error.ts";
import { parsePrices } from "../../src/queries/prices/price-file.ts";
import type { PriceAnswer } from "../../src/queries/prices/prices.ts";
import { PriceBook } from "../../src/queries/prices/prices.ts";

const book = new PriceBook();
const NOV = "2026-11-15T12:00:00.000Z";

function priceOf(prices: PriceBook, model: string, at: string = NOV): PriceAnswer {
  return prices.priceOf({ model, atMs: Date.parse(at) });
}

describe("the user's own prices", () => {
  const parse = (models: unknown): PriceBook => {
    const table = parsePrices(JSON.stringify({ models }), "mine.json");
    return new PriceBook({ table, file: "mine.json" });
  };

  test("take precedence over the bundled ones and leave other models alone", () => {
    const own = parse({ "gemini-2.5-pro": { input: 1, output: 2 } });
    expect(priceOf(own, "models/gemini-2.5-pro", NOV)).toEqual({
      kind: "priced",
      pricedAs: "gemini-2.5-pro",
      rates: { input: 1_000_000, cached: 1_000_000, output: 2_000_000 },
      percent: 100,
    });
    expect(priceOf(own, "gemini-2.5-flash", NOV)).toEqual(priceOf(book, "gemini-2.5-flash"));
    expect(own.from.ownFile).toBe("mine.json");
  });

  test("may start on a date, in any order", () => {
    const own = parse({
      mine: [
        { from: "2026-07-01", input: 2, output: 2 },
        { from: "2026-01-01", input: 1, output: 1 },
      ],
    });
    const input = (at: string): number | undefined => {
      const price = priceOf(own, "mine", at);
      return price.kind === "priced" ? price.rates.input : undefined;
    };
    expect(input("2025-12-31T00:00:00Z")).toBeUndefined();
    expect(input("2026-06-30T23:59:59Z")).toBe(1_000_000);
    expect(input("2026-07-01T00:00:00Z")).toBe(2_000_000);
  });

  test("may alias a model, and cyclic aliases end without a price", () => {
    expect(priceOf(parse({ fast: { as: "gemini-2.5-flash" } }), "fast")).toMatchObject({
      pricedAs: "gemini-2.5-flash",
    });
    const loop = parse({ "gemini-3.5-flash": { as: "gemini-3-flash" } });
    expect(priceOf(loop, "gemini-3.5-flash", NOV).kind).toBe("unpriced");
  });

  test.each<[string, string]>([
    ["{", "not JSON"],
    ["[]", "not a JSON object"],
    ["{}", '"models"'],
    ['{"models": {"m": 3}}', "not an object"],
    ['{"models": {"m": {"input": "1", "output": 1}}}', '"input" of "m"'],
    ['{"models": {"m": {"input": -1, "output": 1}}}', '"input" of "m"'],
    ['{"models": {"m": {"input": 1}}}', '"output" of "m"'],
    ['{"models": {"m": {"input": 1, "output": 1, "from": "soon"}}}', '"from" of "m"'],
    ['{"models": {"m": {"input": 1, "output": 1, "above": 3}}}', '"above" of "m"'],
    ['{"models": {"m": {"input": 1, "output": 1, "above": {"input": 1, "output": 1}}}}', "tokens"],
    ['{"models": {"a": {"as": "b"}, "b": {"as": "a"}}}', "is an alias of"],
  ])("are refused with a message: %s", (text, part) => {
    expect(() => parsePrices(text, "mine.json")).toThrow(PolluxError);
    expect(() => parsePrices(text, "mine.json")).toThrow(part);
  });
});

test("a file may have several thresholds in any order, and prices for cache writes", () => {
  const rates = { input: 1, cached: 0.1, cacheWrite5m: 1.25, cacheWrite1h: 2, output: 5 };
  const dearer = { input: 2, output: 10 };
  const models = {
    mine: {
      ...rates,
      above: [
        { tokens: 500_000, ...dearer },
        { tokens: 100_000, ...dearer },
      ],
    },
  };
  const table = parsePrices(JSON.stringify({ models }), "mine.json");
  const price = priceOf(new PriceBook({ table, file: "mine.json" }), "mine");
  expect(price).toMatchObject({
    rates: {
      cacheWrite5m: 1_250_000,
      cacheWrite1h: 2_000_000,
      above: [{ tokens: 100_000 }, { tokens: 500_000 }],
    },
  });
});
