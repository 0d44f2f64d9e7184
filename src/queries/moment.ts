const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * An instant as people write it: `2026-11-15` (a day here), `2026-11-15T09:30`, an ISO time with
 * its zone, `7d`, `12h`, `30m`, `2w` (ago), `today`, `yesterday`. A day has two edges.
 */
export function momentOf(
  text: string,
  { now, edge }: { now: Date; edge: "begin" | "end" },
): number | undefined {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago) return now.getTime() - Number(ago[1]) * (UNIT_MS[ago[2] ?? ""] ?? 0);
  const days = edge === "end" ? 1 : 0;
  const named = { today: 0, yesterday: -1 }[text];
  if (named !== undefined) return dayStart(now, named + days);
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (day) return calendarDay(day.slice(1).map(Number), days);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

function dayStart(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
}

/** 31 February is refused, not moved to March. */
function calendarDay(
  [year = 0, month = 0, day = 0]: readonly number[],
  days: number,
): number | undefined {
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return new Date(year, month - 1, day + days).getTime();
}
