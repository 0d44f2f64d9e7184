import type { LedgerFilter } from "../../../core/filter/filter.ts";
import { QUARTER_MS } from "../../prompt-classes.ts";
import type { ScopedFilter } from "../../store.ts";
import type { Database } from "../database.ts";
import { NO_TIME } from "./derived-schema.ts";

/** Quarters of an hour per day. */
const QUARTERS = 96;

/**
 * Sums over the whole archive would read every bucket. Day buckets are far fewer and have the same
 * columns, so that the same SQL works on both:
 *
 *     day_buckets, day_tool_buckets   `session` is a group of sessions, `quarter` the start of a
 *                                     UTC day, or of its part after local midnight
 *     session_groups                  what the sessions of a group have in common
 *     stale_days                      first quarter of each day that must be summed again
 *
 * Triggers record the day of every bucket that is added or removed. While a day is stale, queries
 * use the plain buckets.
 */
export const DAY_SCHEMA: string = `
CREATE INDEX tool_buckets_by_time ON tool_buckets (quarter);
CREATE TABLE session_groups (
  key INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  project TEXT NOT NULL,
  project_name TEXT NOT NULL,
  UNIQUE (source, kind, project, project_name)
);
CREATE TABLE day_buckets AS SELECT * FROM buckets WHERE 0;
CREATE INDEX day_buckets_by_time ON day_buckets (quarter);
CREATE TABLE day_tool_buckets AS SELECT * FROM tool_buckets WHERE 0;
CREATE INDEX day_tool_buckets_by_time ON day_tool_buckets (quarter);
CREATE TABLE stale_days (quarter INTEGER PRIMARY KEY);
${["buckets", "tool_buckets"].map(noteChanges).join("")}
CREATE TRIGGER sessions_regrouped AFTER UPDATE OF kind, project, project_name ON sessions
WHEN OLD.kind <> NEW.kind OR OLD.project <> NEW.project OR OLD.project_name <> NEW.project_name
BEGIN
  INSERT OR IGNORE INTO stale_days SELECT ${dayOf("quarter")} FROM buckets WHERE session = NEW.key;
  INSERT OR IGNORE INTO stale_days
    SELECT ${dayOf("quarter")} FROM tool_buckets WHERE session = NEW.key;
END;
`;

export const DAY_TABLES = [
  "session_groups",
  "day_buckets",
  "day_tool_buckets",
  "stale_days",
] as const;

function noteChanges(table: string): string {
  return ["INSERT", "DELETE"]
    .map((change) => {
      const row = change === "INSERT" ? "NEW" : "OLD";
      return `CREATE TRIGGER ${table}_${change.toLowerCase()}ed AFTER ${change} ON ${table} BEGIN
  INSERT OR IGNORE INTO stale_days VALUES (${dayOf(`${row}.quarter`)});
END;
`;
    })
    .join("");
}

/** Marks all days as stale. */
function staleDays(): string {
  return ["buckets", "tool_buckets"]
    .map((table) => {
      return `INSERT OR IGNORE INTO stale_days SELECT DISTINCT ${dayOf("quarter")} FROM ${table};`;
    })
    .join("\n");
}

/** Rounds down, also before 1970. */
function dayOf(quarter: string): string {
  return `CASE WHEN ${quarter} = ${NO_TIME} THEN ${NO_TIME}
    ELSE ${quarter} - ((${quarter} % ${QUARTERS}) + ${QUARTERS}) % ${QUARTERS} END`;
}

/** Returns true if day buckets can answer a query whose ranges begin and end at these instants. */
export function canUseDayBuckets(
  database: Database,
  { scope, filter }: ScopedFilter,
  instants: readonly number[],
): boolean {
  const isWide = scope === "own" && NARROW.every((name) => filter[name] === undefined);
  if (!isWide || !instants.every(isBorder)) return false;
  const isStale = "SELECT EXISTS (SELECT 1 FROM stale_days) AS n";
  if (database.get<{ n: number }>(isStale)?.n === 1) return false;
  return instants.every(isInUtc) || zoneOf(database) === zone();
}

/** Filters that need single sessions, which day buckets do not have. */
const NARROW = [
  "project",
  "folder",
  "status",
  "tag",
  "star",
  "session",
] as const satisfies readonly (keyof LedgerFilter)[];

const DAY_MS = QUARTERS * QUARTER_MS;

function isInUtc(ms: number): boolean {
  return ms % DAY_MS === 0;
}

function isBorder(ms: number): boolean {
  const there = new Date(ms);
  const isMidnight = there.getHours() === 0 && there.getMinutes() === 0;
  return isInUtc(ms) || (isMidnight && ms % QUARTER_MS === 0);
}

/** Identifies the time zone by its UTC offset in each month; looking up its name is slow. */
function zone(): string {
  const months = Array.from({ length: 12 * 12 }, (_, month) => new Date(Date.UTC(2023, month)));
  return months.map((month) => month.getTimezoneOffset()).join(" ");
}

function zoneOf(database: Database): string | undefined {
  return database.get<{ value: string }>("SELECT value FROM meta WHERE key = 'days'")?.value;
}

/**
 * Rebuilds all days, so that nothing of a forgotten session remains, not even its project name.
 * Call inside a transaction.
 */
export function addUpAllDays(database: Database): void {
  for (const table of DAY_TABLES) database.run(`DELETE FROM ${table}`);
  database.exec(staleDays());
  updateDayBuckets(database);
}

/** Sums stale days again. Call inside a transaction. */
export function updateDayBuckets(database: Database): void {
  if (zoneOf(database) !== zone()) {
    database.exec(staleDays());
    database.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('days', ?)", zone());
  }
  const stale = database.all<{ quarter: number }>("SELECT quarter FROM stale_days");
  for (const { quarter } of stale) {
    const ends = quarter === NO_TIME ? quarter + 1 : quarter + QUARTERS;
    for (const table of ["day_buckets", "day_tool_buckets"]) {
      database.run(`DELETE FROM ${table} WHERE quarter >= ? AND quarter < ?`, quarter, ends);
    }
    const borders = [...bordersIn(quarter, ends), ends];
    for (const [at, begins] of borders.slice(0, -1).entries()) {
      for (const sql of ADD_UP) database.run(sql, begins, borders[at + 1] ?? ends);
    }
  }
  database.run("DELETE FROM stale_days");
}

function bordersIn(begins: number, ends: number): number[] {
  const later = Array.from({ length: Math.max(0, ends - begins - 1) }, (_, at) => begins + at + 1);
  return [begins, ...later.filter((quarter) => isBorder(quarter * QUARTER_MS))];
}

const GROUP = "source, kind, project, project_name";
const GROUPED = `SELECT DISTINCT ${GROUP} FROM sessions WHERE key IN`;
const WITHIN = "quarter >= ?1 AND quarter < ?2";
const JOINED = `JOIN sessions AS s ON s.key = b.session JOIN session_groups AS g
  ON g.source = s.source AND g.kind = s.kind AND g.project = s.project
  AND g.project_name = s.project_name WHERE b.${WITHIN.replace("AND ", "AND b.")}`;

const ADD_UP = [
  `INSERT OR IGNORE INTO session_groups (${GROUP})
    ${GROUPED} (SELECT session FROM buckets WHERE ${WITHIN})
    UNION ${GROUPED} (SELECT session FROM tool_buckets WHERE ${WITHIN})`,
  `INSERT INTO day_buckets SELECT g.key, ?1, b.model, b.prompt_class, b.tier, b.standing,
    b.purpose, sum(b.requests), sum(b.at_least), sum(b.odd), sum(b.input), sum(b.fresh),
    sum(b.cached), sum(b.cache_write_5m), sum(b.cache_write_1h), sum(b.output), sum(b.thoughts),
    sum(b.tool), sum(b.total), sum(b.web_searches) FROM buckets AS b ${JOINED}
    GROUP BY g.key, b.model, b.prompt_class, b.tier, b.standing, b.purpose`,
  `INSERT INTO day_tool_buckets SELECT g.key, ?1, b.tool, b.model, sum(b.calls), sum(b.success),
    sum(b.error), sum(b.cancelled), sum(b.timed), sum(b.total_ms), max(b.longest_ms)
    FROM tool_buckets AS b ${JOINED} GROUP BY g.key, b.tool, b.model`,
];
