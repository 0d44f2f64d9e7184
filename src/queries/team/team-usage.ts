import { optional } from "../../core/optional.ts";
import type { Group, UsageBuckets } from "../../core/usage/usage-fact.ts";
import { costOfBucket } from "../prices/cost.ts";
import { bucketPlan } from "../usage/ledger.ts";
import type { PriceBook } from "../prices/prices.ts";
import type { Cell } from "./small-groups.ts";
import { HiddenCells } from "./small-groups.ts";
import type { Sums } from "../usage/tally.ts";
import { Tally } from "../usage/tally.ts";
import type { TeamUsageRequest, TeamUsagePlan, ReportPolicy } from "./team-usage-table.ts";
import { SMALL, TeamUsageTable } from "./team-usage-table.ts";

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

/** Visible rows with their people, and whether anything was left out. */
interface Collected {
  rows: Map<string, { groups: Group[]; tally: Tally; people: Set<number> }>;
  isWithheld: boolean;
}

export function reportTeamUsage(
  asked: TeamUsageRequest,
  answer: Answer,
  { prices, ...telling }: ReportPolicy & { prices: PriceBook },
): TeamUsageReport {
  const plan = new TeamUsageTable(asked, telling);
  const { rows, isWithheld } = collect(plan, answer, { prices, ...telling });
  const all = new Tally();
  const everybody = new Set<number>();
  for (const { tally, people } of rows.values()) {
    all.merge(tally);
    for (const person of people) everybody.add(person);
  }
  const { timezone } = plan.calendar;
  return {
    by: asked.by.join(","),
    period: { since: instant(plan.sinceMs), until: instant(plan.untilMs), timezone },
    rows: [...rows.values()].toSorted(byKeys).map(({ groups, tally, people }) => {
      return { groups, people: people.size, ...sumsOf(tally) };
    }),
    totals: rows.size === 0 ? null : { people: everybody.size, ...sumsOf(all) },
    smallestGroup: telling.smallestGroup,
    isWithheld,
  };
}

/** By day, month or name; the row of small groups comes last. */
function byKeys(a: { groups: Group[] }, b: { groups: Group[] }): number {
  for (const [at, { key }] of a.groups.entries()) {
    const other = b.groups[at]?.key ?? "";
    if (key === other) continue;
    if (key === SMALL || other === SMALL) return key === SMALL ? 1 : -1;
    return key < other ? -1 : 1;
  }
  return 0;
}

/** Adds each group to its row, to the row of small groups, or to neither. */
function collect(
  plan: TeamUsageTable,
  { buckets, people }: Answer,
  { prices, smallestGroup }: ReportPolicy & { prices: PriceBook },
): Collected {
  const cells = people.map((entry) => {
    return { ...plan.read(entry.groups.map((key) => ({ key }))), people: new Set(entry.people) };
  });
  const hidden = hiddenByMonth(cells, smallestGroup);
  const whose = new Map(cells.map((cell) => [nameOf(cell), cell.people]));
  const collected: Collected = { rows: new Map(), isWithheld: false };
  for (const bucket of buckets.filter(({ groups }) => plan.isMeant(groups))) {
    const { month, keys, groups } = plan.read(bucket.groups);
    const table = hidden.get(month);
    if (table?.has(keys, plan.narrowed) === true) {
      collected.isWithheld = true;
      continue;
    }
    const shown = table?.has(keys) === true ? plan.joined(groups) : groups;
    const name = JSON.stringify(shown.map(({ key }) => key));
    const row = collected.rows.get(name) ?? {
      groups: shown,
      tally: new Tally(),
      people: new Set(),
    };
    row.tally.add(bucket, costOfBucket(bucket, prices));
    for (const person of whose.get(nameOf({ month, keys })) ?? []) row.people.add(person);
    collected.rows.set(name, row);
  }
  return collected;
}

interface MonthCell extends Cell {
  month: string;
}

function nameOf({ month, keys }: Pick<MonthCell, "month" | "keys">): string {
  return JSON.stringify([month, ...keys]);
}

function hiddenByMonth(cells: readonly MonthCell[], smallest: number): Map<string, HiddenCells> {
  const months = new Map<string, Cell[]>();
  for (const cell of cells) {
    const list = months.get(cell.month);
    if (list) list.push(cell);
    else months.set(cell.month, [cell]);
  }
  return new Map([...months].map(([month, list]) => [month, new HiddenCells(list, smallest)]));
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
