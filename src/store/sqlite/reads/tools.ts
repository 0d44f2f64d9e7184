import { byCalls } from "../../../core/rows/tool-fact.ts";
import type { ToolCategory } from "../../../core/session/tool-call.ts";
import type { ToolBucket, ToolBuckets, TouchedFileBucket } from "../../../core/rows/tool-fact.ts";
import { QUARTER_MS } from "../../prompt-classes.ts";
import type { ToolQuery } from "../../store.ts";
import type { Database } from "../database.ts";
import { canUseDayBuckets } from "../derived/day-buckets.ts";
import { NO_TIME } from "../derived/derived-schema.ts";
import type { Conditions } from "./filters.ts";
import { addModel, ledgerConditions, wholePath } from "./filters.ts";

/** Groups tool calls, with one query for each of three tables. */
export function sumTools(database: Database, query: ToolQuery): ToolBuckets {
  return {
    tools: toolsOf(database, query),
    shell: commandsOf(database, query),
    files: filesOf(database, query),
  };
}

interface CallRow {
  name: string;
  label: string;
  canonical: string;
  category: ToolCategory;
  server: string;
  server_tool: string;
  calls: number;
  success: number;
  error: number;
  cancelled: number;
  timed: number;
  total_ms: number;
  longest_ms: number;
}

const OF_BUCKETS = `sum(b.calls) AS calls, sum(b.success) AS success, sum(b.error) AS error,
  sum(b.cancelled) AS cancelled, sum(b.timed) AS timed, sum(b.total_ms) AS total_ms,
  max(b.longest_ms) AS longest_ms`;

const OF_CALLS = `count(*) AS calls,
  sum(CASE WHEN b.outcome = 'success' THEN 1 ELSE 0 END) AS success,
  sum(CASE WHEN b.outcome = 'error' THEN 1 ELSE 0 END) AS error,
  sum(CASE WHEN b.outcome = 'cancelled' THEN 1 ELSE 0 END) AS cancelled,
  count(b.duration_ms) AS timed, coalesce(sum(b.duration_ms), 0) AS total_ms,
  coalesce(max(b.duration_ms), 0) AS longest_ms`;

const CALLS = {
  table: "tool_calls",
  sessions: "sessions",
  time: "b.time_ms",
  unitMs: 1,
  sums: OF_CALLS,
};
const BUCKETS = {
  table: "tool_buckets",
  sessions: "sessions",
  time: "b.quarter",
  unitMs: QUARTER_MS,
  sums: OF_BUCKETS,
};
const DAYS = { ...BUCKETS, table: "day_tool_buckets", sessions: "session_groups" };

function toolsOf(database: Database, query: ToolQuery): ToolBucket[] {
  const { sinceMs, untilMs } = query.filter;
  const instants = [sinceMs, untilMs].flatMap((time) => time ?? []);
  const isCut = instants.some((time) => time % QUARTER_MS !== 0);
  const grain = isCut ? CALLS : canUseDayBuckets(database, query, instants) ? DAYS : BUCKETS;
  const { conditions, isAboutSessions } = conditionsOf(query, grain);
  if (isCut) conditions.add("b.is_owner = 1");
  const sessions = isAboutSessions ? `JOIN ${grain.sessions} AS s ON s.key = b.session` : "";
  // Group by tool id first, so that names are joined to few rows.
  const sql = `WITH sums AS (SELECT b.tool AS tool, ${grain.sums} FROM ${grain.table} AS b
    ${sessions}${conditions.where} GROUP BY b.tool)
    SELECT tool_names.*, sums.* FROM sums JOIN tool_names ON tool_names.id = sums.tool`;
  return byCalls(
    database.all<CallRow>(sql, ...conditions.values).map(toolOf),
    ({ name, mcp }) => `${name} ${mcp?.server ?? ""}`,
  );
}

function toolOf(row: CallRow): ToolBucket {
  const { name, label, canonical, category, calls, success, error, cancelled, timed } = row;
  const isMcp = row.server !== "" || row.server_tool !== "";
  return {
    name,
    label,
    canonical,
    category,
    mcp: isMcp ? { server: row.server, tool: row.server_tool } : null,
    calls,
    success,
    error,
    cancelled,
    time: timed === 0 ? null : { calls: timed, totalMs: row.total_ms, longestMs: row.longest_ms },
  };
}

const ROWS = { time: "b.time_ms", unitMs: 1 };

function commandsOf(database: Database, query: ToolQuery): ToolBuckets["shell"] {
  const { conditions, isAboutSessions } = conditionsOf(query, ROWS);
  const sessions = isAboutSessions ? "JOIN sessions AS s ON s.key = b.session" : "";
  const sql = `SELECT b.command AS command, count(*) AS calls FROM tool_commands AS b
    ${sessions}${conditions.add("b.is_owner = 1").where} GROUP BY b.command`;
  const rows = database.all<{ command: string; calls: number }>(sql, ...conditions.values);
  return byCalls(
    rows.map(({ command, calls }) => ({ command, calls })),
    ({ command }) => command,
  );
}

function filesOf(database: Database, query: ToolQuery): TouchedFileBucket[] {
  const { conditions } = conditionsOf(query, ROWS);
  const many = (how: string): string => `sum(CASE WHEN b.how = '${how}' THEN 1 ELSE 0 END)`;
  const sql = `SELECT ${wholePath("b", "s")} AS path, min(s.project_name) AS project,
    ${many("read")} AS reads, ${many("written")} AS writes, ${many("edited")} AS edits,
    sum(b.added_lines) AS addedLines, sum(b.removed_lines) AS removedLines
    FROM tool_files AS b JOIN sessions AS s ON s.key = b.session
    ${conditions.add("b.is_owner = 1").where}
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ?`;
  const rows = database.all<TouchedFileBucket>(sql, ...conditions.values, query.files ?? -1);
  return rows.map((row) => ({ ...row }));
}

function conditionsOf(
  { scope, filter }: ToolQuery,
  { time, unitMs }: { time: string; unitMs: number },
): { conditions: Conditions; isAboutSessions: boolean } {
  const conditions = ledgerConditions(scope, filter);
  const isAboutSessions = !conditions.isEmpty;
  addModel(conditions, "b", filter.model);
  const { sinceMs, untilMs } = filter;
  if (sinceMs !== undefined) conditions.add(`${time} >= ?`, sinceMs / unitMs);
  if (untilMs !== undefined) {
    conditions.add(`${time} < ? AND ${time} <> ${NO_TIME}`, untilMs / unitMs);
  }
  return { conditions, isAboutSessions };
}
