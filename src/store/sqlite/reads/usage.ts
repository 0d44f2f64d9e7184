import type { UsageBucket, UsageBuckets } from "../../../core/usage/usage-fact.ts";
import { groupBy } from "../../../core/group.ts";
import { NO_SERVER, NO_TOOL, UNKNOWN_GROUP } from "../../../core/usage/usage-fact.ts";
import type { BucketKey, BucketQuery, TimeRange } from "../../store.ts";
import type { UsageRow } from "../../usage-rows.ts";
import { bucketOf, groupsOf, withOneLabel } from "../../usage-rows.ts";
import { TOKEN_COLUMNS } from "../../row-values.ts";
import type { Database } from "../database.ts";
import { NO_TIME } from "../derived/derived-schema.ts";
import type { Value } from "../driver.ts";
import { inClause } from "../sql.ts";
import { addModel, Conditions, ledgerConditions } from "./filters.ts";
import type { Grain } from "./usage-grain.ts";
import { grainOf, grainOfSums, numeral, REPLIES } from "./usage-grain.ts";

/** SQL for the key and the label of each grouping. */
const KEYS: Readonly<Record<BucketKey, { key: string; label?: string }>> = {
  range: { key: "ranges.number" },
  model: { key: `coalesce(b.model, '${UNKNOWN_GROUP}')` },
  source: { key: "s.source" },
  project: { key: "s.project", label: "s.project_name" },
  // Its number; see `nameSessions`.
  session: { key: "b.session" },
  kind: { key: "s.kind" },
  status: { key: "s.status" },
  root: { key: `coalesce(place.root_path, '${UNKNOWN_GROUP}')` },
  tool: { key: `coalesce(b.tools, '${NO_TOOL}')` },
  mcp: { key: `coalesce(b.servers, '${NO_SERVER}')` },
  standing: { key: "b.standing" },
  purpose: { key: "coalesce(b.purpose, '')" },
  generation: { key: "s.generations" },
};

function keyOf(key: BucketKey, { subagents }: BucketQuery): string {
  return key === "session" && subagents === "rolled-up" ? "s.top" : KEYS[key].key;
}

/** Sums usage in one grouped query, and counts the sessions of each group. */
export function sumUsage(database: Database, query: BucketQuery): UsageBuckets {
  const sums = sourceOf(query, grainOfSums(database, query));
  const sessions = sourceOf(query, grainOf(query));
  return withOneLabel({
    buckets: query.only === "sessions" ? [] : bucketsOf(database, query, sums),
    sessions: query.only === "buckets" ? [] : sessionsOf(database, query, sessions),
  });
}

/** Counts sessions in all, per first group, and per first and second group. */
function sessionsOf(
  database: Database,
  query: BucketQuery,
  asked: Asked,
): UsageBuckets["sessions"] {
  const { by } = query;
  const depths = [...by.keys(), by.length];
  const isInOneGroup = by.every((key) => OF_SESSIONS.has(key)) && query.subagents !== "rolled-up";
  if (!isInOneGroup) {
    return depths.flatMap((depth) => {
      return countSessions(database, { ...query, by: by.slice(0, depth) }, asked);
    });
  }
  const innermost = countSessions(database, query, asked);
  return depths.flatMap((depth) => {
    const within = groupBy(innermost, ({ groups }) => JSON.stringify(groups.slice(0, depth)));
    return [...within.values()].map((parts) => ({
      groups: parts[0]?.groups.slice(0, depth) ?? [],
      count: parts.reduce((sum, { count }) => sum + count, 0),
    }));
  });
}

/** The parts of a query before grouping. */
interface Asked {
  grain: Grain;
  with: string;
  /** `FROM … WHERE …` */
  from: string;
  values: readonly Value[];
}

function sourceOf(query: BucketQuery, grain: Grain): Asked {
  const { time, unitMs } = grain;
  const { filter, ranges, by } = query;
  const sessions = ledgerConditions(query.scope, filter);
  const replies = new Conditions();
  // `+` keeps SQLite from building an automatic index: nearly all rows are owners.
  if (grain === REPLIES) replies.add("+b.is_owner = 1");
  addModel(replies, "b", filter.model);
  // `+` again: rows are found by range, not by scanning the whole period for each range.
  addPeriod(replies, filter, ranges ? { ...grain, time: `+${time}` } : grain);
  const conditions = sessions.and(replies);
  const isRolledUp = query.subagents === "rolled-up";
  const isJoined = by.some((key) => keyOf(key, query).startsWith("s."));
  // CROSS JOIN fixes the join order: SQLite does not know that there may be thousands of ranges,
  // and would scan all of them for every bucket.
  const join = ranges ? "CROSS JOIN" : "JOIN";
  // `+` once more: otherwise all sessions of the scope are looked up for each range.
  const key = ranges ? "+b.session" : "b.session";
  const sessionsOfRows = `${grain.sessions} AS s ON s.key = ${key}`;
  const joins = [
    ...(!sessions.isEmpty || isRolledUp || isJoined ? [`${join} ${sessionsOfRows}`] : []),
    ...(by.includes("root") ? [PLACE] : []),
  ];
  const isIn = `${time} >= ranges.begins AND ${time} < ranges.ends`;
  const rows = `${grain.table} AS b`;
  const from = ranges ? `FROM ranges CROSS JOIN ${rows} ON ${isIn}` : `FROM ${rows}`;
  const named = ranges && `ranges (number, begins, ends) AS (${rangesOf(ranges, unitMs)})`;
  return {
    grain,
    with: named === undefined ? "" : `WITH ${named} `,
    from: `${from} ${joins.join(" ")}${conditions.where}`,
    values: conditions.values,
  };
}

const PLACE = `LEFT JOIN session_files AS place
  ON place.session = b.session AND place.position = b.file`;

function addPeriod(
  conditions: Conditions,
  { sinceMs, untilMs }: BucketQuery["filter"],
  { time, unitMs }: Grain,
): void {
  if (sinceMs !== undefined) conditions.add(`${time} >= ?`, sinceMs / unitMs);
  if (untilMs === undefined) return;
  conditions.add(`${time} < ? AND ${time} <> ${NO_TIME}`, untilMs / unitMs);
}

/** Written as literals: there may be more ranges than values can be bound. */
function rangesOf(ranges: readonly TimeRange[], unitMs: number): string {
  const rows = ranges.map((range, number) => {
    if (range === "timeless") return `(${number}, ${NO_TIME}, ${NO_TIME + 1})`;
    return `(${number}, ${numeral(range.from / unitMs)}, ${numeral(range.to / unitMs)})`;
  });
  return rows.length === 0 ? "SELECT 0, 0, 0 WHERE 1 = 0" : `VALUES ${rows.join(", ")}`;
}

function bucketsOf(database: Database, query: BucketQuery, asked: Asked): UsageBucket[] {
  const { grain } = asked;
  const count = (tests: readonly string[]): string =>
    tests.map((test) => `CASE WHEN ${test} THEN 1 ELSE 0 END`).join(" + ") || "0";
  const reached = query.priceDates.map(
    (date) => `${grain.time} >= ${numeral(date / grain.unitMs)}`,
  );
  const period = `CASE WHEN ${grain.time} = ${NO_TIME} THEN NULL ELSE ${count(reached)} END`;
  const grouped = [
    ...query.by.map((key, at) => `${keyOf(key, query)} AS key${at}`),
    "b.model AS model",
    `${count(query.thresholds.map(grain.exceeds))} AS prompt_class`,
    `${period} AS price_period`,
    "b.tier AS tier",
  ];
  const sums = [
    ...query.by.flatMap((key, at) => {
      const { label } = KEYS[key];
      return label === undefined ? [] : [`min(${label}) AS label${at}`];
    }),
    `sum(${grain.requests}) AS requests`,
    `sum(${grain.atLeast}) AS at_least`,
    `sum(${grain.odd}) AS odd`,
    ...Object.values(TOKEN_COLUMNS).map((column) => `sum(b.${column}) AS ${column}`),
  ];
  const sql = `${asked.with}SELECT ${[...grouped, ...sums].join(", ")} ${asked.from}
    GROUP BY ${grouped.map((_, at) => at + 1).join(", ")}`;
  const rows = database.all<UsageRow>(sql, ...asked.values);
  nameSessions(database, rows, query);
  return rows.map((row) => bucketOf(row, query.by.length));
}

/**
 * Replaces the numbers of sessions by their names and titles. Rows grouped by numbers are sorted in
 * half of the time.
 */
function nameSessions(database: Database, rows: readonly UsageRow[], { by }: BucketQuery): void {
  const places = by.flatMap((key, at) => (key === "session" ? [at] : []));
  if (places.length === 0) return;
  const keys = new Set(places.flatMap((at) => rows.map((row) => Number(row[`key${at}`]))));
  const listed = inClause([...keys]);
  const sql = `SELECT key, source || ':' || id AS name, title FROM sessions
    WHERE key IN ${listed.sql}`;
  const named = database.all<{ key: number; name: string; title: string | null }>(
    sql,
    ...listed.values,
  );
  const byKey = new Map(named.map((session) => [session.key, session]));
  for (const at of places) {
    const [key, label] = [`key${at}`, `label${at}`];
    for (const row of rows) {
      const session = byKey.get(Number(row[key]));
      row[key] = session?.name ?? null;
      row[label] = session?.title ?? null;
    }
  }
}

/** Groupings in which a session belongs to exactly one group. */
const OF_SESSIONS: ReadonlySet<BucketKey> = new Set<BucketKey>([
  "source",
  "project",
  "kind",
  "status",
  "generation",
]);

function countSessions(
  database: Database,
  query: BucketQuery,
  asked: Asked,
): UsageBuckets["sessions"] {
  const { by } = query;
  const keys = by.map((key, at) => `${keyOf(key, query)} AS key${at}`);
  const groups = by.length === 0 ? "" : `GROUP BY ${by.map((_, at) => at + 1).join(", ")}`;
  const { from, values } = asked;
  const session = query.subagents === "rolled-up" ? "s.top" : "b.session";
  const columns = [...keys, `count(DISTINCT ${session}) AS sessions`].join(", ");
  const sql = `${asked.with}SELECT ${columns} ${from} ${groups}`;
  const rows = database.all<UsageRow>(sql, ...values);
  nameSessions(database, rows, query);
  return rows
    .map((row) => ({ groups: groupsOf(row, by.length), count: Number(row["sessions"]) }))
    .filter((group) => group.count > 0);
}
