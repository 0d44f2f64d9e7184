import { keyOf } from "../core/links.ts";
import type { SessionRow } from "../core/session-rows.ts";
import type { UsageBuckets } from "../core/usage-fact.ts";
import type { SessionPlace } from "../ingest/read-session.ts";
import { readSession } from "../ingest/read-session.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import type { CallRecord, CallsQuery } from "../queries/calls.ts";
import type { LedgerFilter } from "../queries/ledger.ts";
import type { BucketPlan } from "../queries/ledger.ts";
import type { OverviewQuery, Spending } from "../queries/overview.ts";
import { overviewOf, planOverview, planTop } from "../queries/overview.ts";
import type { PriceBook } from "../queries/prices.ts";
import type { ToolsReport } from "../queries/tools.ts";
import { reportTools } from "../queries/tools.ts";
import type { UsageBasis, UsageQuery, UsageReport } from "../queries/usage.ts";
import { planUsage, reportUsage } from "../queries/usage.ts";
import type { RemarkAnswers, RemarkPlans } from "../queries/usage-remarks.ts";

/** What was used and what it cost, by day or any other grouping. */
export async function usageReport(
  place: SessionPlace,
  prices: PriceBook,
  query: UsageQuery,
): Promise<UsageReport> {
  const { store, scope } = place;
  const plan = planUsage(query, prices, await store.times({ scope, filter: query }));
  const answers = {
    buckets: await bucketsOf(place, plan.buckets),
    outer: plan.outer && (await bucketsOf(place, plan.outer)),
    sessionsByGroup: plan.sessionsByGroup && (await bucketsOf(place, plan.sessionsByGroup)),
    remarks: await remarkAnswers(place, plan.remarks, query),
  };
  return reportUsage(plan, answers, basisOf(place, prices));
}

/** What the ledger tells on the first screen. */
export async function spending(
  place: SessionPlace,
  prices: PriceBook,
  query: OverviewQuery,
): Promise<Spending> {
  const { store, scope } = place;
  const plan = planOverview(query, prices);
  const ask = (asked: BucketPlan): Promise<UsageBuckets> => bucketsOf(place, asked);
  const last30Days = await ask(plan.periods.last30Days);
  const top = planTop(plan, last30Days);
  const answers = {
    periods: {
      today: await ask(plan.periods.today),
      last7Days: await ask(plan.periods.last7Days),
      last30Days,
      thisMonth: await ask(plan.periods.thisMonth),
      all: await ask(plan.periods.all),
    },
    days: await ask(plan.days),
    agents: await ask(top.agents),
    projects: await ask(top.projects),
    models: await ask(top.models),
    tools: await store.tools({ scope, filter: top.filter, files: 0 }),
    remarks: await remarkAnswers(place, plan.remarks, plan.periods.all.filter),
  };
  return overviewOf({ ...plan, top }, answers, basisOf(place, prices));
}

/** What tools did: calls, shell commands, files touched. */
export async function toolsReport(
  { store, scope }: SessionPlace,
  filter: LedgerFilter,
): Promise<ToolsReport> {
  const coverage = await store.coverage({ scope, ...sourceOf(filter) });
  return reportTools(await store.tools({ scope, filter }), coverage);
}

/** One record per paid reply, in the words of other ledgers. */
export async function* callRecords(
  place: SessionPlace,
  prices: PriceBook,
  query: CallsQuery,
): AsyncGenerator<CallRecord> {
  const { store, scope } = place;
  const { callsOf } = await import("../queries/calls.ts");
  const replies = await store.replies({ scope, filter: query });
  const { items } = await store.sessions({ scope, filter: {}, sort: "newest" });
  const rows = new Map(items.map((row) => [keyOf(row.summary.source, row.summary.id), row]));
  const read = (row: SessionRow): ReturnType<typeof readSession> => readSession(place, row.summary);
  yield* callsOf({ replies, rows, prices, read, commandsOf: shellCommands }, query);
}

function bucketsOf({ store, scope }: SessionPlace, plan: BucketPlan): Promise<UsageBuckets> {
  return store.usage({ ...plan, scope });
}

async function remarkAnswers(
  place: SessionPlace,
  plans: RemarkPlans,
  filter: LedgerFilter,
): Promise<RemarkAnswers> {
  const { store, scope } = place;
  return {
    standing: await bucketsOf(place, plans.standing),
    kind: await bucketsOf(place, plans.kind),
    generation: await bucketsOf(place, plans.generation),
    odd: await store.replies({ scope, filter, only: "odd" }),
    unrecorded: await store.unrecorded({ scope, filter }),
    coverage: await store.coverage({ scope, ...sourceOf(filter) }),
    times: await store.times({ scope, filter }),
  };
}

function sourceOf({ source }: LedgerFilter): { source?: string } {
  return source === undefined ? {} : { source };
}

function basisOf({ sources }: SessionPlace, prices: PriceBook): UsageBasis {
  return {
    prices,
    blindSpots: new Map(sources.map(({ id, blindSpots }) => [id, blindSpots])),
    sourceNames: new Map(sources.map(({ id, name }) => [id, name])),
  };
}
