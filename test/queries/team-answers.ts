import fc from "fast-check";
import type { UsageBucket } from "../../src/core/usage/usage-fact.ts";
import { PriceBook } from "../../src/queries/prices/prices.ts";
import type { TeamUsageRequest } from "../../src/queries/team/team-usage-table.ts";
import { SMALL } from "../../src/queries/team/team-usage-table.ts";
import type { TeamUsageReport } from "../../src/queries/team/team-usage.ts";
import { planTeamUsage, reportTeamUsage } from "../../src/queries/team/team-usage.ts";

export const prices: PriceBook = new PriceBook();
export const NOW: number = Date.UTC(2026, 10, 16, 9);

/** One request of a person; the model's first letter is its agent. */
export interface Did {
  person: number;
  project: string;
  model: string;
  month: number;
  day?: number;
}

const did: fc.Arbitrary<Did> = fc.record({
  person: fc.nat(9),
  project: fc.constantFrom("p", "q", "r"),
  model: fc.constantFrom("a-1", "a-2", "a-3", "b-1", "b-2"),
  month: fc.nat(1),
});
export const work: fc.Arbitrary<Did[]> = fc.array(did, { maxLength: 30 });
/** Dense tables, where cells of enough people are hidden with small ones. */
export const much: fc.Arbitrary<Did[]> = fc.array(did, { minLength: 30, maxLength: 50 });

/** Teams of the people, by number; some people are in several, some in none. */
const TEAMS = [[], ["x"], ["x", "y"], ["y"], ["x", "y", "z"], ["z"], ["x"], ["x"], ["y"], []];

/** Answers like a store; each request is one bit of `requests`. */
export function answered(
  all: readonly Did[],
  asked: TeamUsageRequest,
  smallestGroup: number,
): TeamUsageReport {
  const telling = { smallestGroup, nowMs: NOW };
  const { by, ranges = [], filter } = planTeamUsage(asked, prices, telling);
  const entries = all.flatMap((entry, at) => {
    const ms = Date.UTC(2026, entry.month, entry.day ?? 15);
    if (ms < (filter.sinceMs ?? 0) || ms >= (filter.untilMs ?? 0)) return [];
    const range = ranges.findIndex(
      (each) => each !== "timeless" && each.from <= ms && ms < each.to,
    );
    const keys: Record<string, string> = {
      range: String(range),
      project: entry.project,
      model: entry.model,
      source: entry.model.slice(0, 1),
      person: String(entry.person),
      team: JSON.stringify(TEAMS[entry.person]),
    };
    return [{ person: entry.person, requests: 2 ** at, groups: by.map((key) => keys[key] ?? "") }];
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

export const JANUARY: { sinceMs: number; untilMs: number } = {
  sinceMs: Date.UTC(2026, 0, 1),
  untilMs: Date.UTC(2026, 1, 1),
};
export const BOTH: typeof JANUARY = {
  sinceMs: Date.UTC(2026, 0, 1),
  untilMs: Date.UTC(2026, 2, 1),
};
const PARTS = ["project", "agent", "model"] as const;
export type Parts = readonly (typeof PARTS)[number][];
export const FORMS: readonly Parts[] = [
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
export function shownBy(all: readonly Did[], by: Parts, smallest: number): Map<string, number> {
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

export function isPartOf(coarse: string, fine: string): boolean {
  const [outer, inner] = [coarse, fine].map((text) => JSON.parse(text) as Record<string, string>);
  return Object.entries(outer ?? {}).every(([part, key]) => inner?.[part] === key);
}

/** The people behind the bits. */
export function peopleOf(all: readonly Did[], bits: number): Set<number> {
  return new Set(
    all.filter((_, at) => Math.floor(bits / 2 ** at) % 2 === 1).map((entry) => entry.person),
  );
}
