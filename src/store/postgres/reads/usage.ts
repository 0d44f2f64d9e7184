import type { UsageBucket, UsageBuckets } from "../../../core/usage/usage-fact.ts";
import { NO_SERVER, NO_TOOL, UNKNOWN_GROUP } from "../../../core/usage/usage-fact.ts";
import type { UsageRow } from "../../usage-rows.ts";
import { bucketOf, groupsOf, withOneLabel } from "../../usage-rows.ts";
import { PROMPT_BORDERS, QUARTER_MS } from "../../prompt-classes.ts";
import { TOKEN_COLUMNS } from "../../row-values.ts";
import type { BucketKey, BucketQuery, TimeRange } from "../../store.ts";
import type { Connection } from "../connection.ts";
import type { TimeColumn } from "./filters.ts";
import { inScope, whereLedger, whereRecord } from "./filters.ts";
import { membersAt } from "./members.ts";
import { Query } from "./query.ts";

/** The table that usage is summed from: buckets or single replies. */
interface Counted {
  table: "buckets" | "replies";
  times: TimeColumn;
  /** SQL for the time of a row, in milliseconds. */
  time: string;
  requests: string;
  atLeast: string;
  odd: string;
}

const BUCKETS: Counted = {
  table: "buckets",
  times: { column: "counted.quarter", unitMs: QUARTER_MS },
  time: `(counted.quarter * ${QUARTER_MS})`,
  requests: "sum(counted.requests)",
  atLeast: "sum(counted.at_least)",
  odd: "sum(counted.odd)",
};

const REPLIES: Counted = {
  table: "replies",
  times: { column: "counted.time_ms", unitMs: 1 },
  time: "counted.time_ms",
  requests: "count(*)",
  atLeast: "count(*) FILTER (WHERE counted.is_at_least)",
  odd: "count(counted.oddities)",
};

/** Uses buckets unless the query needs finer times, prompt sizes or groups. */
function countedFor({ by, ranges = [], priceDates, thresholds, filter }: Asked): Counted {
  const bounds = ranges.flatMap((range) => (range === "timeless" ? [] : [range.from, range.to]));
  const times = [...bounds, ...priceDates, filter.sinceMs ?? 0, filter.untilMs ?? 0];
  const isCoarse =
    times.every((ms) => !Number.isFinite(ms) || ms % QUARTER_MS === 0) &&
    thresholds.every((size) => PROMPT_BORDERS.includes(size)) &&
    !by.includes("tool") &&
    !by.includes("mcp");
  return isCoarse ? BUCKETS : REPLIES;
}

type GroupColumns = { key: string; label?: string };

/** `sessions` is the reply's session, `shown` the session that it is counted with. */
const GROUPS: Readonly<Record<BucketKey | PeopleKey, GroupColumns>> = {
  range: { key: "coalesce(ranges.range::text, '')" },
  model: { key: `coalesce(models.name, '${UNKNOWN_GROUP}')` },
  source: { key: "sessions.source" },
  project: { key: "sessions.project", label: "sessions.project_name" },
  session: { key: "shown.source || ':' || shown.id", label: "shown.title" },
  kind: { key: "sessions.kind" },
  status: { key: "sessions.status" },
  root: { key: "coalesce(counted.root, sessions.root)" },
  tool: { key: `coalesce(counted.tools, '${NO_TOOL}')` },
  mcp: { key: `coalesce(counted.servers, '${NO_SERVER}')` },
  standing: { key: "counted.standing" },
  purpose: { key: "coalesce(counted.purpose, '')" },
  generation: { key: "sessions.generations" },
  person: { key: "counted.person::text" },
  team: { key: "coalesce(members.teams, '[]')" },
};

/** Groupings that exist only in a team's store. */
type PeopleKey = "person" | "team";

/** A usage query of one person, or of many. */
interface Asked extends Omit<BucketQuery, "by"> {
  by: readonly (BucketKey | PeopleKey)[];
  /** Only teams that this person leads, for the time of each member's membership. */
  ledBy?: number;
  /** Only this team. */
  team?: string;
}

export async function sumUsage(connection: Connection, asked: Asked): Promise<UsageBuckets> {
  const counted = countedFor(asked);
  const { only } = asked;
  return withOneLabel({
    buckets: only === "sessions" ? [] : await sumBuckets(connection, asked, counted),
    sessions: only === "buckets" ? [] : await countSessions(connection, asked, counted),
  });
}

async function sumBuckets(
  connection: Connection,
  asked: Asked,
  counted: Counted,
): Promise<UsageBucket[]> {
  const columns = asked.by.map((key) => GROUPS[key]);
  const query = new Query();
  const body = bodyOf(query, asked, counted);
  const groups = columns.map(({ key, label }, at) => {
    return `${key} AS key${at}, ${label === undefined ? "NULL" : `min(${label})`} AS label${at}`;
  });
  const price = [
    "models.name AS model",
    `${promptClass(asked.thresholds, counted)} AS prompt_class`,
    `${pricePeriod(query, asked.priceDates, counted)} AS price_period`,
    "counted.tier",
  ];
  const sums = Object.values(TOKEN_COLUMNS).map((column) => `sum(counted.${column}) AS ${column}`);
  const sql = `SELECT ${[...groups, ...price].join(", ")},
    (${counted.requests})::int8 AS requests, (${counted.atLeast})::int8 AS at_least,
    (${counted.odd})::int8 AS odd, ${sums.join(", ")}
    ${body} GROUP BY ${groupedPlaces(columns.length).join(", ")}`;
  const rows = await connection.all<UsageRow>(sql, query.values);
  return rows.map((row) => bucketOf(row, columns.length));
}

/** Positions of the grouped columns: each group has a key and a label; the price columns follow. */
function groupedPlaces(groups: number): number[] {
  const keys = Array.from({ length: groups }, (_, at) => at * 2 + 1);
  return [...keys, ...[1, 2, 3, 4].map((at) => groups * 2 + at)];
}

function bodyOf(query: Query, asked: Asked, counted: Counted): string {
  const { table, time, times } = counted;
  if (table === "replies") query.where("counted.owner IS NULL");
  query.where(inScope(query, asked.scope));
  whereLedger(query, asked.filter);
  whereRecord(query, asked.filter, times);
  const hasTeams =
    asked.by.includes("team") || asked.ledBy !== undefined || asked.team !== undefined;
  const shown = `JOIN sessions AS shown ON shown.session = ${shownSession(asked)}`;
  return `FROM ${table} AS counted
    JOIN sessions ON sessions.session = counted.session AND sessions.person = counted.person
    ${asked.by.includes("session") ? shown : ""}
    LEFT JOIN models ON models.id = counted.model
    ${hasTeams ? membersAt(query, asked, time) : ""}
    ${rangesOf(query, asked.ranges, time)} WHERE ${query.conditions}`;
}

/** The people behind each group. */
export async function peopleIn(
  connection: Connection,
  asked: Asked,
): Promise<{ groups: string[]; people: number[] }[]> {
  const query = new Query();
  const body = bodyOf(query, asked, countedFor(asked));
  const keys = asked.by.map((key, at) => `${GROUPS[key].key} AS key${at}`);
  const names = keys.map((_, at) => `key${at}`);
  const inner = [...keys, "counted.person AS person"];
  // Two GROUP BYs: DISTINCT in the aggregate would sort all rows.
  const sql = `SELECT ${[...names, "array_agg(person) AS people"].join(", ")} FROM (
      SELECT ${inner.join(", ")} ${body} GROUP BY ${inner.map((_, at) => at + 1).join(", ")}
    ) AS whose ${names.length === 0 ? "" : `GROUP BY ${names.join(", ")}`}`;
  const rows = await connection.all<{ people: number[] | null }>(sql, query.values);
  return rows.map(({ people, ...row }) => {
    const keysOfRow = groupsOf({ ...row }, keys.length).map(({ key }) => key);
    return { groups: keysOfRow, people: people ?? [] };
  });
}

/** The session that a reply is counted with. */
function shownSession({ subagents }: Asked): string {
  return subagents === "separate" ? "sessions.session" : "sessions.top";
}

/**
 * Maps times to the cells between all bounds, and cells to ranges, so that a join by equality
 * handles any ranges, including overlapping ones.
 */
function rangesOf(query: Query, ranges: readonly TimeRange[] | undefined, time: string): string {
  if (!ranges) {
    return "CROSS JOIN (SELECT NULL::int4 AS range) AS ranges";
  }
  const timed = ranges.flatMap((range) => (range === "timeless" ? [] : [range.from, range.to]));
  const bounds = [...new Set(timed)].toSorted((a, b) => a - b);
  const places = new Map(bounds.map((bound, at) => [bound, at]));
  const cells: number[] = [];
  const numbers: number[] = [];
  for (const [number, range] of ranges.entries()) {
    const [from, to] =
      range === "timeless" ? [-2, -1] : [places.get(range.from) ?? 0, places.get(range.to) ?? 0];
    for (let cell = from + 1; cell <= to; cell += 1) {
      cells.push(cell);
      numbers.push(number);
    }
  }
  const cell =
    bounds.length === 0 ? "0" : `width_bucket(${time}, ${query.value(bounds)}::float8[])`;
  return `JOIN unnest(${query.value(cells)}::int4[], ${query.value(numbers)}::int4[])
    AS ranges (cell, range)
    ON ranges.cell = CASE WHEN ${time} IS NULL THEN -1 ELSE ${cell} END`;
}

/** Number of thresholds that a request's prompt exceeds. */
function promptClass(thresholds: readonly number[], { table }: Counted): string {
  if (thresholds.length === 0) return "0";
  const exceeded = thresholds.map((size) => {
    const isAbove =
      table === "buckets"
        ? `counted.prompt_class > ${PROMPT_BORDERS.indexOf(size)}`
        : `counted.input + coalesce(counted.tool, 0) > ${size}`;
    return `CASE WHEN ${isAbove} THEN 1 ELSE 0 END`;
  });
  return `(${exceeded.join(" + ")})`;
}

/** Number of price dates that have passed. */
function pricePeriod(query: Query, dates: readonly number[], { time }: Counted): string {
  if (dates.length === 0) return `CASE WHEN ${time} IS NULL THEN NULL ELSE 0 END`;
  const sorted = query.value(dates.toSorted((a, b) => a - b));
  return `width_bucket(${time}, ${sorted}::float8[])`;
}

/** Counts sessions in all, per first group, and per first and second group. */
async function countSessions(
  connection: Connection,
  asked: Asked,
  counted: Counted,
): Promise<UsageBuckets["sessions"]> {
  const query = new Query();
  const body = bodyOf(query, asked, counted);
  const keys = asked.by.map((key, at) => `${GROUPS[key].key} AS key${at}`);
  const names = keys.map((_, at) => `key${at}`);
  const sets = [...names.keys(), names.length].map((depth) => `(${names.slice(0, depth).join()})`);
  const shown = shownSession(asked);
  const sql = `WITH members AS MATERIALIZED (
      SELECT ${[...keys, `${shown} AS session`].join(", ")} ${body}
      GROUP BY ${[...keys, shown].map((_, at) => at + 1).join(", ")}
    )
    SELECT ${[...names, `${depthOf(names)} AS depth`].join(", ")}, count(DISTINCT session) AS count
    FROM members GROUP BY GROUPING SETS (${sets.join(", ")})`;
  const rows = await connection.all<{ count: number; depth: number }>(sql, query.values);
  return rows
    .filter(({ count }) => count > 0)
    .map((row) => ({ groups: groupsOf({ ...row }, row.depth), count: row.count }));
}

/** SQL for the number of groups in a row of the grouping sets. */
function depthOf(names: readonly string[]): string {
  return [`${names.length}`, ...names.map((name) => `grouping(${name})`)].join(" - ");
}
