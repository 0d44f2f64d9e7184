import { PolluxError } from "../core/error.ts";
import { DAY_MS } from "../core/instant.ts";

const PERIODS = ["hour", "day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** Key of the group for times that are missing or invalid. */
export const UNKNOWN = "unknown";

/** Zone offsets change on quarter hours only, so one result holds for the whole quarter. */
export const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
/** Before this, zones had offsets with odd seconds. */
const REGULAR_FROM_MS = Date.UTC(1980, 0, 1);

/** Half-open, in epoch milliseconds. */
export interface TimeRange {
  from: number;
  to: number;
}

export interface PeriodRange extends TimeRange {
  key: string;
}

/**
 * Local days and hours of one time zone. Loading the `Intl` zone tables takes longer than a typical
 * query, so for the machine's own zone they are loaded only when its name is needed.
 */
export class Calendar {
  #format: Intl.DateTimeFormat | undefined;
  #name: string | undefined;
  readonly #isOwn: boolean;
  readonly #hours = new Map<number, string>();

  /** Defaults to the machine's zone. */
  constructor(timezone: string | undefined) {
    this.#isOwn = timezone === undefined;
    if (timezone !== undefined) this.#format = formatOf(timezone);
  }

  get timezone(): string {
    this.#name ??= this.#zoned.resolvedOptions().timeZone;
    return this.#name;
  }

  /** `2026-02-10T14`, `2026-02-10`, `2026-W07` or `2026-02`. */
  keyOf(at: string | undefined, period: Period): string {
    const hour = at === undefined ? undefined : this.#hourOf(Date.parse(at));
    if (hour === undefined) return UNKNOWN;
    if (period === "hour") return hour;
    if (period === "month") return hour.slice(0, 7);
    const day = hour.slice(0, 10);
    return period === "day" ? day : weekOf(day);
  }

  dayOf(ms: number): string {
    return this.#hourOf(ms)?.slice(0, 10) ?? UNKNOWN;
  }

  /** The first instant of a local day (with clock changes, a day may begin at one o'clock). */
  startOf(day: string): number {
    let low = Date.parse(`${day}T00:00:00Z`) - 15 * HOUR_MS;
    let high = low + 30 * HOUR_MS;
    const step = low < REGULAR_FROM_MS ? 1 : QUARTER_MS;
    while (high - low > step) {
      const middle = low + Math.floor((high - low) / 2 / step) * step;
      if (this.dayOf(middle) < day) low = middle;
      else high = middle;
    }
    return high;
  }

  /**
   * The periods that contain any of the given UTC days, in order, each with its time range. Only
   * periods near these days are built: a single wrong timestamp must not create a century of
   * ranges.
   */
  periods(days: readonly number[], period: Period): PeriodRange[] {
    const starts = period === "hour" ? this.#hours24(days) : this.#daysOf(days, period);
    return [...starts].map(([key, range]) => ({ key, ...range }));
  }

  /** The range of one period, by its key. */
  rangeOf(key: string, period: Period): TimeRange | undefined {
    const day = Math.floor(Date.parse(`${firstDateOf(key, period)}T00:00:00Z`) / DAY_MS);
    if (Number.isNaN(day)) return undefined;
    return this.periods([day - 1, day, day + 1], period).find((range) => range.key === key);
  }

  #daysOf(days: readonly number[], period: Exclude<Period, "hour">): Map<string, TimeRange> {
    const ranges = new Map<string, TimeRange>();
    for (const day of days) {
      for (const ms of [day * DAY_MS, (day + 1) * DAY_MS - 1]) {
        const local = this.dayOf(ms);
        const first = local === UNKNOWN ? UNKNOWN : firstDayOf(local, period);
        const key = first === UNKNOWN ? UNKNOWN : this.#periodOf(first, period);
        if (ranges.has(key) && key !== UNKNOWN) continue;
        const range =
          first === UNKNOWN
            ? { from: day * DAY_MS, to: (day + 1) * DAY_MS }
            : { from: this.startOf(first), to: this.startOf(dayAfter(first, period)) };
        ranges.set(key, {
          ...range,
          from: Math.min(range.from, ranges.get(key)?.from ?? Infinity),
        });
      }
    }
    return ranges;
  }

  #periodOf(day: string, period: Exclude<Period, "hour">): string {
    if (period === "day") return day;
    return period === "week" ? weekOf(day) : day.slice(0, 7);
  }

  #hours24(days: readonly number[]): Map<string, TimeRange> {
    const ranges = new Map<string, TimeRange>();
    for (const day of days) {
      // An hour may begin before the UTC day and end after it.
      for (let at = day * DAY_MS - HOUR_MS; at < (day + 1) * DAY_MS + HOUR_MS; at += QUARTER_MS) {
        const key = this.#hourOf(at) ?? UNKNOWN;
        const known = ranges.get(key);
        if (known) known.to = at + QUARTER_MS;
        else ranges.set(key, { from: at, to: at + QUARTER_MS });
      }
    }
    return ranges;
  }

  #hourOf(ms: number): string | undefined {
    if (Number.isNaN(ms)) return undefined;
    if (ms < REGULAR_FROM_MS) return this.#tell(ms);
    const quarter = Math.floor(ms / QUARTER_MS);
    const known = this.#hours.get(quarter);
    if (known !== undefined) return known;
    const hour = this.#tell(ms);
    if (hour !== undefined) this.#hours.set(quarter, hour);
    return hour;
  }

  #tell(ms: number): string | undefined {
    if (this.#isOwn && ms >= REGULAR_FROM_MS) return ownHour(new Date(ms));
    const hour = this.#zoned.format(ms).replace(" ", "T");
    return /^\d{4}-\d\d-\d\dT\d\d$/.test(hour) ? hour : undefined;
  }

  get #zoned(): Intl.DateTimeFormat {
    return (this.#format ??= formatIn(undefined));
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 8;

/** Creating a format takes longer than most queries, so those of the last zones are reused. */
function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  if (formats.size >= MOST_FORMATS) formats.clear();
  const format = formatIn(timezone);
  formats.set(timezone, format);
  return format;
}

function formatIn(timezone: string | undefined): Intl.DateTimeFormat {
  // Swedish dates are written like ISO ones: 2026-02-10 14.
  const fields = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" } as const;
  const zone = timezone === undefined ? {} : { timeZone: timezone };
  try {
    return new Intl.DateTimeFormat("sv-SE", { ...fields, hourCycle: "h23", ...zone });
  } catch {
    throw new PolluxError("wrong-usage", `Unknown time zone "${timezone}".`, {
      remedy: "Use a name such as UTC or Europe/Berlin.",
    });
  }
}

function ownHour(date: Date): string | undefined {
  const year = date.getFullYear();
  if (year > 9999) return undefined;
  const month = twoDigits(date.getMonth() + 1);
  return `${year}-${month}-${twoDigits(date.getDate())}T${twoDigits(date.getHours())}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

/** The ISO week of a day: weeks begin on Monday, and the first holds the year's first Thursday. */
export function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const weekday = (date.getUTCDay() + 6) % 7;
  date.setUTCDate(date.getUTCDate() - weekday + 3);
  const year = date.getUTCFullYear();
  const first = Date.UTC(year, 0, 4);
  const firstMonday = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS;
  const week = 1 + Math.floor((date.getTime() - firstMonday) / 604_800_000);
  return `${year}-W${String(week).padStart(2, "0")}`;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function firstDayOf(day: string, period: Exclude<Period, "hour">): string {
  if (period === "day") return day;
  if (period === "month") return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** The first day of the period after the one that begins with this day. */
function dayAfter(first: string, period: Exclude<Period, "hour">): string {
  if (period === "day") return addDays(first, 1);
  if (period === "week") return addDays(first, 7);
  return `${addDays(first, 31).slice(0, 7)}-01`;
}

/** The first day of the period that the key names. */
function firstDateOf(key: string, period: Period): string {
  if (period === "month") return `${key}-01`;
  if (period !== "week") return key.slice(0, 10);
  const [year = "", week = ""] = key.split("-W");
  return addDays(firstDayOf(`${year}-01-04`, "week"), (Number(week) - 1) * 7);
}
