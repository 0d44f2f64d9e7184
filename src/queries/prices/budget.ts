import type { Calendar } from "../calendar.ts";
import { addDays } from "../calendar.ts";
import type { Sums } from "../usage/tally.ts";
import { DAY_MS } from "../../core/instant.ts";

/** A month compared with its budget. Money in micro-dollars; unknown is `null`. */
export interface BudgetAnswer {
  /** `2026-11` */
  month: string;
  budgetMicroUsd: number;
  spentMicroUsd: number | null;
  /** Share of the budget, rounded to a thousandth. */
  spentShare: number | null;
  /** The month's cost at the current pace; `null` on its first day. */
  forecastMicroUsd: number | null;
  state: "unknown" | "within" | "forecast-over" | "over";
  daysPassed: number;
  daysOfMonth: number;
  /** Requests without a price; with them the month cost more than `spentMicroUsd`. */
  unpricedRequests: number;
}

export interface Month {
  key: string;
  sinceMs: number;
  untilMs: number;
}

export function monthOf(nowMs: number, calendar: Calendar): Month {
  const key = calendar.dayOf(nowMs).slice(0, 7);
  const next = addDays(`${key}-01`, 32).slice(0, 7);
  const [sinceMs, untilMs] = [calendar.startOf(`${key}-01`), calendar.startOf(`${next}-01`)];
  return { key, sinceMs, untilMs };
}

/** Forecasts by dividing the cost so far by the elapsed part of the month. */
export function budgetOf(
  budgetMicroUsd: number,
  { month, nowMs, totals }: { month: Month; nowMs: number; totals: Sums },
): BudgetAnswer {
  const { sinceMs, untilMs, key } = month;
  const passed = (nowMs - sinceMs) / (untilMs - sinceMs);
  const spent = totals.costMicroUsd;
  const daysPassed = Math.floor((nowMs - sinceMs) / DAY_MS);
  const forecast = spent === null || daysPassed < 1 ? null : Math.round(spent / passed);
  return {
    month: key,
    budgetMicroUsd,
    spentMicroUsd: spent,
    spentShare: spent === null ? null : Math.round((spent / budgetMicroUsd) * 1000) / 1000,
    forecastMicroUsd: forecast,
    state: stateOf(budgetMicroUsd, spent, forecast),
    daysPassed,
    daysOfMonth: Math.round((untilMs - sinceMs) / DAY_MS),
    unpricedRequests: totals.unpricedRequests,
  };
}

function stateOf(
  budget: number,
  spent: number | null,
  forecast: number | null,
): BudgetAnswer["state"] {
  if (spent === null) return "unknown";
  if (spent > budget) return "over";
  return forecast !== null && forecast > budget ? "forecast-over" : "within";
}
