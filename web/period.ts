/** The periods of a view. Days are in the user's time zone. */
export const PERIODS = ["today", "7d", "30d", "90d", "month", "year", "all"] as const;
export type PeriodName = (typeof PERIODS)[number];

export const PERIOD_LABELS: Readonly<Record<PeriodName, string>> = {
  today: "Today",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  month: "This month",
  year: "Year",
  all: "All",
};

export interface Span {
  since?: string;
  until?: string;
}

/** The period and the filters of a view. */
export interface View extends Span {
  project?: string;
  model?: string;
  agent?: string;
}

/** The days in the URL: a named period, or `since` and `until`. */
export function spanOf(query: URLSearchParams, now: Date, usual: PeriodName): Span {
  const since = query.get("since") ?? "";
  const until = query.get("until") ?? "";
  if (isDay(since) || isDay(until)) {
    return { ...(isDay(since) ? { since } : {}), ...(isDay(until) ? { until } : {}) };
  }
  return namedSpan(periodOf(query, usual), now);
}

export function periodOf(query: URLSearchParams, usual: PeriodName): PeriodName {
  return PERIODS.find((name) => name === query.get("period")) ?? usual;
}

function namedSpan(name: PeriodName, now: Date): Span {
  const back = { today: 0, "7d": 6, "30d": 29, "90d": 89, year: 364 };
  if (name === "all") return {};
  if (name === "month") return { since: `${dayOf(now).slice(0, 8)}01` };
  return { since: addDays(dayOf(now), -back[name]) };
}

/** The same number of days directly before a period; undefined for all time. */
export function spanBefore({ since, until }: Span, now: Date): Required<Span> | undefined {
  if (since === undefined) return undefined;
  const days = dayNumber(until ?? dayOf(now)) - dayNumber(since) + 1;
  return days < 1 ? undefined : { since: addDays(since, -days), until: addDays(since, -1) };
}

export function daysOf({ since, until }: Required<Span>): number {
  return dayNumber(until) - dayNumber(since) + 1;
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(dayNumber(text));
}

export function dayOf(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, "0");
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, "0")}`;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Every day from first to last, including days without usage. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last && days.length < 4000; day = addDays(day, 1)) days.push(day);
  return days;
}
