import type { LedgerFilter } from "../core/filter/filter.ts";
import type { UsageBuckets } from "../core/usage/usage-fact.ts";
import type { ToolBuckets } from "../core/rows/tool-fact.ts";
import { addDays, Calendar } from "./calendar.ts";
import { costOfBucket, pricedBuckets, roundMoney } from "./prices/cost.ts";
import type { UsageRow } from "./usage/group-tally.ts";
import { GroupTally } from "./usage/group-tally.ts";
import type { BucketPlan } from "./usage/ledger.ts";
import { bucketPlan } from "./usage/ledger.ts";
import type { PriceBook, PriceSource } from "./prices/prices.ts";
import type { Deletion } from "./doctor/deletion.ts";
import type { SessionAtRisk } from "./doctor/retention-risk.ts";
import type { Sums } from "./usage/tally.ts";
import { shareCost } from "./usage/tally.ts";
import type { ToolsReport } from "./tools.ts";
import { toolLists } from "./tools.ts";
import type { UsageBasis } from "./usage/usage.ts";
import type { RemarkAnswers, UsageRemarks } from "./usage/usage-remarks.ts";
import { COUNTED, REMARKED, remarksOf, sessionsBy } from "./usage/usage-remarks.ts";

export type OverviewPeriod = "today" | "last7Days" | "last30Days" | "thisMonth" | "all";

const DAYS = 30;
const TOP = 8;

/** The first screen: how much was used, for what, and what may be lost. */
export interface Overview extends Omit<UsageRemarks, "subagents"> {
  /** All listed sessions; a period counts those with a request in it. */
  sessions: number;
  periods: Record<OverviewPeriod, Sums & { since: string | null }>;
  /** The last days, oldest first, including days without a request. */
  days: (Sums & { key: string })[];
  /** The period of the lists below: the last 30 days, or everything if those are empty. */
  topPeriod: "last30Days" | "all";
  agents: UsageRow[];
  projects: UsageRow[];
  models: UsageRow[];
  tools: ToolsReport["labels"];
  shell: ToolsReport["shell"];
  mcp: ToolsReport["mcp"];
  /** The most urgent ones; `deletion` counts all. */
  atRisk: SessionAtRisk[];
  deletion: Deletion;
  prices: PriceSource;
  timezone: string;
}

/** The part that comes from the ledger. */
export type Spending = Omit<Overview, "atRisk" | "deletion">;

export interface OverviewQuery extends Pick<LedgerFilter, "source" | "project"> {
  nowMs: number;
  timezone?: string;
}

/** The periods that end today; `all` has no range. */
const SPANS = ["today", "last7Days", "last30Days", "thisMonth"] as const;

/** The first queries to the store. */
export interface OverviewPlan {
  since: Record<OverviewPeriod, string | null>;
  dayKeys: readonly string[];
  /** Sums of all periods and days in one query; overlapping ranges each get the full sum. */
  spans: BucketPlan;
  /** Sums without a time range. */
  allTime: BucketPlan;
  last30Days: LedgerFilter;
  all: LedgerFilter;
  /** Session counts of all time by `COUNTED` and project. */
  sessions: BucketPlan;
  timezone: string;
}

export function planOverview(query: OverviewQuery, prices: PriceBook): OverviewPlan {
  const { nowMs, timezone, ...filter } = query;
  const calendar = new Calendar(timezone);
  const today = calendar.dayOf(nowMs);
  const firstDay = addDays(today, 1 - DAYS);
  const since = {
    today,
    last7Days: addDays(today, -6),
    last30Days: firstDay,
    thisMonth: `${today.slice(0, 8)}01`,
    all: null,
  };
  const untilMs = calendar.startOf(addDays(today, 1));
  const dayKeys = Array.from({ length: DAYS }, (_, at) => addDays(firstDay, at));
  const ranges = [
    ...SPANS.map((span) => ({ from: calendar.startOf(since[span]), to: untilMs })),
    ...dayKeys.map((day) => {
      return { from: calendar.startOf(day), to: calendar.startOf(addDays(day, 1)) };
    }),
  ];
  return {
    since,
    dayKeys,
    spans: bucketPlan(filter, prices, { by: ["range"], ranges }),
    allTime: bucketPlan(filter, prices, { by: REMARKED, only: "buckets" }),
    last30Days: { ...filter, sinceMs: calendar.startOf(firstDay), untilMs },
    all: filter,
    sessions: bucketPlan(filter, prices, { by: [...COUNTED, "project"], only: "sessions" }),
    timezone: calendar.timezone,
  };
}

const TOP_LISTS = ["source", "project", "model"] as const;

/** The second queries: lists of the last 30 days, or of everything if those are empty. */
export interface TopPlan {
  topPeriod: Overview["topPeriod"];
  filter: LedgerFilter;
  /** Sums by `TOP_LISTS` and `REMARKED`; session counts by `COUNTED` and project, and by model. */
  buckets: BucketPlan;
  sessions: BucketPlan;
  models: BucketPlan;
}

export function planTop(overview: OverviewPlan, spans: UsageBuckets): TopPlan {
  const recent = String(SPANS.indexOf("last30Days"));
  const isRecent = spans.buckets.some(({ groups }) => groups[0]?.key === recent);
  const topPeriod = isRecent ? "last30Days" : "all";
  const filter = overview[topPeriod];
  const plan = { ...overview.spans, filter, ranges: undefined };
  return {
    topPeriod,
    filter,
    buckets: { ...plan, by: [...TOP_LISTS, ...REMARKED], only: "buckets" },
    sessions: { ...overview.sessions, filter },
    models: { ...plan, by: ["model"], only: "sessions" },
  };
}

export interface OverviewAnswers {
  sessions: number;
  spans: UsageBuckets;
  all: UsageBuckets;
  top: UsageBuckets;
  topSessions: UsageBuckets["sessions"];
  models: UsageBuckets["sessions"];
  tools: ToolBuckets;
  remarks: RemarkAnswers;
}

export function overviewOf(
  plan: OverviewPlan & { top: TopPlan },
  answers: OverviewAnswers,
  basis: UsageBasis,
): Spending {
  const { prices, sourceNames } = basis;
  const remarks = {
    ...answers.remarks,
    buckets: pricedBuckets(answers.all.buckets, prices),
  };
  const list = (by: (typeof TOP_LISTS)[number], sessions: UsageBuckets["sessions"]): GroupTally => {
    const at = TOP_LISTS.indexOf(by);
    const buckets = answers.top.buckets.map((bucket) => {
      return { ...bucket, groups: bucket.groups.slice(at, at + 1) };
    });
    return treeOf({ buckets, sessions }, prices);
  };
  const { subagents: _own, ...remarked } = remarksOf({ query: {} }, remarks, basis);
  const { labels, shell, mcp } = toolLists(answers.tools);
  const spans = treeOf(answers.spans, prices);
  const allTime = { ...answers.all, sessions: sessionsBy(answers.remarks.counted, "source") };
  const range = (at: number): Sums => spans.child({ key: String(at) }).tally.sums();
  const sums = (span: (typeof SPANS)[number]): Sums & { since: string | null } => {
    return { since: plan.since[span], ...range(SPANS.indexOf(span)) };
  };
  return {
    sessions: answers.sessions,
    periods: {
      today: sums("today"),
      last7Days: sums("last7Days"),
      last30Days: sums("last30Days"),
      thisMonth: sums("thisMonth"),
      all: { since: null, ...treeOf(allTime, prices).tally.sums() },
    },
    days: plan.dayKeys.map((key, at) => ({ key, ...range(SPANS.length + at) })),
    topPeriod: plan.top.topPeriod,
    agents: topRows(list("source", sessionsBy(answers.topSessions, "source"))).map((row) => {
      return { ...row, label: sourceNames.get(row.key) ?? null };
    }),
    projects: topRows(list("project", sessionsBy(answers.topSessions, "next"))),
    models: topRows(list("model", answers.models)),
    tools: labels.slice(0, TOP),
    shell: shell.slice(0, TOP * 2),
    mcp: mcp.slice(0, TOP),
    ...remarked,
    prices: prices.from,
    timezone: plan.timezone,
  };
}

function treeOf({ buckets, sessions }: UsageBuckets, prices: PriceBook): GroupTally {
  const root = new GroupTally({ key: "" });
  for (const bucket of buckets) {
    const cost = costOfBucket(bucket, prices);
    root.tally.add(bucket, cost);
    const [group] = bucket.groups;
    if (group) root.child(group).tally.add(bucket, cost);
  }
  for (const { groups, count } of sessions) root.addSessions(groups, count);
  return root;
}

/** Highest cost first; without prices, most tokens. Rounded before rows are cut, to add up. */
function topRows(root: GroupTally): UsageRow[] {
  const groups = root.children([], "cost");
  const costs = shareCost(
    groups.map(({ tally }) => tally),
    roundMoney(root.tally.cost),
  );
  const rows = groups.map((group, at) => {
    return group.row(costs[at] ?? 0, { within: [], sort: undefined });
  });
  return rows.slice(0, TOP);
}
