import { optional } from "../core/optional.ts";
import type { Group, UsageBucket, UsageBuckets } from "../core/usage-fact.ts";
import { Calendar, QUARTER_MS } from "./calendar.ts";
import { costOfBucket } from "./cost.ts";
import type { Grouping, StoredGrouping } from "./groupings.ts";
import { isPeriod, storedGrouping } from "./groupings.ts";
import type { BucketPlan, GroupPlan } from "./ledger.ts";
import { bucketPlan, planGroups } from "./ledger.ts";
import type { PriceBook } from "./prices.ts";
import type { Sums } from "./tally.ts";
import { Tally } from "./tally.ts";

export const TEAM_GROUPINGS = [
  "day",
  "week",
  "month",
  "team",
  "person",
  "project",
  "agent",
  "model",
] as const;
export type TeamGrouping = (typeof TEAM_GROUPINGS)[number];

export interface TeamUsageAsked {
  by: readonly TeamGrouping[];
  sinceMs: number;
  untilMs: number;
  timezone?: string;
  /** Only of these. */
  team?: string;
  project?: string;
  source?: string;
  model?: string;
}

export interface TeamUsagePlan extends Omit<BucketPlan, "by"> {
  by: readonly (StoredGrouping | "team" | "person")[];
  team?: string;
}

/** Usage of many; of each group at least so many people that nobody is told by it. */
export interface TeamUsageReport {
  by: string;
  period: { since: string; until: string; timezone: string };
  rows: TeamUsageRow[];
  totals: (Omit<Sums, "sessions"> & { people: number }) | null;
  /** Groups of fewer people are told together, or not at all. */
  smallestGroup: number;
  /** There is usage of too few people to be told, even together. */
  isWithheld: boolean;
}

export interface TeamUsageRow extends Omit<Sums, "sessions"> {
  groups: Group[];
  people: number;
}

const DAY_MS = 86_400_000;

/** What a store has to be asked. */
export function planTeamUsage(asked: TeamUsageAsked, prices: PriceBook): TeamUsagePlan {
  const { by, team, project, source, model } = asked;
  const { ranges } = groupsOf(asked);
  const named = {
    ...optional("project", project),
    ...optional("source", source),
    ...optional("model", model),
  };
  // Sums know quarters of an hour, and single replies are not for others to see.
  const sinceMs = Math.floor(asked.sinceMs / QUARTER_MS) * QUARTER_MS;
  const untilMs = Math.ceil(asked.untilMs / QUARTER_MS) * QUARTER_MS;
  const filter = { ...named, sinceMs, untilMs };
  const plan = bucketPlan(filter, prices, ranges ? { ranges } : {});
  return {
    ...plan,
    ...optional("team", team),
    by: by.map((key) => (isOfPeople(key) ? key : storedGrouping(key))),
  };
}

function isOfPeople(key: TeamGrouping): key is "team" | "person" {
  return key === "team" || key === "person";
}

/** The periods among the groupings; at most one of them. */
function groupsOf({ by, sinceMs, untilMs, timezone }: TeamUsageAsked): GroupPlan {
  const periods = by.filter((key): key is Grouping & TeamGrouping => isPeriod(key as Grouping));
  const [first, last] = [Math.floor(sinceMs / DAY_MS), Math.floor(untilMs / DAY_MS)];
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  return planGroups(periods.slice(0, 1), new Calendar(timezone), days);
}

type Answer = Pick<UsageBuckets, "buckets"> & {
  people: readonly { groups: readonly string[]; people: readonly number[] }[];
};

export function reportTeamUsage(
  asked: TeamUsageAsked,
  answer: Answer,
  { prices, smallestGroup }: { prices: PriceBook; smallestGroup: number },
): TeamUsageReport {
  const told = withoutSmallGroups(answer, smallestGroup);
  const { pathOf } = groupsOf(asked);
  const rows = new Map<string, { groups: Group[]; tally: Tally; people: number }>();
  const all = new Tally();
  for (const bucket of told.buckets) {
    const key = keyOf(bucket.groups);
    const groups = bucket.groups.map((group, at) => {
      return isPeriod(asked.by[at] as Grouping) && group.key !== SMALL
        ? (pathOf([group])[0] ?? group)
        : group;
    });
    const row = rows.get(key) ?? {
      groups,
      tally: new Tally(),
      people: told.people.get(key)?.size ?? 0,
    };
    const cost = costOfBucket(bucket, prices);
    row.tally.add(bucket, cost);
    all.add(bucket, cost);
    rows.set(key, row);
  }
  const everybody = new Set([...told.people.values()].flatMap((people) => [...people]));
  const { timezone } = new Calendar(asked.timezone);
  const period = { since: instant(asked.sinceMs), until: instant(asked.untilMs), timezone };
  return {
    by: asked.by.join(","),
    period,
    rows: [...rows.values()].map(({ groups, tally, people }) => ({
      groups,
      people,
      ...sumsOf(tally),
    })),
    totals: rows.size === 0 ? null : { people: everybody.size, ...sumsOf(all) },
    smallestGroup,
    isWithheld: told.isWithheld,
  };
}

/** People are numbers to the store: here they get their names. */
export function withNames(
  report: TeamUsageReport,
  people: readonly { id: number; name: string }[],
): TeamUsageReport {
  const at = report.by.split(",").indexOf("person");
  const names = new Map(people.map(({ id, name }) => [String(id), name]));
  const rows = report.rows.map((row) => {
    const groups = row.groups.map((group, place) => {
      return place === at ? { ...group, ...optional("label", names.get(group.key)) } : group;
    });
    return { ...row, groups };
  });
  return { ...report, rows };
}

function sumsOf(tally: Tally): Omit<Sums, "sessions"> {
  const { sessions: _counted, ...sums } = tally.sums();
  return sums;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The key of all groups that were too small, together. */
export const SMALL = "small groups";

function keyOf(groups: readonly (Group | string)[]): string {
  return JSON.stringify(groups.map((group) => (typeof group === "string" ? group : group.key)));
}

/**
 * Groups of fewer people become one. When even that is of too few, the smallest other groups join
 * it, until nobody can be told by it; when nothing is left to join, nothing is told.
 */
export function withoutSmallGroups(
  { buckets, people }: Answer,
  smallest: number,
): { buckets: UsageBucket[]; people: Map<string, ReadonlySet<number>>; isWithheld: boolean } {
  const sizes = people
    .map(({ groups, people: all }) => ({ key: keyOf(groups), people: new Set(all) }))
    .toSorted((a, b) => a.people.size - b.people.size);
  const joined = new Set<string>();
  const together = new Set<number>();
  for (const group of sizes) {
    const isEnough = joined.size === 0 || together.size >= smallest;
    if (group.people.size >= smallest && isEnough) break;
    joined.add(group.key);
    for (const person of group.people) together.add(person);
  }
  const told = new Map<string, ReadonlySet<number>>(
    sizes.filter(({ key }) => !joined.has(key)).map(({ key, people: all }) => [key, all]),
  );
  const isTold = together.size >= smallest;
  const left = buckets.flatMap((bucket): UsageBucket[] => {
    if (!joined.has(keyOf(bucket.groups))) return [bucket];
    return isTold ? [{ ...bucket, groups: bucket.groups.map(() => ({ key: SMALL })) }] : [];
  });
  if (isTold && joined.size > 0) {
    const [first] = left.filter(({ groups }) => groups.some(({ key }) => key === SMALL));
    told.set(keyOf(first?.groups ?? []), together);
  }
  return { buckets: left, people: told, isWithheld: together.size > 0 && !isTold };
}
