import { optional } from "../core/optional.ts";
import { keyOf } from "../core/session/links.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { UsageBuckets } from "../core/usage/usage-fact.ts";
import { readSession } from "../ingest/read-session.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import type { CallRecord, CallsQuery } from "../queries/usage/calls.ts";
import type { Grouping } from "../queries/usage/groupings.ts";
import type { LedgerFilter } from "../queries/usage/ledger.ts";
import type { BucketPlan } from "../queries/usage/ledger.ts";
import type { OverviewQuery, Spending } from "../queries/overview.ts";
import { overviewOf, planOverview, planTop } from "../queries/overview.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import { costsBySession, planSessionCosts } from "../queries/usage/session-costs.ts";
import type { ToolsQuery, ToolsReport } from "../queries/tools.ts";
import { reportTools } from "../queries/tools.ts";
import type { UsageBasis, UsageQuery, UsageReport } from "../queries/usage/usage.ts";
import { planUsage, reportUsage } from "../queries/usage/usage.ts";
import type { RemarkAnswers } from "../queries/usage/usage-remarks.ts";
import type { StoreView, UsageView } from "./store-view.ts";

/** Usage and cost, by day or any other grouping. */
export async function usageReport(
  view: UsageView,
  prices: PriceBook,
  query: UsageQuery,
): Promise<UsageReport> {
  const { store, scope } = view;
  const times = await store.times({ scope, filter: query });
  const plan = planUsage(query, prices, times);
  const answers = {
    buckets: await bucketsOf(view, plan.buckets),
    sessions: await bucketsOf(view, plan.sessions),
    outer: plan.outer && (await bucketsOf(view, plan.outer)),
    sessionsByGroup: plan.sessionsByGroup && (await bucketsOf(view, plan.sessionsByGroup)),
    remarks: {
      ...(await remarkAnswers(view, query)),
      counted: (await bucketsOf(view, plan.remarks)).sessions,
      times,
    },
  };
  return reportUsage(plan, answers, basisOf(view, prices));
}

/** True for sums by time, model or agent, which need only the replies. */
export function isUsageEnough({ by, subagents, ...filter }: UsageQuery): boolean {
  const { status, session, project, folder, tag, star } = filter;
  const groups: readonly Grouping[] = by ?? [];
  const plain = new Set<Grouping>(["hour", "day", "week", "month", "model", "agent", "root"]);
  const isNarrow = [status, session, project, folder, tag, star].some((part) => part !== undefined);
  return groups.every((group) => plain.has(group)) && subagents !== "rolled-up" && !isNarrow;
}

/** Usage figures of the first screen. */
export async function spending(
  view: StoreView,
  prices: PriceBook,
  query: OverviewQuery,
): Promise<Spending> {
  const { store, scope } = view;
  const plan = planOverview(query, prices);
  const ask = (asked: BucketPlan): Promise<UsageBuckets> => bucketsOf(view, asked);
  const spans = await ask(plan.spans);
  const top = planTop(plan, spans);
  const listed = await store.sessions({ scope, filter: plan.all, limit: 1 });
  const topBuckets = await ask(top.buckets);
  const topSessions = (await ask(top.sessions)).sessions;
  const isAll = top.topPeriod === "all";
  const counted = isAll ? topSessions : (await ask(plan.sessions)).sessions;
  const answers = {
    sessions: listed.total,
    spans,
    // Without a filter, one query answers both.
    all: isAll ? topBuckets : await ask(plan.allTime),
    top: topBuckets,
    topSessions,
    models: (await ask(top.models)).sessions,
    tools: await store.tools({ scope, filter: top.filter, files: 0 }),
    remarks: { ...(await remarkAnswers(view, plan.all)), counted, times: NO_PERIOD },
  };
  return overviewOf({ ...plan, top }, answers, basisOf(view, prices));
}

/** The overview has no period, so no reply is left out for lack of a time. */
const NO_PERIOD = { days: [], timeless: 0 };

/** Cost of each session in micro-dollars, by id. */
export async function sessionCosts(
  view: StoreView,
  prices: PriceBook,
  filter: LedgerFilter,
): Promise<ReadonlyMap<string, number | null>> {
  return costsBySession(await bucketsOf(view, planSessionCosts(filter, prices)), prices);
}

/** Tool calls, shell commands and touched files. */
export async function toolsReport(
  { store, scope }: StoreView,
  { files, ...filter }: ToolsQuery,
): Promise<ToolsReport> {
  const coverage = await store.coverage({ scope, ...sourceOf(filter) });
  const buckets = await store.tools({ scope, filter, ...optional("files", files) });
  return reportTools(buckets, coverage);
}

/** One record per paid reply, with the field names of other ledgers. */
export async function* callRecords(
  view: StoreView,
  prices: PriceBook,
  query: CallsQuery,
): AsyncGenerator<CallRecord> {
  const { store, scope } = view;
  const { callsOf } = await import("../queries/usage/calls.ts");
  const replies = await store.replies({ scope, filter: query });
  const { items } = await store.sessions({ scope });
  const rows = new Map(items.map((row) => [keyOf(row.summary.source, row.summary.id), row]));
  const read = (row: SessionRow): ReturnType<typeof readSession> => readSession(view, row.summary);
  yield* callsOf({ replies, rows, prices, read, commandsOf: shellCommands }, query);
}

function bucketsOf({ store, scope }: UsageView, plan: BucketPlan): Promise<UsageBuckets> {
  const { ranges, ...rest } = plan;
  return store.usage({ ...rest, scope, ...(ranges ? { ranges } : {}) });
}

async function remarkAnswers(
  view: UsageView,
  filter: LedgerFilter,
): Promise<Omit<RemarkAnswers, "times" | "counted">> {
  const { store, scope } = view;
  return {
    odd: await store.replies({ scope, filter, only: "odd" }),
    unequal: await store.replies({ scope, filter, only: "unequal" }),
    unrecorded: await store.unrecorded({ scope, filter }),
    coverage: await store.coverage({ scope, ...sourceOf(filter) }),
  };
}

function sourceOf({ source }: LedgerFilter): { source?: string } {
  return source === undefined ? {} : { source };
}

function basisOf({ sources }: UsageView, prices: PriceBook): UsageBasis {
  return {
    prices,
    blindSpots: new Map(sources.map(({ id, blindSpots }) => [id, blindSpots])),
    sourceNames: new Map(sources.map(({ id, name }) => [id, name])),
  };
}
