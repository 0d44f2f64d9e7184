import type { LedgerFilter } from "../../core/filter/filter.ts";
import type { Group, PaidReply } from "../../core/usage/usage-fact.ts";
import type { Calendar, PeriodRange, TimeRange } from "../calendar.ts";
import { UNKNOWN } from "../calendar.ts";
import type { Grouping, StoredGrouping } from "./groupings.ts";
import { isPeriod, storedGrouping } from "./groupings.ts";
import type { PriceBook } from "../prices/prices.ts";

export type { LedgerFilter } from "../../core/filter/filter.ts";

/** Subsessions are counted as separate sessions, or as part of the session that started them. */
export type Subagents = "separate" | "rolled-up";

/** `timeless`: replies without a known time. */
export type StoredRange = TimeRange | "timeless";

/** A usage query to the store. */
export interface BucketPlan {
  filter: LedgerFilter;
  by: readonly StoredGrouping[];
  ranges?: readonly StoredRange[] | undefined;
  priceDates: readonly number[];
  thresholds: readonly number[];
  subagents: Subagents;
  only?: "buckets" | "sessions";
}

export function bucketPlan(
  filter: LedgerFilter,
  prices: Pick<PriceBook, "dates" | "thresholds">,
  more: Partial<Pick<BucketPlan, "by" | "ranges" | "subagents" | "only">> = {},
): BucketPlan {
  return {
    filter,
    by: [],
    priceDates: prices.dates,
    thresholds: prices.thresholds,
    subagents: "separate",
    ...more,
  };
}

/** The groupings for the store, and how to map its groups back to those of the report. */
export interface GroupPlan {
  by: readonly StoredGrouping[];
  ranges?: readonly StoredRange[];
  /** Maps stored groups to groups of the report, outer group first. */
  pathOf: (stored: readonly Group[]) => Group[];
}

/** Builds time ranges for period groupings, only where `days` has any usage. */
export function planGroups(
  by: readonly Grouping[],
  calendar: Calendar,
  days: readonly number[],
): GroupPlan {
  const [first, second] = by;
  if (isPeriod(first) && isPeriod(second)) {
    return planPairs(calendar.periods(days, first), calendar.periods(days, second));
  }
  const period = by.find(isPeriod);
  const periods = period === undefined ? [] : calendar.periods(days, period);
  const pathOf = (stored: readonly Group[]): Group[] =>
    stored.map((group, level) => {
      return isPeriod(by[level]) ? { key: periods[Number(group.key)]?.key ?? UNKNOWN } : group;
    });
  const ranges = period === undefined ? {} : { ranges: [...periods, "timeless"] as const };
  return { by: by.map(storedGrouping), ...ranges, pathOf };
}

/** Nested periods: each range is the overlap of two periods, and belongs to both. */
function planPairs(first: readonly PeriodRange[], second: readonly PeriodRange[]): GroupPlan {
  const pairs = first.flatMap((a) =>
    second.flatMap((b) => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
      return from < to ? [{ from, to, path: [{ key: a.key }, { key: b.key }] }] : [];
    }),
  );
  const pathOf = ([range]: readonly Group[]): Group[] =>
    range ? (pairs[Number(range.key)]?.path ?? [{ key: UNKNOWN }, { key: UNKNOWN }]) : [];
  return { by: ["range"], ranges: [...pairs, "timeless"], pathOf };
}

/** The time of a reply; defaults to the start of its session. */
export function replyTime({ at, startedAt }: Pick<PaidReply, "at" | "startedAt">): {
  at: string | undefined;
  ms: number | undefined;
} {
  const known = at ?? startedAt ?? undefined;
  const ms = known === undefined ? Number.NaN : Date.parse(known);
  return { at: known, ms: Number.isNaN(ms) ? undefined : ms };
}
