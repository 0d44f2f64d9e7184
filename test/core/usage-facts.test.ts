import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Counts } from "../../src/core/usage/counts.ts";
import type { SplitUsage } from "../../src/core/usage/usage-fact.ts";
import { cacheWriteOf, splitCounts, sumFacts } from "../../src/core/usage/usage-facts.ts";

type Recorded = Omit<Counts, "shape" | "reasoning">;

function splitBeside(recorded: Recorded): SplitUsage {
  return splitCounts({ shape: "cache-inside-input", reasoning: "beside-output", ...recorded });
}

describe("splitCounts, with the cache inside the input and thoughts beside the output,", () => {
  test.each<[string, Recorded, Partial<SplitUsage>]>([
    [
      "subtracts the cached part from the input and adds the tool-use prompt",
      { input: 1000, cached: 600, output: 20, thoughts: 30, tool: 7, total: 1057 },
      { input: 1000, fresh: 407, cached: 600, output: 20, thoughts: 30, tool: 7, total: 1057 },
    ],
    [
      "counts the remainder of the total as output",
      { input: 100, cached: 0, output: 0, thoughts: 10, tool: 0, total: 150 },
      { output: 40, total: 150, remainder: 40, oddities: ["remainder"] },
    ],
    [
      "detects thoughts that are already part of the output",
      { input: 100, cached: 0, output: 50, thoughts: 30, tool: 0, total: 150 },
      { output: 20, thoughts: 30, total: 150, oddities: ["thoughts-in-output"] },
    ],
    [
      "detects a tool-use prompt that is already part of the input",
      { input: 100, cached: 0, output: 50, thoughts: 0, tool: 30, total: 150 },
      { input: 70, fresh: 100, tool: 30, total: 150, oddities: ["tool-in-input"] },
    ],
    [
      "uses the sum of the parts if it exceeds the total without explanation",
      { input: 100, cached: 0, output: 50, thoughts: 0, tool: 0, total: 7 },
      { input: 100, output: 50, total: 150, oddities: ["total-below-parts"] },
    ],
    [
      "adds up the parts if no total was recorded",
      { input: 100, cached: 10, output: 50, thoughts: 5, tool: 0 },
      { total: 155, oddities: ["total-missing"] },
    ],
    [
      "adds up the parts if the recorded total is 0",
      { input: 100, cached: 10, output: 50, thoughts: 5, tool: 0, total: 0 },
      { total: 155, oddities: ["total-zero"] },
    ],
    [
      "counts the total as input if neither input nor output is known",
      { total: 105 },
      { input: 105, output: 0, remainder: 0, oddities: ["part-missing", "input-from-total"] },
    ],
    [
      "limits the cached part to the input",
      { input: 100, cached: 300, output: 50, thoughts: 0, tool: 0, total: 150 },
      { cached: 100, fresh: 0, total: 150, oddities: ["cached-above-input"] },
    ],
    [
      "detects an input recorded without its cached part",
      { input: 100, cached: 300, output: 50, thoughts: 0, tool: 0, total: 450 },
      { input: 400, cached: 300, fresh: 100, total: 450, oddities: ["cached-beside-input"] },
    ],
    [
      "derives a missing input from the total",
      { cached: 40, output: 50, thoughts: 0, tool: 0, total: 450 },
      { input: 400, fresh: 360, output: 50, oddities: ["part-missing", "input-from-total"] },
    ],
    [
      "leaves parts that were not recorded unknown",
      { input: 100, output: 50, total: 150 },
      { cached: null, thoughts: null, tool: null, total: 150 },
    ],
    [
      "reports implausibly large counts",
      { input: 90_000_000, cached: 0, output: 1, thoughts: 0, tool: 0, total: 90_000_001 },
      { total: 90_000_001, oddities: ["implausible"] },
    ],
  ])("%s", (_what, usage, expected) => {
    expect(splitBeside(usage)).toMatchObject(expected);
  });

  test("reports no oddity for counts that add up", () => {
    const split = splitBeside({ input: 9, cached: 1, output: 2, thoughts: 3, tool: 4, total: 18 });
    expect(split.oddities).toBeUndefined();
  });

  const counts = fc.nat({ max: 1e12 });
  const usages = fc.record(
    {
      input: counts,
      cached: counts,
      output: counts,
      thoughts: counts,
      tool: counts,
      total: counts,
    },
    { requiredKeys: [] },
  );

  test("returns parts that add up and are not negative, for any input", () => {
    fc.assert(
      fc.property(usages, (usage) => {
        const { input, fresh, cached, output, thoughts, tool, total } = splitBeside(usage);
        expect(fresh + (cached ?? 0) + output + (thoughts ?? 0)).toBe(total);
        expect(input - (cached ?? 0) + (tool ?? 0)).toBe(fresh);
        for (const count of [input, fresh, cached ?? 0, output, thoughts ?? 0, tool ?? 0, total]) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        }
      }),
    );
  });

  test("reports an oddity whenever counts do not add up", () => {
    fc.assert(
      fc.property(usages, (usage) => {
        const { input = 0, cached = 0, output = 0, thoughts = 0, tool = 0, total = 0 } = usage;
        const isPlain = cached <= input && total === input + output + thoughts + tool;
        const isWhole = "input" in usage && "output" in usage && "total" in usage;
        const { oddities = [] } = splitBeside(usage);
        const named = oddities.filter((oddity) => oddity !== "implausible");
        expect(named.length > 0).toBe(!isPlain || !isWhole || total === 0);
      }),
    );
  });
});

describe("counts with the cache beside the input", () => {
  const anthropic = { shape: "cache-beside-input", reasoning: "inside-output" } as const;

  test("sum fresh tokens, cache reads and cache writes to the input", () => {
    const counts = { input: 4, cached: 20_000, cacheWrite5m: 50, cacheWrite1h: 7, output: 100 };
    expect(splitCounts({ ...anthropic, ...counts })).toEqual({
      input: 20_061,
      fresh: 4,
      cached: 20_000,
      cacheWrite5m: 50,
      cacheWrite1h: 7,
      output: 100,
      thoughts: null,
      tool: null,
      total: 20_161,
      webSearches: null,
      remainder: 0,
    });
  });

  test("need no total", () => {
    const { total, oddities } = splitCounts({ ...anthropic, input: 1, output: 2 });
    expect([total, oddities]).toEqual([3, undefined]);
  });
});

describe("thoughts inside the output", () => {
  const openai = { shape: "cache-inside-input", reasoning: "inside-output" } as const;

  test("are subtracted from the output and counted once", () => {
    const counts = { input: 100, cached: 60, output: 50, thoughts: 30, total: 150 };
    expect(splitCounts({ ...openai, ...counts })).toMatchObject({
      fresh: 40,
      cached: 60,
      output: 20,
      thoughts: 30,
      total: 150,
    });
  });

  test("are limited to the output", () => {
    const split = splitCounts({ ...openai, input: 1, output: 5, thoughts: 9, total: 6 });
    expect(split).toMatchObject({ output: 0, thoughts: 5, oddities: ["thoughts-above-output"] });
  });
});

const anyCounts = fc.record(
  {
    shape: fc.constantFrom("cache-inside-input", "cache-beside-input"),
    reasoning: fc.constantFrom("inside-output", "beside-output"),
    input: fc.nat({ max: 1e9 }),
    cached: fc.nat({ max: 1e9 }),
    cacheWrite5m: fc.nat({ max: 1e9 }),
    cacheWrite1h: fc.nat({ max: 1e9 }),
    output: fc.nat({ max: 1e9 }),
    thoughts: fc.nat({ max: 1e9 }),
    tool: fc.nat({ max: 1e9 }),
    total: fc.nat({ max: 1e10 }),
  },
  { requiredKeys: ["shape", "reasoning"] },
) as fc.Arbitrary<Counts>;

test("splitCounts returns parts that add up and are not negative, for any shape", () => {
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const split = splitCounts(counts);
      const { input, fresh, output, total } = split;
      const [cached, thoughts, tool] = [split.cached ?? 0, split.thoughts ?? 0, split.tool ?? 0];
      const written = cacheWriteOf(split) ?? 0;
      expect(fresh + cached + written + output + thoughts).toBe(total);
      expect(input - cached - written + tool).toBe(fresh);
      for (const count of [input, fresh, cached, output, thoughts, tool, total]) {
        expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

test("sumFacts gives null only if every value is unknown", () => {
  const first = splitBeside({ input: 10, output: 1, total: 11 });
  const second = splitBeside({ input: 10, cached: 4, output: 1, total: 11 });
  expect(sumFacts([first, second])).toEqual({
    input: 20,
    cached: 4,
    cacheWrite: null,
    output: 2,
    thoughts: null,
    tool: null,
    total: 22,
  });
});
