import type { Group } from "../../core/usage/usage-fact.ts";
import { UNKNOWN } from "../calendar.ts";
import type { Grouping } from "./groupings.ts";
import { isPeriod } from "./groupings.ts";
import type { Sums } from "./tally.ts";
import { shareCost, Tally } from "./tally.ts";

export const SORTS = ["key", "cost", "tokens", "requests", "sessions"] as const;
export type Sort = (typeof SORTS)[number];

/** Sums of one group. */
export interface UsageRow extends Sums {
  key: string;
  /** Display name, if it differs from the key. */
  label: string | null;
  /** Nested groups, if there are two groupings. */
  rows?: UsageRow[];
}

/** A group with its nested groups. */
export class GroupTally {
  readonly tally: Tally = new Tally();
  readonly #group: Group;
  readonly #children = new Map<string, GroupTally>();

  constructor(group: Group) {
    this.#group = group;
  }

  get key(): string {
    return this.#group.key;
  }

  /** Created on first use. */
  child(group: Group): GroupTally {
    let child = this.#children.get(group.key);
    if (!child) {
      child = new GroupTally(group);
      this.#children.set(group.key, child);
    }
    return child;
  }

  /** Adds sessions to the group at a path; groups without requests are not created. */
  addSessions([first, ...rest]: readonly Group[], count: number): void {
    if (first) this.#children.get(first.key)?.addSessions(rest, count);
    else this.tally.sessions += count;
  }

  children([grouping]: readonly Grouping[], sort: Sort | undefined): GroupTally[] {
    const how = sort ?? (isPeriod(grouping) ? "key" : "cost");
    return [...this.#children.values()].toSorted((a, b) => compare(a, b, how));
  }

  row(
    costMicroUsd: number,
    { within, sort }: { within: readonly Grouping[]; sort: Sort | undefined },
  ): UsageRow {
    const { key, label = null } = this.#group;
    const sums = { key, label, ...this.tally.sums(costMicroUsd) };
    if (within.length === 0) return sums;
    const children = this.children(within, sort);
    const costs = shareCost(
      children.map(({ tally }) => tally),
      costMicroUsd,
    );
    return {
      ...sums,
      rows: children.map((child, at) => child.row(costs[at] ?? 0, { within: [], sort })),
    };
  }
}

/** Keys ascending, unknown last; sums descending. */
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
