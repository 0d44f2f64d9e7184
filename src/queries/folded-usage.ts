import type { Calendar } from "./calendar.ts";
import { readDays } from "./day-sums.ts";
import type { PriceBook } from "./prices.ts";
import type { UsagePart, UsageQuery, UsageReport } from "./usage.ts";
import { partOfUsage, reportParts } from "./usage.ts";
import type { UsageBasis } from "./usage-basis.ts";

/** The sums by day of many sessions, added up as one question asks. */
interface FoldedUsage extends UsagePart {
  /** As the calendar calls it. */
  timezone: string;
}

export interface FoldWish {
  query: UsageQuery;
  calendar: Calendar;
  prices: PriceBook;
}

/** `like`: others in the same zone, folded before; naming a zone takes longer than adding up. */
export function foldDays(
  texts: readonly string[],
  { query, calendar, prices }: FoldWish,
  like: string | undefined,
): string {
  const sessions = texts.map(readDays);
  const digests = sessions.map(({ digest }) => digest);
  const sums = sessions.flatMap(({ requests }) => requests);
  const part = partOfUsage({ digests, sums, prices }, query, calendar);
  const timezone = like === undefined ? calendar.timezone : read(like).timezone;
  return JSON.stringify({ timezone, ...part } satisfies FoldedUsage);
}

/** The report that all sessions together would give. */
export function reportFolded(
  texts: readonly string[],
  basis: UsageBasis,
  { query, calendar }: FoldWish,
): UsageReport {
  const parts = texts.map(read);
  const timezone = parts[0]?.timezone ?? calendar.timezone;
  return reportParts(parts, { basis, query, timezone });
}

function read(text: string): FoldedUsage {
  return JSON.parse(text) as FoldedUsage;
}
