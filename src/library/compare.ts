import type { LedgerFilter } from "../core/filter/filter.ts";
import { optional } from "../core/optional.ts";
import type { BudgetAnswer } from "../queries/prices/budget.ts";
import { budgetOf, monthOf } from "../queries/prices/budget.ts";
import { Calendar } from "../queries/calendar.ts";
import type { Compared, Comparison } from "../queries/compare.ts";
import { comparison, sideFilter } from "../queries/compare.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import type { UsageReport } from "../queries/usage/usage.ts";
import { findSession } from "./sessions.ts";
import type { StoreView } from "./store-view.ts";
import { usageReport } from "./usage.ts";

export interface CompareRequest {
  what: Compared;
  names: readonly [string, string];
  timezone?: string;
  /** Limits both sides, e.g. to a period or an agent. */
  filter?: LedgerFilter;
}

/** Compares two sessions, models, projects or periods. */
export async function compareTwo(
  view: StoreView,
  prices: PriceBook,
  { what, names, timezone, filter = {} }: CompareRequest,
): Promise<Comparison> {
  const calendar = new Calendar(timezone);
  const sideOf = async (name: string): Promise<{ name: string; report: UsageReport }> => {
    const of = optional("source", filter.source);
    const session = what === "sessions" ? (await findSession(view, name, of)).summary : undefined;
    const known = session?.id ?? name;
    const side = { ...sideFilter(what, known, calendar), ...optional("source", session?.source) };
    const query = { ...filter, ...side, by: ["model"] as const };
    const zone = optional("timezone", timezone);
    return { name: known, report: await usageReport(view, prices, { ...query, ...zone }) };
  };
  return comparison(what, [await sideOf(names[0]), await sideOf(names[1])]);
}

export interface BudgetRequest {
  budgetMicroUsd: number;
  nowMs: number;
  timezone?: string;
  filter?: LedgerFilter;
}

/** Compares this month's cost with a budget. */
export async function budgetAnswer(
  view: StoreView,
  prices: PriceBook,
  { budgetMicroUsd, nowMs, timezone, filter = {} }: BudgetRequest,
): Promise<BudgetAnswer> {
  const month = monthOf(nowMs, new Calendar(timezone));
  const { sinceMs, untilMs } = month;
  const query = { ...filter, sinceMs, untilMs, by: ["model"] as const };
  const { totals } = await usageReport(view, prices, query);
  return budgetOf(budgetMicroUsd, { month, nowMs, totals });
}
