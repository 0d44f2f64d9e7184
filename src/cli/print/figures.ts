import { DAY_MS } from "../../core/instant.ts";

const GROUPS = /\B(?=(\d{3})+$)/g;

/** `12,345`; unknown is a dash. */
export function exact(count: number | null): string {
  return count === null ? "–" : String(count).replace(GROUPS, ",");
}

/** `987`, `12.3k`, `4.56M`: three digits are enough to compare. */
export function shortNumber(count: number | null): string {
  if (count === null) return "–";
  if (count < 1000) return String(count);
  for (const [unit, amount] of [
    ["k", 1e3],
    ["M", 1e6],
    ["G", 1e9],
  ] as const) {
    const figures = threeFigures(count / amount);
    if (figures !== undefined) return `${figures}${unit}`;
  }
  return `${Math.round(count / 1e12)}T`;
}

function threeFigures(value: number): string | undefined {
  if (value >= 999.5) return undefined;
  const digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return value.toFixed(digits);
}

/** `1 file`, `12,345 files`. */
export function counted(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${exact(count)} ${count === 1 ? noun : nouns}`;
}

/** `812 B`, `2.10 kB`, `33.4 MB`. */
export function size(bytes: number): string {
  const text = shortNumber(bytes);
  const unit = /[kMGT]$/.exec(text)?.[0] ?? "";
  return `${text.slice(0, text.length - unit.length)} ${unit}B`;
}

export const MONTHS: readonly string[] = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
];

/** A moment in a list: `Nov 15 07:13` within a year, else `2025-11-15`; unknown is a dash. */
export function moment(at: string | null, now: Date): string {
  const date = dateOf(at);
  if (!date) return "–";
  const isFar = Math.abs(now.getTime() - date.getTime()) > 300 * DAY_MS;
  if (isFar) return day(date);
  return `${MONTHS[date.getMonth()] ?? ""} ${String(date.getDate()).padStart(2)} ${clock(date)}`;
}

/** A moment where space is short: `07:13` today, `Nov 14` within a year. */
export function briefMoment(at: string | null, now: Date): string {
  const date = dateOf(at);
  return date && day(date) === day(now) ? clock(date) : moment(at, now).replace(/ \d\d:\d\d$/, "");
}

/** A moment in full: `2026-11-15 07:13`. */
export function fullMoment(at: string | null): string {
  const date = dateOf(at);
  return date ? `${day(date)} ${clock(date)}` : "–";
}

/** `2026-02-10` */
export function dayOfMoment(at: string | null): string {
  const date = dateOf(at);
  return date ? day(date) : "–";
}

/** The time of day: `07:13`. */
export function timeOfDay(at: string | null): string {
  const date = dateOf(at);
  return date ? clock(date) : "";
}

/** `48s`, `12m`, `3h 20m`, `2d 4h`. */
export function duration(fromAt: string | null, toAt: string | null): string {
  const from = dateOf(fromAt);
  const to = dateOf(toAt);
  if (!from || !to || to < from) return "–";
  const seconds = Math.round((to.getTime() - from.getTime()) / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 60) return `${seconds}s`;
  if (minutes < 60) return `${minutes}m`;
  if (hours < 48) return `${hours}h ${minutes % 60}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** Undefined for a missing or invalid time. */
function dateOf(at: string | null): Date | undefined {
  const date = new Date(at ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function day(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

function clock(date: Date): string {
  const parts = [date.getHours(), date.getMinutes()];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
