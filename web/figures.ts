/** Formats numbers, money and times for the user's language and time zone. */

export const timezone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  currencyDisplay: "narrowSymbol",
});
const cents = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  currencyDisplay: "narrowSymbol",
  minimumFractionDigits: 4,
});
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const dayMonth = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const monthYear = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

export function exact(count: number): string {
  return whole.format(count);
}

export function brief(count: number): string {
  return short.format(count);
}

/** Unknown is a dash, never a zero. */
export function money(micro: number | null | undefined): string {
  if (micro === null || micro === undefined) return "–";
  if (micro === 0) return dollars.format(0);
  return Math.abs(micro) < 10_000 ? cents.format(micro / 1e6) : dollars.format(micro / 1e6);
}

/** With all digits, for tooltips. */
export function exactMoney(micro: number | null | undefined): string {
  if (micro === null || micro === undefined) return "no price known";
  return `$${(micro / 1e6).toFixed(6)}`;
}

export function share(part: number | null): string {
  return part === null ? "–" : percent.format(part);
}

/** Change relative to an earlier value: `▲ +12%`; empty if either is unknown or there was none. */
export function change(now: number | null, before: number | null | undefined): string {
  if (now === null || before === null || before === undefined || before <= 0) return "";
  const part = (now - before) / before;
  const arrow = Math.abs(part) < 0.005 ? "=" : part > 0 ? "▲" : "▼";
  return `${arrow} ${percent.format(Math.abs(part))}`;
}

export function when(at: string | null): string {
  const ms = Date.parse(at ?? "");
  return Number.isNaN(ms) ? "–" : moment.format(ms);
}

export function timeOfDay(at: string | null): string {
  const ms = Date.parse(at ?? "");
  return Number.isNaN(ms) ? "" : clock.format(ms);
}

/** Formats `2026-02-10`, `2026-W07` or `2026-02` for people. */
export function periodName(key: string): string {
  const day = /^\d{4}-\d\d-\d\d$/.test(key) ? new Date(`${key}T12:00:00`) : undefined;
  if (day) return fullDay.format(day);
  const month = /^\d{4}-\d\d$/.test(key) ? new Date(`${key}-15T12:00:00`) : undefined;
  if (month) return monthYear.format(month);
  const week = /^(\d{4})-W(\d\d)$/.exec(key);
  return week ? `week ${Number(week[2])}, ${week[1]}` : key;
}

export function shortPeriod(key: string): string {
  const day = /^\d{4}-\d\d-\d\d$/.test(key) ? new Date(`${key}T12:00:00`) : undefined;
  if (day) return dayMonth.format(day);
  return key.includes("W") ? `W${key.slice(-2)}` : periodName(key);
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export function ago(at: string | null, nowMs: number): string {
  const ms = Date.parse(at ?? "");
  if (Number.isNaN(ms)) return "–";
  for (const [unit, lengthMs] of UNITS) {
    const count = Math.trunc((ms - nowMs) / lengthMs);
    if (count !== 0) return relative.format(count, unit);
  }
  return relative.format(0, "minute");
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1 << 20) return `${(bytes / 1024).toFixed(0)} KB`;
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

export function counted(count: number, noun: string): string {
  return `${exact(count)} ${noun}${count === 1 ? "" : "s"}`;
}
