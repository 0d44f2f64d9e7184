import type {
  CallCounts,
  ToolBucket,
  ToolBuckets,
  TouchedFileBucket,
} from "../../../core/rows/tool-fact.ts";
import type { ToolQuery } from "../../store.ts";
import type { Connection } from "../connection.ts";
import type { ToolNames } from "../derived/dictionaries.ts";
import { inScope, whereLedger, whereRecord } from "./filters.ts";
import { Query } from "./query.ts";

export async function sumTools(connection: Connection, asked: ToolQuery): Promise<ToolBuckets> {
  return {
    tools: await callsOf(connection, asked),
    shell: await commandsOf(connection, asked),
    files: await filesOf(connection, asked),
  };
}

/** FROM and WHERE for the selected calls; `joined` are additional joins. */
function bodyOf(query: Query, { scope, filter }: ToolQuery, joined = ""): string {
  query.where("tool_calls.owner IS NULL").where(inScope(query, scope));
  whereLedger(query, filter);
  whereRecord(query, filter, { column: "tool_calls.time_ms", unitMs: 1 });
  return `FROM tool_calls JOIN sessions ON sessions.session = tool_calls.session
    LEFT JOIN models ON models.id = tool_calls.model ${joined} WHERE ${query.conditions}`;
}

interface CallRow extends Omit<CallCounts, "time"> {
  names: string;
  timed: number;
  total_ms: number | null;
  longest_ms: number | null;
}

async function callsOf(connection: Connection, asked: ToolQuery): Promise<ToolBucket[]> {
  const query = new Query();
  const outcomes = ["success", "error", "cancelled"].map((outcome) => {
    return `count(*) FILTER (WHERE tool_calls.outcome = '${outcome}') AS ${outcome}`;
  });
  const sql = `SELECT tool_names.names, counted.* FROM (
      SELECT tool_calls.tool, count(*) AS calls, ${outcomes.join(", ")},
        count(tool_calls.duration_ms) AS timed, sum(tool_calls.duration_ms) AS total_ms,
        max(tool_calls.duration_ms) AS longest_ms
      ${bodyOf(query, asked)} GROUP BY tool_calls.tool
    ) AS counted JOIN tool_names ON tool_names.id = counted.tool`;
  const rows = await connection.all<CallRow>(sql, query.values);
  return rows
    .map(bucketOf)
    .toSorted((a, b) => b.calls - a.calls || (orderName(a) < orderName(b) ? -1 : 1));
}

function bucketOf(row: CallRow): ToolBucket {
  const { names, calls, success, error, cancelled, timed, total_ms, longest_ms } = row;
  const { mcp = null, ...named } = JSON.parse(names) as ToolNames;
  const time =
    timed === 0 ? null : { calls: timed, totalMs: total_ms ?? 0, longestMs: longest_ms ?? 0 };
  return { ...named, mcp, calls, success, error, cancelled, time };
}

function orderName({ name, mcp }: ToolBucket): string {
  return `${name} ${mcp?.server ?? ""}`;
}

async function commandsOf(connection: Connection, asked: ToolQuery): Promise<ToolBuckets["shell"]> {
  const query = new Query();
  const joined = `CROSS JOIN unnest(tool_calls.commands) AS command`;
  const sql = `SELECT command COLLATE "C" AS command, count(*) AS calls
    ${bodyOf(query, asked, joined)} GROUP BY 1 ORDER BY calls DESC, 1`;
  return connection.all<{ command: string; calls: number }>(sql, query.values);
}

interface TouchedRow extends Omit<TouchedFileBucket, "addedLines" | "removedLines"> {
  added_lines: number | null;
  removed_lines: number | null;
}

async function filesOf(connection: Connection, asked: ToolQuery): Promise<TouchedFileBucket[]> {
  const query = new Query();
  const joined = `JOIN tool_files ON tool_files.session = tool_calls.session
    AND tool_files.call = tool_calls.position`;
  const body = bodyOf(query, asked, joined);
  const most = asked.files === undefined ? "" : `LIMIT ${query.value(asked.files)}`;
  const touched = (how: string): string => `count(*) FILTER (WHERE tool_files.how = '${how}')`;
  const sql = `SELECT coalesce(tool_files.path, tool_files.recorded) AS path,
      min(sessions.project_name) AS project, ${touched("read")} AS reads,
      ${touched("written")} AS writes, ${touched("edited")} AS edits,
      sum(tool_files.added_lines) AS added_lines, sum(tool_files.removed_lines) AS removed_lines
    ${body} GROUP BY 1 ORDER BY count(*) DESC, 1 ${most}`;
  const rows = await connection.all<TouchedRow>(sql, query.values);
  return rows.map(({ path, project, reads, writes, edits, added_lines, removed_lines }) => {
    const lines = { addedLines: added_lines, removedLines: removed_lines };
    return { path, project, reads, writes, edits, ...lines };
  });
}
