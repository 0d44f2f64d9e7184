import type { ReplyTimes, UsageBuckets } from "../../core/usage/usage-fact.ts";
import { timeText } from "../../core/instant.ts";
import { Calendar } from "../calendar.ts";
import type { PricedBucket } from "../prices/cost.ts";
import { pricedBuckets, roundMoney } from "../prices/cost.ts";
import type { Sort, UsageRow } from "./group-tally.ts";
import { GroupTally } from "./group-tally.ts";
import type { Grouping } from "./groupings.ts";
import { isExclusive, isPeriod } from "./groupings.ts";
import type { BucketPlan, GroupPlan, LedgerFilter, Subagents } from "./ledger.ts";
import { bucketPlan, planGroups } from "./ledger.ts";
import type { PriceBook, PriceSource } from "../prices/prices.ts";
import { idIn, sessionNamer } from "./session-names.ts";
import type { Sums } from "./tally.ts";
import { shareCost, Tally } from "./tally.ts";
import type { RemarkAnswers, RemarkBasis, UsageRemarks } from "./usage-remarks.ts";
import { planRemarks, REMARKED, remarksOf } from "./usage-remarks.ts";

export { SORTS } from "./group-tally.ts";
export type { Sort, UsageRow } from "./group-tally.ts";

/** A usage query. */
export interface UsageQuery extends LedgerFilter {
  /** One grouping, or two nested ones. */
  by?: readonly [Grouping] | readonly [Grouping, Grouping];
  /** Defaults to the system's time zone. */
  timezone?: string;
  /** By default, periods are sorted by time and all else by cost. */
  sort?: Sort;
  /** Maximum number of rows; the rest are added together as one. */
  limit?: number;
  subagents?: Subagents;
}

/** Usage by groups that add up to the totals. Unknown is `null`. */
export interface UsageReport extends UsageRemarks {
  /** `day`, or `month,model`. */
  by: string;
  period: { since: string | null; until: string | null; timezone: string };
  rows: UsageRow[];
  /** The sum of all rows beyond the limit. */
  others: (UsageRow & { groups: number }) | null;
  totals: Sums;
  prices: PriceSource;
}

/** The store queries for a report. */
export interface UsagePlan {
  query: UsageQuery;
  by: readonly Grouping[];
  timezone: string;
  groups: GroupPlan;
  first: GroupPlan;
  /** Sums by the groups and, after them, by `REMARKED`. */
  buckets: BucketPlan;
  sessions: BucketPlan;
  /** Session counts of the outer periods, if periods are nested. */
  outer: BucketPlan | null;
  /** Sessions by group, to count those of the rows beyond the limit. */
  sessionsByGroup: BucketPlan | null;
  remarks: BucketPlan;
}

export function planUsage(query: UsageQuery, prices: PriceBook, { days }: ReplyTimes): UsagePlan {
  const { by = ["day"], subagents = "separate", limit } = query;
  const calendar = new Calendar(query.timezone);
  const groups = planGroups(by, calendar, days);
  const first = planGroups(by.slice(0, 1), calendar, days);
  const plan = (
    { by: keys, ranges }: Pick<GroupPlan, "by" | "ranges">,
    only: "buckets" | "sessions",
  ): BucketPlan => {
    return bucketPlan(query, prices, { by: keys, ...(ranges ? { ranges } : {}), subagents, only });
  };
  const isCut = limit !== undefined && !isExclusive(by[0]);
  return {
    query,
    by,
    timezone: calendar.timezone,
    groups,
    first,
    buckets: plan({ ...groups, by: [...groups.by, ...REMARKED] }, "buckets"),
    sessions: plan(groups, "sessions"),
    outer: by.length > 1 && groups.by.length === 1 ? plan(first, "sessions") : null,
    sessionsByGroup: isCut ? plan({ ...first, by: [...first.by, "session"] }, "sessions") : null,
    remarks: planRemarks(query, prices),
  };
}

/** The store's answers to the plan's queries. */
export interface UsageAnswers {
  buckets: UsageBuckets;
  sessions: UsageBuckets;
  outer: UsageBuckets | null;
  sessionsByGroup: UsageBuckets | null;
  remarks: RemarkAnswers;
}

export interface UsageBasis extends RemarkBasis {
  prices: PriceBook;
  /** Display names of sources, by id. */
  sourceNames: ReadonlyMap<string, string>;
}

export function reportUsage(
  plan: UsagePlan,
  answers: UsageAnswers,
  basis: UsageBasis,
): UsageReport {
  const { query, by, timezone } = plan;
  const priced = pricedBuckets(answers.buckets.buckets, basis.prices);
  const root = groupTree(plan, answers, { ...basis, priced });
  const { shown, rest } = split(root.children(by, query.sort), { by, query });
  const others = new Tally();
  for (const { tally } of rest) others.merge(tally);
  others.sessions = restSessions(rest, plan, answers.sessionsByGroup);
  const costs = shareCost(
    [...shown.map(({ tally }) => tally), others],
    roundMoney(root.tally.cost),
  );
  return {
    by: by.join(","),
    period: { since: timeText(query.sinceMs), until: timeText(query.untilMs), timezone },
    rows: shown.map((child, at) => {
      return child.row(costs[at] ?? 0, { within: by.slice(1), sort: query.sort });
    }),
    others: rest.length === 0 ? null : othersRow(others, rest.length, costs.at(-1)),
    totals: root.tally.sums(),
    ...remarksOf(plan, { ...answers.remarks, buckets: priced }, basis),
    prices: basis.prices.from,
  };
}

/** Builds the tree of groups from all buckets. */
function groupTree(
  { groups, first, by }: UsagePlan,
  { buckets, sessions, outer }: UsageAnswers,
  { priced, sourceNames }: UsageBasis & { priced: readonly PricedBucket[] },
): GroupTally {
  const root = new GroupTally({ key: "" });
  const pathOf = namedPaths({ groups, by }, buckets);
  for (const { bucket, cost } of priced) {
    let group = root;
    group.tally.add(bucket, cost);
    const path = pathOf(bucket.groups.slice(0, groups.by.length));
    for (const [level, named] of path.entries()) {
      const label = by[level] === "agent" ? sourceNames.get(named.key) : named.label;
      group = group.child({ key: named.key, ...(label === undefined ? {} : { label }) });
      group.tally.add(bucket, cost);
    }
  }
  for (const { groups: stored, count } of sessions.sessions) {
    root.addSessions(pathOf(stored), count);
  }
  for (const { groups: stored, count } of outer?.sessions ?? []) {
    if (stored.length === 1) root.addSessions(first.pathOf(stored), count);
  }
  return root;
}

/** The groups of a bucket, with sessions by name. */
function namedPaths(
  { groups, by }: Pick<UsagePlan, "groups" | "by">,
  { buckets }: UsageBuckets,
): GroupPlan["pathOf"] {
  const level = by.indexOf("session");
  if (level === -1) return groups.pathOf;
  // Below an agent, ids are unique.
  const nameOf = by[0] === "agent" ? idIn : sessionNamer(buckets, level);
  return (stored) =>
    groups.pathOf(stored).map((group, at) => {
      return at === level ? { ...group, key: nameOf(group.key) } : group;
    });
}

/** Counts the different sessions of the groups beyond the limit. */
function restSessions(
  rest: readonly GroupTally[],
  { first }: UsagePlan,
  byGroup: UsageBuckets | null,
): number {
  if (!byGroup) return rest.reduce((sum, { tally }) => sum + tally.sessions, 0);
  const keys = new Set(rest.map(({ key }) => key));
  const sessions = byGroup.sessions.flatMap(({ groups: [group, session] }) => {
    const named = group && session ? first.pathOf([group])[0] : undefined;
    return named && keys.has(named.key) ? [session?.key] : [];
  });
  return new Set(sessions).size;
}

/** Splits rows at the limit: keeps the newest periods, or the first of other groups. */
function split(
  groups: readonly GroupTally[],
  { by, query }: { by: readonly Grouping[]; query: UsageQuery },
): { shown: readonly GroupTally[]; rest: readonly GroupTally[] } {
  const { limit, sort = "key" } = query;
  if (limit === undefined || groups.length <= limit) return { shown: groups, rest: [] };
  const isChronological = isPeriod(by[0]) && sort === "key";
  if (!isChronological) return { shown: groups.slice(0, limit), rest: groups.slice(limit) };
  return { shown: groups.slice(-limit), rest: groups.slice(0, -limit) };
}

function othersRow(tally: Tally, groups: number, costMicroUsd?: number): UsageReport["others"] {
  return { key: "others", label: `${groups} more`, groups, ...tally.sums(costMicroUsd) };
}
