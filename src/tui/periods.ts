import { MONTHS } from "../cli/print/figures.ts";
import type { Grouping } from "../queries/usage/groupings.ts";
import type { TimeRange } from "../queries/calendar.ts";
import { addDays, Calendar } from "../queries/calendar.ts";

export const PERIODS = ["today", "7 days", "30 days", "month", "year", "all"] as const;
export type Period = (typeof PERIODS)[number];

/** A period: its range, the range it is compared with, and how it is drawn. */
export interface Span {
  sinceMs?: number;
  /** A range of the same length before it. */
  before?: { sinceMs: number; untilMs: number; name: string };
  by: Extract<Grouping, "hour" | "day" | "week" | "month">;
  /** Keys of the bars in order, including empty ones; empty if not known in advance. */
  keys: readonly string[];
  /** The time range of a bar. */
  rangeOf(key: string): TimeRange | undefined;
}

export function spanOf(period: Period, nowMs: number, timezone: string | undefined): Span {
  const calendar = new Calendar(timezone);
  const drawn = drawnSpan(period, nowMs, calendar);
  return { ...drawn, rangeOf: (key) => calendar.rangeOf(key, drawn.by) };
}

function drawnSpan(period: Period, nowMs: number, calendar: Calendar): Omit<Span, "rangeOf"> {
  const today = calendar.dayOf(nowMs);
  const start = (day: string): number => calendar.startOf(day);
  /** Since a day, compared with a range of the same length that began on another day. */
  const compared = (day: string, other: string, name: string) => {
    const sinceMs = start(day);
    const otherMs = start(other);
    const untilMs = Math.min(otherMs + (nowMs - sinceMs), sinceMs);
    return { sinceMs, before: { sinceMs: otherMs, untilMs, name } };
  };
  switch (period) {
    case "today":
      return {
        ...compared(today, addDays(today, -1), "yesterday by this time"),
        by: "hour",
        keys: Array.from({ length: 24 }, (_, hour) => `${today}T${String(hour).padStart(2, "0")}`),
      };
    case "7 days":
      return { ...lastDays(7), by: "day", keys: daysFrom(addDays(today, -6), today) };
    case "30 days":
      return { ...lastDays(30), by: "day", keys: daysFrom(addDays(today, -29), today) };
    case "month": {
      const first = `${today.slice(0, 8)}01`;
      const before = `${addDays(first, -1).slice(0, 8)}01`;
      const span = compared(first, before, "last month by this day");
      return { ...span, by: "day", keys: daysFrom(first, today) };
    }
    case "year": {
      const first = `${today.slice(0, 5)}01-01`;
      const before = `${Number(today.slice(0, 4)) - 1}-01-01`;
      const months = Array.from({ length: Number(today.slice(5, 7)) }, (_, at) => {
        return `${today.slice(0, 5)}${String(at + 1).padStart(2, "0")}`;
      });
      return { ...compared(first, before, "last year by this day"), by: "month", keys: months };
    }
    case "all":
      return { by: "month", keys: [] };
    default:
      return period satisfies never;
  }

  function lastDays(days: number): Pick<Span, "sinceMs" | "before"> {
    const first = addDays(today, 1 - days);
    return compared(first, addDays(first, -days), `the ${days} days before`);
  }
}

function daysFrom(first: string, last: string): string[] {
  const days = [first];
  for (let day = first; day < last; days.push(day)) day = addDays(day, 1);
  return days;
}

/** Label of a bar: `14:00`, `Nov 15`, `Nov 2026`. */
export function shortKey(key: string): string {
  const [day = "", hour] = key.split("T");
  if (hour !== undefined) return `${hour}:00`;
  const [year = "", month = "", date] = day.split("-");
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return key;
  return date === undefined ? `${name} ${year}` : `${name} ${Number(date)}`;
}
