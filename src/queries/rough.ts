import type { Calendar } from "./calendar.ts";
import type { Grouping } from "./groupings.ts";
import type { UsageQuery } from "./usage.ts";

const ROUGH: ReadonlySet<Grouping> = new Set([
  "hour",
  "day",
  "week",
  "month",
  "model",
  "kind",
  "root",
]);

/** Whether an answer needs no more of a session than when it was, what it is, and what it cost. */
export function isRoughEnough(query: UsageQuery): boolean {
  const { by = ["day"], project, session, status, subagents = "separate" } = query;
  const isForAll = project === undefined && session === undefined && status === undefined;
  return isForAll && subagents === "separate" && by.every((grouping) => ROUGH.has(grouping));
}

/** Whether sums by day answer a question: no hours, no tools, no part of a day. */
export function isDaily(query: UsageQuery, calendar: Calendar): boolean {
  const { by = ["day"], sinceMs, untilMs } = query;
  const isWhole = (ms: number | undefined): boolean => {
    return ms === undefined || calendar.startOf(calendar.dayOf(ms)) === ms;
  };
  return isRoughEnough(query) && !by.includes("hour") && isWhole(sinceMs) && isWhole(untilMs);
}

/**
 * Whether sums over some sessions can be added to sums over others: a limit asks how many sessions
 * are in several groups, and a period soon becomes another one.
 */
export function isAdditive(query: UsageQuery): boolean {
  const { by = ["day"], sinceMs, untilMs, limit } = query;
  const isWhole = sinceMs === undefined && untilMs === undefined && limit === undefined;
  return isWhole && isRoughEnough(query) && !by.includes("hour");
}
