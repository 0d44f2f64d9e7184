import fc from "fast-check";
import { expect, test } from "vitest";
import { costOf } from "../../src/queries/prices/cost.ts";

const NONE = {
  fresh: 0,
  cached: null,
  cacheWrite5m: null,
  cacheWrite1h: null,
  output: 0,
  thoughts: null,
  webSearches: null,
};

const count = fc.nat(2_000_000_000);
const rate = fc.nat(100_000_000);

test("costs are exact to the last millionth for any size", () => {
  const counts = fc.record({
    fresh: count,
    cached: fc.option(count),
    cacheWrite5m: fc.option(count),
    cacheWrite1h: fc.option(count),
    output: count,
    thoughts: fc.option(count),
    webSearches: fc.option(count),
  });
  const rates = fc.record({
    input: rate,
    cached: rate,
    cacheWrite5m: rate,
    cacheWrite1h: rate,
    output: rate,
    thoughts: rate,
    webSearches: fc.nat(1_000_000_000_000),
  });
  const times = (tokens: number | null, price: number): bigint =>
    BigInt(tokens ?? 0) * BigInt(price);
  const cases = fc.property(counts, rates, (used, price) => {
    const written = times(used.output, price.output) + times(used.thoughts, price.thoughts);
    const read = times(used.fresh, price.input) + times(used.cached, price.cached);
    const kept =
      times(used.cacheWrite5m, price.cacheWrite5m) + times(used.cacheWrite1h, price.cacheWrite1h);
    const exact = read + kept + written + times(used.webSearches, price.webSearches);
    const { micro, rest } = costOf(used, price);
    expect(BigInt(micro) * 1_000_000n + BigInt(rest)).toBe(exact);
  });
  fc.assert(cases, { numRuns: 500 });
});

test("a whole micro-dollar leaves no remainder", () => {
  const used = { ...NONE, output: 9_007_199_254 };
  const price = { input: 0, cached: 0, output: 1_000_000 };
  expect(costOf(used, price)).toEqual({ micro: 9_007_199_254, rest: 0 });
});

test("a one-hour cache write costs twice the input price if the table has no price for it", () => {
  const price = { input: 3_000_000, cached: 300_000, output: 15_000_000 };
  expect(costOf({ ...NONE, cacheWrite1h: 100 }, price).micro).toBe(600);
  expect(costOf({ ...NONE, cacheWrite5m: 100 }, price).micro).toBe(300);
});
