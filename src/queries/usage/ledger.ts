import type { LedgerFilter } from "../../core/filter.ts";
import type { Group, PaidReply } from "../../core/usage-fact.ts";
import type { Calendar, PeriodRange, TimeRange } from "../calendar.ts";
import { UNKNOWN } from "../calendar.ts";
import type { Grouping, StoredGrouping } from "./groupings.ts";
import { isPeriod, storedGrouping } from "./groupings.ts";
import type { PriceBook } from "../prices/prices.ts";

export type { LedgerFilter } from "../../core/filter.ts";

/** How subsessions are told: as sessions of their own, or as a part of the one that began them. */
export type Subagents = "separate" | "rolled-up";

/** `timeless`: replies of which no time is known. */
export type StoredRange = TimeRange | "timeless";

/** What a store is asked for, to be priced and shown. */
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

/** How groups of a report are asked for, and what the groups of the answer stand for. */
export interface GroupPlan {
  by: readonly StoredGrouping[];
  ranges?: readonly StoredRange[];
  /** The groups in the words of the report, the outer one first. */
  pathOf: (stored: readonly Group[]) => Group[];
}

/** Ranges of time for the periods among the groupings; only those that hold anything. */
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

/** Periods within periods: a range is where two of them overlap, and so a group of each. */
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

/** When a reply was made; without a time of its own, when its session began. */
export function replyTime({ at, startedAt }: Pick<PaidReply, "at" | "startedAt">): {
  at: string | undefined;
  ms: number | undefined;
} {
  const known = at ?? startedAt ?? undefined;
  const ms = known === undefined ? Number.NaN : Date.parse(known);
  return { at: known, ms: Number.isNaN(ms) ? undefined : ms };
}
