import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PaidReply } from "../../core/usage/usage-fact.ts";
import { tableBytes } from "../../exports/parquet.ts";
import type { Column } from "../../exports/table-rows.ts";
import { timeOf } from "../../exports/table-rows.ts";
import type { TeamGrouping } from "../../queries/team/team-usage-table.ts";
import type { TeamUsageRow } from "../../queries/team/team-usage.ts";
import type { Person, Viewer } from "../../store/team.ts";
import type { TeamAdmin } from "./team.ts";

export interface LakeRequest {
  folder: string;
  /** The person whose permissions apply; without one, those of a payer. */
  person?: Person;
  /** The first and last month, e.g. `2026-11`. */
  first: string;
  last: string;
}

export interface LakeAnswer {
  folder: string;
  files: { table: string; month: string; rows: number; sizeBytes: number }[];
  /** Sums withheld because they cover too few people. */
  withheld: { table: string; month: string }[];
}

/** Tables of monthly sums, with their first grouping. */
const TABLES: Readonly<Record<string, TeamGrouping>> = {
  days: "day",
  teams: "team",
  projects: "project",
  people: "person",
};

/**
 * Writes Parquet files in folders by month. Each file is the answer to a query that the person, or
 * a payer, may make, so it reveals nothing more.
 */
export async function writeLake(admin: TeamAdmin, asked: LakeRequest): Promise<LakeAnswer> {
  const { folder, person, first, last } = asked;
  const answer: LakeAnswer = { folder, files: [], withheld: [] };
  const viewer = summing(person);
  const { smallestGroup } = await admin.team.policy();
  for (const month of monthsFrom(first, last)) {
    for (const [table, key] of Object.entries(viewer ? TABLES : {})) {
      // Every person is a group of one, so it would be withheld.
      if (!viewer || (key === "person" && smallestGroup > 1)) continue;
      const by = [key, "agent", "model"] as const;
      const report = await admin.usage(viewer, { by, ...spanOf(month) });
      if (report.isWithheld) answer.withheld.push({ table, month });
      await put(answer, { table, month }, { columns: sumColumns(by), rows: report.rows });
    }
    if (!person) continue;
    const rows = await ownReplies(admin, person, month);
    await put(answer, { table: "replies", month }, { columns: REPLY_COLUMNS, rows });
  }
  return answer;
}

/** The viewer for sums; undefined if the person may not see any. */
function summing(person: Person | undefined): Viewer | undefined {
  if (!person) return { viewer: 0, role: "payer" };
  const role = (["payer", "lead"] as const).find((name) => person.roles.includes(name));
  return role && { viewer: person.id, role };
}

function ownReplies(admin: TeamAdmin, { id }: Person, month: string): Promise<PaidReply[]> {
  const store = admin.team.storeOf({ viewer: id, role: "developer" });
  const { sinceMs, untilMs } = spanOf(month);
  return store.replies({ scope: "own", filter: { sinceMs, untilMs } });
}

/** Writes a temporary file and renames it; removes the file of a month without rows. */
async function put<Row>(
  answer: LakeAnswer,
  { table, month }: { table: string; month: string },
  { columns, rows }: { columns: readonly Column<Row>[]; rows: readonly Row[] },
): Promise<void> {
  const folder = join(answer.folder, table, `month=${month}`);
  const path = join(folder, `${table}.parquet`);
  if (rows.length === 0) return rmSync(folder, { recursive: true, force: true });
  const bytes = await tableBytes(columns, rows);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${path}.tmp`, bytes);
  renameSync(`${path}.tmp`, path);
  answer.files.push({ table, month, rows: rows.length, sizeBytes: bytes.length });
}

/** Token counts with the same names in sums and single replies. */
const TOKENS = ["input", "fresh", "cached", "output", "thoughts", "tool", "total"] as const;

function sumColumns(by: readonly TeamGrouping[]): Column<TeamUsageRow>[] {
  return [
    ...by.map((name, at): Column<TeamUsageRow> => {
      const value = ({ groups }: TeamUsageRow): string => {
        return groups[at]?.label ?? groups[at]?.key ?? "";
      };
      return { name, type: "text", value };
    }),
    { name: "is_small_groups", type: "flag", value: ({ isSmallGroups }) => isSmallGroups },
    { name: "people", type: "count", value: ({ people }) => people },
    { name: "requests", type: "count", value: ({ requests }) => requests },
    ...TOKENS.map((name): Column<TeamUsageRow> => {
      return { name, type: "count", value: ({ tokens }) => tokens[name] };
    }),
    { name: "cache_write", type: "count", value: ({ tokens }) => tokens.cacheWrite },
    { name: "cache_write_1h", type: "count", value: ({ tokens }) => tokens.cacheWrite1h },
    { name: "web_searches", type: "count", value: ({ webSearches }) => webSearches },
    { name: "is_at_least", type: "flag", value: ({ isAtLeast }) => isAtLeast },
    { name: "cost_micro_usd", type: "count", value: ({ costMicroUsd }) => costMicroUsd },
    { name: "unpriced_requests", type: "count", value: (row) => row.unpricedRequests },
  ];
}

const REPLY_COLUMNS: readonly Column<PaidReply>[] = [
  { name: "at", type: "time", value: ({ at, startedAt }) => timeOf(at ?? startedAt) },
  { name: "agent", type: "text", value: ({ source }) => source },
  { name: "session", type: "text", value: ({ sessionId }) => sessionId },
  { name: "message", type: "text", value: ({ messageId }) => messageId },
  { name: "model", type: "text", value: ({ model = null }) => model },
  { name: "tier", type: "text", value: ({ tier = null }) => tier },
  { name: "standing", type: "text", value: ({ standing }) => standing },
  ...TOKENS.map((name): Column<PaidReply> => {
    return { name, type: "count", value: (reply) => reply[name] };
  }),
  { name: "cache_write_5m", type: "count", value: ({ cacheWrite5m }) => cacheWrite5m },
  { name: "cache_write_1h", type: "count", value: ({ cacheWrite1h }) => cacheWrite1h },
  { name: "web_searches", type: "count", value: ({ webSearches }) => webSearches },
  { name: "is_at_least", type: "flag", value: ({ isAtLeast = false }) => isAtLeast },
];

/** Months are in UTC, wherever the files are made. */
function spanOf(month: string): { sinceMs: number; untilMs: number; timezone: string } {
  const sinceMs = Date.parse(`${month}-01T00:00:00Z`);
  return { sinceMs, untilMs: Date.parse(`${nextMonth(month)}-01T00:00:00Z`), timezone: "UTC" };
}

function* monthsFrom(first: string, last: string): Generator<string> {
  for (let month = first; month <= last; month = nextMonth(month)) yield month;
}

function nextMonth(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}
