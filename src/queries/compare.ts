import { PolluxError } from "../core/error.ts";
import type { LedgerFilter } from "../core/filter/filter.ts";
import type { Calendar } from "./calendar.ts";
import { addDays } from "./calendar.ts";
import type { Sums } from "./usage/tally.ts";
import type { UsageReport, UsageRow } from "./usage/usage.ts";

export const COMPARED = ["sessions", "models", "projects", "periods"] as const;
export type Compared = (typeof COMPARED)[number];

/** Two things side by side, and how the second differs from the first. */
export interface Comparison {
  what: Compared;
  sides: [ComparedSide, ComparedSide];
  delta: Delta;
}

interface ComparedSide {
  name: string;
  totals: Sums;
  /** Share of prompt tokens that came from the cache. */
  cacheShare: number | null;
  /** Most expensive first. */
  models: UsageRow[];
}

/** Second side minus first; `null` if either is unknown. */
interface Delta {
  costMicroUsd: number | null;
  tokens: number;
  requests: number;
  sessions: number;
  /** Relative to the first side, rounded to a thousandth: 0.25 means a quarter more. */
  costShare: number | null;
  tokenShare: number | null;
}

/** The filter for one side. A period is `2026-10`, `2026-10-15` or `2026-10-01..2026-10-15`. */
export function sideFilter(what: Compared, name: string, calendar: Calendar): LedgerFilter {
  switch (what) {
    case "sessions":
      return { session: name };
    case "models":
      return { model: name };
    case "projects":
      return { project: name };
    case "periods":
      return periodNamed(name, calendar);
    default:
      return what satisfies never;
  }
}

const DAY = String.raw`\d{4}-\d\d-\d\d`;
const PERIOD = new RegExp(`^(?:(\\d{4}-\\d\\d)|(${DAY})(?:\\.\\.(${DAY}))?)$`);

function periodNamed(name: string, calendar: Calendar): LedgerFilter {
  const [, month, first, last] = PERIOD.exec(name) ?? [];
  const from = month === undefined ? first : `${month}-01`;
  const to = month === undefined ? (last ?? first) : lastDayOf(month);
  const isThere = from !== undefined && to !== undefined && isDay(from) && isDay(to) && from <= to;
  if (!isThere) {
    throw new PolluxError("wrong-usage", `"${name}" is not a period.`, {
      remedy: "Use a month (2026-10), a day (2026-10-15) or a range (2026-10-01..2026-10-15).",
    });
  }
  return { sinceMs: calendar.startOf(from), untilMs: calendar.startOf(addDays(to, 1)) };
}

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

function lastDayOf(month: string): string {
  const first = `${month}-01`;
  return isDay(first) ? addDays(`${addDays(first, 32).slice(0, 7)}-01`, -1) : "";
}

export function comparison(
  what: Compared,
  [first, second]: readonly [
    { name: string; report: UsageReport },
    { name: string; report: UsageReport },
  ],
): Comparison {
  const sides: Comparison["sides"] = [sideOf(first), sideOf(second)];
  return { what, sides, delta: deltaOf(sides[0].totals, sides[1].totals) };
}

function sideOf({ name, report }: { name: string; report: UsageReport }): ComparedSide {
  const { totals, cacheShare, rows } = report;
  return { name, totals, cacheShare, models: rows };
}

function deltaOf(before: Sums, after: Sums): Delta {
  const [old, now] = [before.costMicroUsd, after.costMicroUsd];
  const tokens = after.tokens.total - before.tokens.total;
  const cost = old === null || now === null ? null : now - old;
  return {
    costMicroUsd: cost,
    tokens,
    requests: after.requests - before.requests,
    sessions: after.sessions - before.sessions,
    costShare: cost === null ? null : shareOf(cost, old ?? 0),
    tokenShare: shareOf(tokens, before.tokens.total),
  };
}

function shareOf(change: number, of: number): number | null {
  return of === 0 ? null : Math.round((change / of) * 1000) / 1000;
}
