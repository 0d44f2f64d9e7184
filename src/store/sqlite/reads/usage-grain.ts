import { PROMPT_BORDERS, QUARTER_MS } from "../../prompt-classes.ts";
import type { BucketKey, BucketQuery } from "../../store.ts";
import type { Database } from "../database.ts";
import { canUseDayBuckets } from "../derived/day-buckets.ts";

/**
 * The table to sum: the coarsest one that can answer the query. In day buckets, `session_groups`
 * replaces sessions.
 */
export interface Grain {
  table: string;
  sessions: string;
  time: string;
  /** Unit of the time column in milliseconds. */
  unitMs: number;
  requests: string;
  atLeast: string;
  odd: string;
  exceeds: (threshold: number) => string;
}

const BUCKETS: Grain = {
  table: "buckets",
  sessions: "sessions",
  time: "b.quarter",
  unitMs: QUARTER_MS,
  requests: "b.requests",
  atLeast: "b.at_least",
  odd: "b.odd",
  exceeds: (threshold) => `b.prompt_class > ${PROMPT_BORDERS.indexOf(threshold)}`,
};

const DAYS: Grain = { ...BUCKETS, table: "day_buckets", sessions: "session_groups" };

export const REPLIES: Grain = {
  table: "replies",
  sessions: "sessions",
  time: "b.time_ms",
  unitMs: 1,
  requests: "1",
  atLeast: "coalesce(b.is_at_least, 0)",
  odd: "CASE WHEN b.oddities IS NULL THEN 0 ELSE 1 END",
  exceeds: (threshold) => `b.input + coalesce(b.tool, 0) > ${numeral(threshold)}`,
};

/** Groupings that only reply rows support. */
const OF_REPLIES: ReadonlySet<BucketKey> = new Set<BucketKey>(["root", "tool", "mcp"]);

/** Groupings that day buckets support as well. */
const OF_DAYS: ReadonlySet<BucketKey> = new Set<BucketKey>([
  "range",
  "model",
  "source",
  "project",
  "kind",
  "standing",
  "purpose",
]);

/** All times at which a range, filter or price begins or ends. */
function bordersOf({ ranges = [], priceDates, filter }: BucketQuery): number[] {
  return [
    ...priceDates,
    ...ranges.flatMap((range) => (range === "timeless" ? [] : [range.from, range.to])),
    ...[filter.sinceMs, filter.untilMs].flatMap((time) => time ?? []),
  ];
}

/** Day buckets do not separate sessions, so they are used only for sums. */
export function grainOfSums(database: Database, query: BucketQuery): Grain {
  const grain = grainOf(query);
  return grain === BUCKETS && isAboutDays(database, query) ? DAYS : grain;
}

function isAboutDays(database: Database, query: BucketQuery): boolean {
  const { by, subagents } = query;
  const isOfGroups = by.every((key) => OF_DAYS.has(key)) && subagents !== "rolled-up";
  return isOfGroups && canUseDayBuckets(database, query, bordersOf(query));
}

/**
 * Buckets suffice if no border lies within a quarter of an hour and no threshold within a prompt
 * class.
 */
export function grainOf(query: BucketQuery): Grain {
  const { by, thresholds } = query;
  const isEnough =
    bordersOf(query).every((time) => time % QUARTER_MS === 0) &&
    thresholds.every((threshold) => PROMPT_BORDERS.includes(threshold)) &&
    !by.some((key) => OF_REPLIES.has(key));
  return isEnough ? BUCKETS : REPLIES;
}

/** A computed number as an SQL literal. */
export function numeral(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a time.`);
  return String(value);
}
