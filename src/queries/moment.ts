import { addDays, Calendar } from "./calendar.ts";

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };
const UNIT_DAYS: Readonly<Record<string, number>> = { d: 1, w: 7 };

export interface MomentOptions {
  now: Date;
  /** Whether a day means its start or its end. */
  edge: "begin" | "end";
  /** The time zone of days; the machine's own by default. */
  timezone?: string | undefined;
}

/**
 * Parses a point in time: `2026-11-15` (a day), `2026-11-15T09:30`, an ISO time with its zone,
 * `12h` or `30m` (ago), `today`, `yesterday`, and `7d` or `2w`: the start of the last seven days,
 * including today. "30 days" means the same days on every screen.
 */
export function momentOf(text: string, { now, edge, timezone }: MomentOptions): number | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (UNIT_MS[unit] !== undefined) return now.getTime() - Number(count) * UNIT_MS[unit];
  const calendar = new Calendar(timezone);
  const dayFromToday = (days: number): number => {
    return calendar.startOf(addDays(calendar.dayOf(now.getTime()), days));
  };
  if (UNIT_DAYS[unit] !== undefined) return dayFromToday(1 - Number(count) * UNIT_DAYS[unit]);
  const onward = edge === "end" ? 1 : 0;
  const named = { today: 0, yesterday: -1 }[text];
  if (named !== undefined) return dayFromToday(named + onward);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    return isDay(text) ? calendar.startOf(addDays(text, onward)) : undefined;
  }
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Rejects 31 February instead of moving it to March. */
function isDay(text: string): boolean {
  return !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && addDays(text, 0) === text;
}
