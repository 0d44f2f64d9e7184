import { optional } from "../../core/optional.ts";
import type { Group, UsageBuckets } from "../../core/usage/usage-fact.ts";
import { costOfBucket } from "../prices/cost.ts";
import { bucketPlan } from "../usage/ledger.ts";
import type { PriceBook } from "../prices/prices.ts";
import type { Part } from "./small-groups.ts";
import { HiddenCells } from "./small-groups.ts";
import type { Sums } from "../usage/tally.ts";
import { Tally } from "../usage/tally.ts";
import type { TeamUsageRequest, TeamUsagePlan, ReportPolicy } from "./team-usage-table.ts";
import { TeamUsageTable } from "./team-usage-table.ts";

/** Usage of a team. Every group has enough people that no single person can be identified. */
export interface TeamUsageReport {
  by: string;
  /** If a smallest group is set: whole months in UTC, without today. */
  period: { since: string; until: string; timezone: string };
  rows: TeamUsageRow[];
  totals: (Omit<Sums, "sessions"> & { people: number }) | null;
  /** Groups with fewer people are added together or left out. */
  smallestGroup: number;
  /** Some usage is left out, because it is of too few people even when added together. */
  isWithheld: boolean;
}

export interface TeamUsageRow extends Omit<Sums, "sessions"> {
  groups: Group[];
  people: number;
  /** The row adds up all groups that are too small, or would reveal one. */
  isSmallGroups: boolean;
}

/** The query for the store. */
export function planTeamUsage(
  asked: TeamUsageRequest,
  prices: PriceBook,
  telling: ReportPolicy,
): TeamUsagePlan {
  const plan = new TeamUsageTable(asked, telling);
  const { sinceMs, untilMs } = plan;
  const sums = bucketPlan({ sinceMs, untilMs }, prices);
  return { ...sums, ...plan.query, ...optional("team", asked.team) };
}

type Answer = Pick<UsageBuckets, "buckets"> & {
  people: readonly { groups: readonly string[]; people: readonly number[] }[];
};

interface Collected {
  tally: Tally;
  people: Set<number>;
}

/** Visible rows with their people, and whether anything was left out. */
interface Report {
  rows: Map<string, Collected & { groups: Group[]; isSmallGroups: boolean }>;
  /** Everything in the rows, once: a person in two teams is in two of them. */
  all: Collected;
  isWithheld: boolean;
}

export function reportTeamUsage(
  asked: TeamUsageRequest,
  answer: Answer,
  { prices, ...telling }: ReportPolicy & { prices: PriceBook },
): TeamUsageReport {
  const plan = new TeamUsageTable(asked, telling);
  const { rows, all, isWithheld } = collect(plan, answer, { prices, ...telling });
  const { timezone } = plan.calendar;
  return {
    by: asked.by.join(","),
    period: { since: instant(plan.sinceMs), until: instant(plan.untilMs), timezone },
    rows: [...rows.values()].toSorted(byKeys).map(({ groups, isSmallGroups, tally, people }) => {
      return { groups, isSmallGroups, people: people.size, ...sumsOf(tally) };
    }),
    totals: rows.size === 0 ? null : { people: all.people.size, ...sumsOf(all.tally) },
    smallestGroup: telling.smallestGroup,
    isWithheld,
  };
}

type Keyed = Pick<TeamUsageRow, "groups" | "isSmallGroups">;

/** By day, month or name; the row of small groups comes last. */
function byKeys(a: Keyed, b: Keyed): number {
  for (const [at, { key }] of a.groups.entries()) {
    const other = b.groups[at]?.key ?? "";
    // With a month before them, they are the last of that month.
    const isLast = at === a.groups.length - 1 || a.groups.length === 1;
    if (isLast && a.isSmallGroups !== b.isSmallGroups) return a.isSmallGroups ? 1 : -1;
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

/** Adds each group to its rows, to the row of small groups, or to neither. */
function collect(
  plan: TeamUsageTable,
  { buckets, people }: Answer,
  { prices, smallestGroup }: ReportPolicy & { prices: PriceBook },
): Report {
  const hidden = hiddenByMonth(plan, people, smallestGroup);
  const whose = new Map(people.map((part) => [JSON.stringify(part.groups), part.people]));
  const report: Report = { rows: new Map(), all: emptySum(), isWithheld: false };
  for (const bucket of buckets) {
    const { month, cells } = plan.read(bucket.groups);
    const [first] = cells;
    if (!first) continue;
    const table = hidden.get(month);
    if (table?.has(first.keys, plan.narrowed) === true) {
      report.isWithheld = true;
      continue;
    }
    const own = whose.get(JSON.stringify(bucket.groups.map(({ key }) => key))) ?? [];
    const add = ({ tally, people: all }: Collected): void => {
      tally.add(bucket, costOfBucket(bucket, prices));
      for (const person of own) all.add(person);
    };
    add(report.all);
    const shown = cells.filter(({ keys }) => table?.has(keys) !== true);
    for (const { groups } of shown) add(rowOf(report, groups, { isSmallGroups: false }));
    if (shown.length > 0) continue;
    add(rowOf(report, plan.joined(first.groups), { isSmallGroups: true }));
  }
  return report;
}

function emptySum(): Collected {
  return { tally: new Tally(), people: new Set() };
}

function rowOf(
  { rows }: Report,
  groups: Group[],
  { isSmallGroups }: Pick<TeamUsageRow, "isSmallGroups">,
): Collected {
  const name = JSON.stringify([isSmallGroups, ...groups.map(({ key }) => key)]);
  const row = rows.get(name) ?? { groups, isSmallGroups, ...emptySum() };
  rows.set(name, row);
  return row;
}

function hiddenByMonth(
  plan: TeamUsageTable,
  people: Answer["people"],
  smallest: number,
): Map<string, HiddenCells> {
  const months = new Map<string, Part[]>();
  for (const entry of people) {
    const { month, keys } = plan.read(entry.groups.map((key) => ({ key })));
    const part = { keys, people: new Set(entry.people) };
    const list = months.get(month);
    if (list) list.push(part);
    else months.set(month, [part]);
  }
  const { within } = plan;
  return new Map(
    [...months].map(([month, list]) => [month, new HiddenCells(list, { smallest, within })]),
  );
}

/** Adds names: the store knows people only by number. */
export function withNames(
  report: TeamUsageReport,
  people: readonly { id: number; name: string; leftMs?: number }[],
): TeamUsageReport {
  const at = report.by.split(",").indexOf("person");
  const named = people.map(({ id, name, leftMs }) => {
    return [String(id), leftMs === undefined ? name : `former member (${id})`] as const;
  });
  const names = new Map(named);
  const rows = report.rows.map((row) => {
    const groups = row.groups.map((group, place) => {
      return place === at ? { ...group, ...optional("label", names.get(group.key)) } : group;
    });
    return { ...row, groups };
  });
  return { ...report, rows };
}

function sumsOf(tally: Tally): Omit<Sums, "sessions"> {
  const { sessions: _counted, ...sums } = tally.sums();
  return sums;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
