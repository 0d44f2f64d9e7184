import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UsageBucket } from "../../src/core/usage/usage-fact.ts";
import { PriceBook } from "../../src/queries/prices/prices.ts";
import type { TeamUsageRequest } from "../../src/queries/team/team-usage-table.ts";
import type { TeamUsageReport } from "../../src/queries/team/team-usage.ts";
import { SMALL } from "../../src/queries/team/team-usage-table.ts";
import { planTeamUsage, reportTeamUsage, withNames } from "../../src/queries/team/team-usage.ts";

const prices = new PriceBook();
const NOW = Date.UTC(2026, 10, 16, 9);

/** One request of a person; the model's first letter is its agent. */
interface Did {
  person: number;
  project: string;
  model: string;
  month: number;
}

const did: fc.Arbitrary<Did> = fc.record({
  person: fc.nat(9),
  project: fc.constantFrom("p", "q", "r"),
  model: fc.constantFrom("a-1", "a-2", "a-3", "b-1", "b-2"),
  month: fc.nat(1),
});
const work = fc.array(did, { maxLength: 30 });

/** Answers like a store; each request is one bit of `requests`. */
function answered(
  all: readonly Did[],
  asked: TeamUsageRequest,
  smallestGroup: number,
): TeamUsageReport {
  const telling = { smallestGroup, nowMs: NOW };
  const { by, ranges = [], filter } = planTeamUsage(asked, prices, telling);
  const entries = all.flatMap((one, at) => {
    const ms = Date.UTC(2026, one.month, 15);
    if (ms < (filter.sinceMs ?? 0) || ms >= (filter.untilMs ?? 0)) return [];
    const range = ranges.findIndex(
      (each) => each !== "timeless" && each.from <= ms && ms < each.to,
    );
    const keys: Record<string, string> = {
      range: String(range),
      project: one.project,
      model: one.model,
      source: one.model.slice(0, 1),
      person: String(one.person),
    };
    return [{ person: one.person, requests: 2 ** at, groups: by.map((key) => keys[key] ?? "") }];
  });
  const whose = new Map<string, { groups: string[]; people: number[] }>();
  for (const { groups, person } of entries) {
    const entry = whose.get(groups.join()) ?? { groups, people: [] };
    entry.people.push(person);
    whose.set(groups.join(), entry);
  }
  const buckets = entries.map(({ groups, requests }) => bucketOf(groups, requests));
  return reportTeamUsage(asked, { buckets, people: [...whose.values()] }, { prices, ...telling });
}

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
    tokens: { ...tokens, output: 1, thoughts: 0, tool: 0, total: 2, webSearches: null },
  };
}

const JANUARY = { sinceMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2026, 1, 1) };
const BOTH = { sinceMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2026, 2, 1) };
const PARTS = ["project", "agent", "model"] as const;
type Parts = readonly (typeof PARTS)[number][];
const FORMS: readonly Parts[] = [
  [],
  ["project"],
  ["agent"],
  ["model"],
  ["project", "agent"],
  ["project", "model"],
  ["agent", "model"],
  ["project", "agent", "model"],
];

/** The bits of each group that is shown separately, by its keys. */
function toldBy(all: readonly Did[], by: Parts, smallest: number): Map<string, number> {
  const { rows } = answered(all, { by, ...JANUARY }, smallest);
  const own = rows.filter(({ groups }) => groups.every(({ key }) => key !== SMALL));
  return new Map(
    own.map((row) => [
      keyOf(
        by,
        row.groups.map(({ key }) => key),
      ),
      row.requests,
    ]),
  );
}

function keyOf(by: Parts, keys: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(by.map((part, at) => [part, keys[at]])));
}

function isPartOf(coarse: string, fine: string): boolean {
  const [outer, inner] = [coarse, fine].map((text) => JSON.parse(text) as Record<string, string>);
  return Object.entries(outer ?? {}).every(([part, key]) => inner?.[part] === key);
}

/** The people behind the bits. */
function peopleOf(all: readonly Did[], bits: number): Set<number> {
  return new Set(
    all.filter((_, at) => Math.floor(bits / 2 ** at) % 2 === 1).map((one) => one.person),
  );
}

describe("team usage", () => {
  test("shows no group of too few people, directly or by subtraction", () => {
    fc.assert(
      fc.property(work, fc.integer({ min: 2, max: 4 }), (all, smallest) => {
        const told = FORMS.map((by) => ({ by, groups: toldBy(all, by, smallest) }));
        for (const { by, groups } of told) {
          for (const [key, bits] of groups) {
            expect(peopleOf(all, bits).size).toBeGreaterThanOrEqual(smallest);
            for (const finer of told.filter((one) => by.every((part) => one.by.includes(part)))) {
              const parts = [...finer.groups].filter(([part]) => isPartOf(key, part));
              if (finer.by === by) continue;
              const left = bits - parts.reduce((sum, [, some]) => sum + some, 0);
              const few = peopleOf(all, left).size;
              expect(few === 0 || few >= smallest, `${key} without its ${finer.by.join()}`).toBe(
                true,
              );
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("with a filter shows the same as the group of that name", () => {
    fc.assert(
      fc.property(work, fc.constantFrom("p", "q"), (all, project) => {
        const smallest = 3;
        const groups = toldBy(all, ["project", "model"], smallest);
        const narrow = answered(all, { by: ["model"], project, ...JANUARY }, smallest);
        for (const {
          groups: [model],
          requests,
        } of narrow.rows) {
          if (model?.key === SMALL) continue;
          expect(requests).toBe(groups.get(JSON.stringify({ project, model: model?.key })));
        }
        const alone = toldBy(all, ["project"], smallest).get(JSON.stringify({ project }));
        expect(narrow.totals?.requests).toBe(alone);
      }),
    );
  });

  test("of two periods differs by whole months, each shown or withheld", () => {
    fc.assert(
      fc.property(work, (all) => {
        const sum = (span: typeof JANUARY): number => {
          return answered(all, { by: [], ...span }, 3).totals?.requests ?? 0;
        };
        const february = { sinceMs: JANUARY.untilMs, untilMs: BOTH.untilMs };
        expect(sum(BOTH)).toBe(sum(JANUARY) + sum(february));
        const inside = { sinceMs: Date.UTC(2026, 0, 20), untilMs: Date.UTC(2026, 1, 3) };
        expect(sum(inside)).toBe(sum(BOTH));
      }),
    );
  });

  test("treats one day of another month as that month", () => {
    const short = { sinceMs: Date.UTC(2026, 1, 1), untilMs: Date.UTC(2026, 2, 2) };
    const telling = { smallestGroup: 5, nowMs: Date.UTC(2026, 2, 2, 9) };
    expect(planTeamUsage({ by: ["team"], ...short }, prices, telling)).toMatchObject({
      by: ["range", "team"],
      ranges: [{}, {}, "timeless"],
    });
  });

  test("withholds a team of five after one person has left", () => {
    const of = (people: number, month: number): Did[] => {
      return Array.from({ length: people }, (_, person) => {
        return { person, month, project: "p", model: "a-1" };
      });
    };
    const all = [...of(5, 0), ...of(4, 1)];
    const { rows, isWithheld } = answered(all, { by: ["month"], ...BOTH }, 5);
    expect(rows.map(({ groups, people }) => [groups[0]?.key, people])).toEqual([["2026-01", 5]]);
    expect(isWithheld).toBe(true);
  });

  test("excludes today, and shows single people if the policy allows it", () => {
    const all: Did[] = [{ person: 1, month: 10, project: "p", model: "a-1" }];
    const november = { sinceMs: Date.UTC(2026, 10, 1), untilMs: NOW };
    const strict = answered(all, { by: ["person"], ...november }, 5);
    expect(strict).toMatchObject({ rows: [], totals: null, isWithheld: true });
    expect(strict.period.until).toBe("2026-11-16T00:00:00.000Z");
    const open = answered(all, { by: ["person"], timezone: "Asia/Tokyo", ...november }, 1);
    expect(open).toMatchObject({
      isWithheld: false,
      rows: [{ groups: [{ key: "1" }], people: 1 }],
    });
    expect(open.period).toMatchObject({
      until: "2026-11-16T09:00:00.000Z",
      timezone: "Asia/Tokyo",
    });
    const other = answered(all, { by: ["month"], person: "2", ...november }, 1);
    expect(other).toMatchObject({ rows: [], isWithheld: false });
  });
});

test("team usage has names of people, except those who left", () => {
  const all: Did[] = [1, 2].map((person) => ({ person, project: "p", model: "a-1", month: 0 }));
  const period = { sinceMs: 0, untilMs: NOW };
  const report = answered(all, { by: ["person"], ...period }, 1);
  const people = [
    { id: 1, name: "Ada" },
    { id: 2, name: "Bob", leftMs: 5 },
  ];
  const labels = withNames(report, people).rows.map(({ groups }) => groups[0]?.label);
  expect(new Set(labels)).toEqual(new Set(["Ada", "former member (2)"]));
});

test("team usage is in order of months, whatever the store's order", () => {
  const all: Did[] = [1, 0, 1, 0].map((month, person) => {
    return { person, project: "p", model: "a-1", month };
  });
  const report = answered(all, { by: ["month"], sinceMs: 0, untilMs: NOW }, 1);
  expect(report.rows.map(({ groups }) => groups[0]?.key)).toEqual(["2026-01", "2026-02"]);
});
