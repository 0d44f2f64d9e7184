import { Calendar, UNKNOWN } from "./calendar.ts";
import type { Group, GroupingContext, GroupOf, Grouping } from "./groupings.ts";
import { groupingOf, ownerOf } from "./groupings.ts";
import type { Ledger, LedgerFilter, PaidRequest, Subagents } from "./ledger.ts";
import { requestsOf } from "./ledger.ts";
import { roundMoney } from "./cost.ts";
import type { PriceSource } from "./prices.ts";
import type { PackedTally, Sums } from "./tally.ts";
import { shareCost, Tally } from "./tally.ts";
import type { UsageBasis } from "./usage-basis.ts";
import type { PackedRemarks, UsageCoverage, UsageRemarks } from "./usage-remarks.ts";
import { Remarks } from "./usage-remarks.ts";

export const SORTS = ["key", "cost", "tokens", "requests", "sessions"] as const;
export type Sort = (typeof SORTS)[number];

/** What is asked of the ledger. */
export interface UsageQuery extends LedgerFilter {
  /** One grouping, or a second one within the first. */
  by?: readonly [Grouping] | readonly [Grouping, Grouping];
  /** The system's zone by default. */
  timezone?: string;
  /** Periods in order and all else by cost, by default. */
  sort?: Sort;
  /** At most so many rows; the rest is told as one. */
  limit?: number;
  subagents?: Subagents;
}

/** Sums of one group. */
export interface UsageRow extends Sums {
  key: string;
  /** How people call it, when that is not its key. */
  label: string | null;
  /** The groups within it, when two groupings were asked for. */
  rows?: UsageRow[];
}

/** What was used, by groups that add up to the totals. Unknown is `null`. */
export interface UsageReport extends UsageRemarks {
  /** `day`, or `month,model`. */
  by: string;
  period: { since: string | null; until: string | null; timezone: string };
  rows: UsageRow[];
  /** Rows beyond the limit, as one. */
  others: (UsageRow & { groups: number }) | null;
  totals: Sums;
  coverage: UsageCoverage;
  prices: PriceSource;
}

/** Sums over some sessions, to be added to those over others: no session may be in both. */
export interface UsagePart {
  groups: PackedGroup;
  remarks: PackedRemarks;
}

export function reportUsage(basis: UsageBasis, query: UsageQuery = {}): UsageReport {
  const calendar = new Calendar(query.timezone);
  return tell(addUp(basis, query, calendar), { basis, query, timezone: calendar.timezone });
}

/** The sums of a report, as they are before they are rounded and put in order. */
export function partOfUsage(ledger: Ledger, query: UsageQuery, calendar: Calendar): UsagePart {
  const { groups, remarks } = addUp(ledger, query, calendar);
  return { groups: groups.pack(), remarks: remarks.pack() };
}

/** The same report, from parts that hold all sessions together. Not for one with a limit. */
export function reportParts(
  parts: readonly UsagePart[],
  about: { basis: UsageBasis; query: UsageQuery; timezone: string },
): UsageReport {
  const groups = new GroupTally([]);
  const remarks = new Remarks(about.query.subagents ?? "separate");
  for (const part of parts) {
    groups.unpack(part.groups);
    remarks.unpack(part.remarks);
  }
  return tell({ groups, remarks }, about);
}

interface Added {
  groups: GroupTally;
  remarks: Remarks;
}

function addUp(ledger: Ledger, query: UsageQuery, calendar: Calendar): Added {
  const { by = ["day"], subagents = "separate" } = query;
  const digests = new Map(ledger.digests.map((digest) => [digest.summary.id, digest]));
  const context: GroupingContext = { calendar, subagents, digests };
  const groups = new GroupTally(by.map((grouping) => groupingOf(grouping, context)));
  const remarks = new Remarks(subagents);
  for (const request of requestsOf(ledger, query)) {
    const owner = ownerOf(request.digest, context);
    groups.add(request, owner.summary.id);
    remarks.add(request);
  }
  return { groups, remarks };
}

function tell(
  { groups, remarks }: Added,
  { basis, query, timezone }: { basis: UsageBasis; query: UsageQuery; timezone: string },
): UsageReport {
  const { by = ["day"] } = query;
  const totals = groups.tally.sums();
  const { shown, rest } = split(groups.children(by, query.sort), { by, query });
  const others = mergeAll(rest);
  const costs = shareCost(
    [...shown.map(({ tally }) => tally), others],
    roundMoney(groups.tally.cost),
  );
  return {
    by: by.join(","),
    period: { since: instant(query.sinceMs), until: instant(query.untilMs), timezone },
    rows: shown.map((child, at) => child.row(costs[at] ?? 0, { within: by.slice(1), query })),
    others: rest.length === 0 ? null : othersRow(others, rest.length, costs.at(-1)),
    totals,
    ...remarks.tell(basis, query),
    prices: basis.prices.from,
  };
}

function instant(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

type PackedGroup = [group: Group, tally: PackedTally, within: PackedGroup[]];

/** A group with the groups within it. */
class GroupTally {
  readonly tally: Tally = new Tally();
  readonly #within: readonly GroupOf[];
  readonly #group: Group;
  readonly #children = new Map<string, GroupTally>();

  constructor(within: readonly GroupOf[], group: Group = { key: "" }) {
    this.#within = within;
    this.#group = group;
  }

  add(request: PaidRequest, sessionId: string): void {
    this.tally.add(request, sessionId);
    const [groupOf] = this.#within;
    if (!groupOf) return;
    this.#child(groupOf(request)).add(request, sessionId);
  }

  pack(): PackedGroup {
    const within = [...this.#children.values()].map((child) => child.pack());
    return [this.#group, this.tally.pack(), within];
  }

  unpack([, tally, within]: PackedGroup): void {
    this.tally.unpack(tally);
    for (const packed of within) this.#child(packed[0]).unpack(packed);
  }

  #child(group: Group): GroupTally {
    let child = this.#children.get(group.key);
    if (!child) {
      child = new GroupTally(this.#within.slice(1), group);
      this.#children.set(group.key, child);
    }
    return child;
  }

  children([grouping]: readonly Grouping[], sort: Sort | undefined): GroupTally[] {
    const how = sort ?? (isPeriod(grouping) ? "key" : "cost");
    return [...this.#children.values()].toSorted((a, b) => compare(a, b, how));
  }

  row(costMicroUsd: number, asked: { within: readonly Grouping[]; query: UsageQuery }): UsageRow {
    const { key, label = null } = this.#group;
    const sums = { key, label, ...this.tally.sums(costMicroUsd) };
    if (asked.within.length === 0) return sums;
    const children = this.children(asked.within, asked.query.sort);
    const costs = shareCost(
      children.map(({ tally }) => tally),
      costMicroUsd,
    );
    const below = { within: [], query: asked.query };
    return { ...sums, rows: children.map((child, at) => child.row(costs[at] ?? 0, below)) };
  }

  get key(): string {
    return this.#group.key;
  }
}

function isPeriod(grouping: Grouping | undefined): boolean {
  return ["hour", "day", "week", "month"].includes(grouping ?? "");
}

/** Keys upwards, with what is unknown at the end; sums downwards. */
function compare(a: GroupTally, b: GroupTally, sort: Sort): number {
  if (sort === "key") return compareKeys(a.key, b.key);
  const order =
    weightOf(b, sort) - weightOf(a, sort) || b.tally.tokens.total - a.tally.tokens.total;
  return order || compareKeys(a.key, b.key);
}

function weightOf({ tally }: GroupTally, sort: Exclude<Sort, "key">): number {
  if (sort === "tokens") return tally.tokens.total;
  return sort === "cost" ? tally.cost.micro : tally[sort];
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  if (a === UNKNOWN || b === UNKNOWN) return a === UNKNOWN ? 1 : -1;
  return a < b ? -1 : 1;
}

/** Of periods in order the newest are shown, of all else the first. */
function split(
  groups: readonly GroupTally[],
  { by, query }: { by: readonly Grouping[]; query: UsageQuery },
): { shown: readonly GroupTally[]; rest: readonly GroupTally[] } {
  const { limit, sort = "key" } = query;
  if (limit === undefined || groups.length <= limit) return { shown: groups, rest: [] };
  const isChronological = isPeriod(by[0]) && sort === "key";
  if (!isChronological) return { shown: groups.slice(0, limit), rest: groups.slice(limit) };
  return { shown: groups.slice(-limit), rest: groups.slice(0, -limit) };
}

function mergeAll(groups: readonly GroupTally[]): Tally {
  const tally = new Tally();
  for (const group of groups) tally.merge(group.tally);
  return tally;
}

function othersRow(tally: Tally, groups: number, costMicroUsd?: number): UsageReport["others"] {
  return { key: "others", label: `${groups} more`, groups, ...tally.sums(costMicroUsd) };
}
