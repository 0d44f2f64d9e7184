import fc from "fast-check";
import { expect, test } from "vitest";
import { costOf } from "../../src/queries/cost.ts";

const count = fc.nat(2_000_000_000);
const rate = fc.nat(100_000_000);

test("costs are exact to the last millionth, however large they are", () => {
  const counts = fc.record({ fresh: count, cached: count, output: count, thoughts: count });
  const rates = fc.record({ input: rate, cached: rate, output: rate });
  const cases = fc.property(counts, rates, (used, price) => {
    const written = BigInt(used.output + used.thoughts) * BigInt(price.output);
    const read = BigInt(used.fresh) * BigInt(price.input);
    const exact = read + BigInt(used.cached) * BigInt(price.cached) + written;
    const { micro, rest } = costOf({ ...used, input: used.fresh + used.cached }, price);
    expect(BigInt(micro) * 1_000_000n + BigInt(rest)).toBe(exact);
  });
  fc.assert(cases, { numRuns: 500 });
});

test("a whole micro-dollar leaves no rest", () => {
  const used = { input: 0, fresh: 0, cached: 0, output: 9_007_199_254, thoughts: 0 };
  const price = { input: 0, cached: 0, output: 1_000_000 };
  expect(costOf(used, price)).toEqual({ micro: 9_007_199_254, rest: 0 });
});
