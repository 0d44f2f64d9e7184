import { addDays, Calendar, UNKNOWN } from "./calendar.ts";
import { roundMoney } from "./cost.ts";
import type { Group } from "./groupings.ts";
import { groupingOf } from "./groupings.ts";
import { requestsOf } from "./ledger.ts";
import type { PriceSource } from "./prices.ts";
import type { AtRisk } from "./retention-risk.ts";
import type { Sums } from "./tally.ts";
import { shareCost, Tally } from "./tally.ts";
import type { ToolsReport } from "./tools.ts";
import { reportTools } from "./tools.ts";
import type { UsageRow } from "./usage.ts";
import type { UsageBasis } from "./usage-basis.ts";
import type { UsageRemarks } from "./usage-remarks.ts";
import { Remarks } from "./usage-remarks.ts";

export const OVERVIEW_PERIODS = ["today", "last7Days", "last30Days", "thisMonth", "all"] as const;
export type OverviewPeriod = (typeof OVERVIEW_PERIODS)[number];

const DAYS = 30;
const TOP = 8;

/** The first screen: how much, on what, and what may be lost. */
export interface Overview extends Omit<UsageRemarks, "subagents"> {
  periods: Record<OverviewPeriod, Sums & { since: string | null }>;
  /** The last days, oldest first, also those without a request. */
  days: (Sums & { key: string })[];
  /** What the lists below speak of: the last 30 days, or everything when those are empty. */
  topPeriod: "last30Days" | "all";
  projects: UsageRow[];
  models: UsageRow[];
  tools: ToolsReport["labels"];
  shell: ToolsReport["shell"];
  mcp: ToolsReport["mcp"];
  atRisk: AtRisk[];
  prices: PriceSource;
  timezone: string;
}

/** All of it that the ledger tells. */
export type Spending = Omit<Overview, "atRisk">;

export interface OverviewAsked {
  nowMs: number;
  timezone?: string;
}

export function overviewOf(basis: UsageBasis, asked: OverviewAsked): Spending {
  const calendar = new Calendar(asked.timezone);
  const today = calendar.dayOf(asked.nowMs);
  const firstDay = addDays(today, 1 - DAYS);
  const sums = sumUp(basis, calendar, { firstDay, today });
  const topPeriod = sums.recent.all.requests > 0 ? "last30Days" : "all";
  const top = topPeriod === "all" ? sums.ever : sums.recent;
  const sinceMs = calendar.startOf(firstDay);
  const { labels, shell, mcp } = reportTools(basis, topPeriod === "all" ? {} : { sinceMs });
  const { subagents: _told, ...remarks } = sums.remarks.tell(basis, {});
  const daysFrom = (from: string): Tally => mergeDays(sums.days, from, today);
  const days = Array.from({ length: DAYS }, (_, at) => addDays(firstDay, at));
  return {
    periods: {
      today: { since: today, ...daysFrom(today).sums() },
      last7Days: { since: addDays(today, -6), ...daysFrom(addDays(today, -6)).sums() },
      last30Days: { since: firstDay, ...daysFrom(firstDay).sums() },
      thisMonth: { since: `${today.slice(0, 8)}01`, ...daysFrom(`${today.slice(0, 8)}01`).sums() },
      all: { since: null, ...sums.ever.all.sums() },
    },
    days: days.map((key) => ({ key, ...(sums.days.get(key) ?? new Tally()).sums() })),
    topPeriod,
    projects: topRows(top.projects, top.all),
    models: topRows(top.models, top.all),
    tools: labels.slice(0, TOP),
    shell: shell.slice(0, TOP * 2),
    mcp: mcp.slice(0, TOP),
    ...remarks,
    prices: basis.prices.from,
    timezone: calendar.timezone,
  };
}

interface Span {
  all: Tally;
  projects: Map<string, Named>;
  models: Map<string, Named>;
}

type Named = Group & { tally: Tally };

interface OverviewSums {
  days: Map<string, Tally>;
  recent: Span;
  ever: Span;
  remarks: Remarks;
}

/** One walk over all requests. */
function sumUp(
  basis: UsageBasis,
  calendar: Calendar,
  { firstDay, today }: { firstDay: string; today: string },
): OverviewSums {
  const context = { calendar, subagents: "separate", digests: new Map() } as const;
  const projectOf = groupingOf("project", context);
  const modelOf = groupingOf("model", context);
  const days = new Map<string, Tally>();
  const [recent, ever] = [newSpan(), newSpan()];
  const remarks = new Remarks("separate");
  for (const request of requestsOf(basis)) {
    const { sessionId } = request.fact;
    remarks.add(request);
    const day = calendar.keyOf(request.at, "day");
    const isRecent = day !== UNKNOWN && day >= firstDay && day <= today;
    const [project, model] = [projectOf(request), modelOf(request)];
    for (const span of isRecent ? [recent, ever] : [ever]) {
      span.all.add(request, sessionId);
      tallyOf(span.projects, project).add(request, sessionId);
      tallyOf(span.models, model).add(request, sessionId);
    }
    const known = days.get(day) ?? new Tally();
    days.set(day, known);
    known.add(request, sessionId);
  }
  return { days, recent, ever, remarks };
}

function newSpan(): Span {
  return { all: new Tally(), projects: new Map(), models: new Map() };
}

function tallyOf(groups: Map<string, Named>, group: Group): Tally {
  const known = groups.get(group.key);
  if (known) return known.tally;
  const tally = new Tally();
  groups.set(group.key, { ...group, tally });
  return tally;
}

function mergeDays(days: ReadonlyMap<string, Tally>, from: string, to: string): Tally {
  const merged = new Tally();
  for (const [day, tally] of days) if (day >= from && day <= to) merged.merge(tally);
  return merged;
}

/** The dearest first; without prices, the largest. */
function topRows(groups: ReadonlyMap<string, Named>, all: Tally): UsageRow[] {
  const named = [...groups.values()];
  const costs = shareCost(
    named.map(({ tally }) => tally),
    roundMoney(all.cost),
  );
  return named
    .map(({ key, label = null, tally }, at) => ({ key, label, ...tally.sums(costs[at]) }))
    .toSorted((a, b) => {
      const order = (b.costMicroUsd ?? 0) - (a.costMicroUsd ?? 0);
      return order || b.tokens.total - a.tokens.total || (a.key < b.key ? -1 : 1);
    })
    .slice(0, TOP);
}
