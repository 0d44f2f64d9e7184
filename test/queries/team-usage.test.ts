import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UsageBucket } from "../../src/core/usage-fact.ts";
import {
  planTeamUsage,
  reportTeamUsage,
  withoutSmallGroups,
} from "../../src/queries/team-usage.ts";
import { PriceBook } from "../../src/queries/prices.ts";

function bucketOf(keys: readonly string[], requests: number): UsageBucket {
  const tokens = { input: 1, fresh: 1, cached: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  return {
    groups: keys.map((key) => ({ key })),
    model: null,
    promptClass: 0,
    pricePeriod: 0,
    tier: null,
    requests,
    atLeast: 0,
    odd: 0,
    tokens: { ...tokens, output: 1, thoughts: 0, tool: 0, total: 2 },
  };
}

const groupsOfPeople = fc.uniqueArray(
  fc.record({
    key: fc.string(),
    people: fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 12 }),
  }),
  { selector: ({ key }) => key, maxLength: 8 },
);

describe("usage of many", () => {
  test("tells no group of fewer people, and nothing that adds up to one", () => {
    fc.assert(
      fc.property(groupsOfPeople, fc.integer({ min: 1, max: 8 }), (groups, smallest) => {
        const buckets = groups.map(({ key, people }) => bucketOf([key], people.length));
        const people = groups.map(({ key, people: all }) => ({ groups: [key], people: all }));
        const told = withoutSmallGroups({ buckets, people }, smallest);
        for (const bucket of told.buckets) {
          const key = JSON.stringify(bucket.groups.map((group) => group.key));
          expect(told.people.get(key)?.size ?? 0).toBeGreaterThanOrEqual(smallest);
        }
        const sum = (list: readonly UsageBucket[]): number => {
          return list.reduce((all, { requests }) => all + requests, 0);
        };
        // All or nothing: what is left out would be the difference to a total.
        expect([0, sum(buckets)]).toContain(sum(told.buckets));
      }),
    );
  });

  test("names months and adds up", () => {
    const prices = new PriceBook();
    const asked = {
      by: ["month", "team"] as const,
      sinceMs: Date.UTC(2026, 3, 1),
      untilMs: Date.UTC(2026, 5, 1),
      timezone: "UTC",
    };
    const plan = planTeamUsage(asked, prices);
    expect(plan.by).toEqual(["range", "team"]);
    const people = [1, 2, 3, 4, 5];
    const answer = {
      buckets: [bucketOf(["0", "red"], 7), bucketOf(["1", "red"], 2)],
      people: [
        { groups: ["0", "red"], people },
        { groups: ["1", "red"], people: [1] },
      ],
    };
    const report = reportTeamUsage(asked, answer, { prices, smallestGroup: 5 });
    expect(report.rows).toMatchObject([
      { groups: [{ key: "small groups" }, { key: "small groups" }], people: 5, requests: 9 },
    ]);
    const open = reportTeamUsage(asked, answer, { prices, smallestGroup: 1 });
    expect(open.rows.map(({ groups, requests }) => [groups[0]?.key, requests])).toEqual([
      ["2026-04", 7],
      ["2026-05", 2],
    ]);
  });
});
