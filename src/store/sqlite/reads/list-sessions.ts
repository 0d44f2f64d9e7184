import type { SessionSort } from "../../../core/filter/filter.ts";
import { keyOf, withParent } from "../../../core/session/links.ts";
import type { SessionLocation, SessionFacts, SessionRow } from "../../../core/rows/session-rows.ts";
import type { SessionFileRef } from "../../../core/session/session.ts";
import type { SessionSummary } from "../../../core/rows/summary.ts";
import { currentFiles, withFileStates } from "../../file-state.ts";
import { ownTitles, withAnnotations, withOwnTitle } from "../../annotated-rows.ts";
import { sortable } from "../../row-values.ts";
import type { Page, RefQuery, SessionQuery, SessionRef, StartQuery } from "../../store.ts";
import { annotationsOf } from "../annotations.ts";
import type { Database } from "../database.ts";
import type { Value } from "../driver.ts";
import type { Conditions } from "./filters.ts";
import { sessionConditions, TITLE } from "./filters.ts";
import { inClause, placeholders } from "../sql.ts";

interface StoredRow {
  key: number;
  parent: string | null;
  parent_call: string | null;
  own_usage: string | null;
  summary: string;
  facts: string;
}

/** Sort columns in ascending order, and their values for a session. */
interface Order {
  columns: readonly string[];
  valuesOf: (summary: SessionSummary) => (number | string)[];
}

export function listSessions(database: Database, query: SessionQuery): Page<SessionRow> {
  const conditions = sessionConditions(query.scope, query.filter);
  const { ids, idStarts, parentId, sort, limit, after } = query;
  if (ids) {
    const listed = inClause(ids);
    conditions.add(`s.id IN ${listed.sql}`, ...listed.values);
  }
  addIdStarts(conditions, idStarts);
  if (parentId !== undefined) conditions.add("s.parent = ?", parentId);
  const count = `SELECT count(*) AS n FROM sessions AS s${conditions.where}`;
  const total = database.get<{ n: number }>(count, ...conditions.values)?.n ?? 0;
  const order = orderBy(sort);
  if (after !== undefined) {
    const cursor = JSON.parse(after) as Value[];
    conditions.add(behind(order.columns), ...cursorValues(cursor));
  }
  const rows = rowsOf(database, conditions, { sorted: order.columns.join(", "), limit });
  const shown = rows.slice(0, limit);
  const states = withStates(database, shown);
  const sessionIds = states.length > MANY ? undefined : states.map(({ summary }) => summary.id);
  const items = withAnnotations(
    states,
    annotationsOf(database, sessionIds === undefined ? {} : { sessionIds }),
  ).map(withOwnTitle);
  const last = items.at(-1);
  const isMore = rows.length > shown.length && last !== undefined;
  const next = isMore ? { next: JSON.stringify(order.valuesOf(last.summary)) } : {};
  return { items, total, ...next };
}

/** Reads one row more than the limit, to know whether there is another page. */
function rowsOf(
  database: Database,
  { where, values }: Conditions,
  { sorted, limit }: { sorted: string; limit: number | undefined },
): StoredRow[] {
  const columns = "s.key AS key, parent, parent_call, own_usage, summary, facts";
  const from = "FROM sessions AS s JOIN session_details ON session = s.key";
  if (limit === undefined) {
    return database.all(`SELECT ${columns} ${from}${where} ORDER BY ${sorted}`, ...values);
  }
  // Details are large: read them for the page only, not for every sorted row.
  const keys = `SELECT s.key FROM sessions AS s${where} ORDER BY ${sorted} LIMIT ?`;
  const page = `SELECT ${columns} ${from} WHERE s.key IN (${keys}) ORDER BY ${sorted}`;
  return database.all(page, ...values, limit + 1);
}

/** Finds the ids by their index. */
function addIdStarts(conditions: Conditions, starts: readonly string[] | undefined): void {
  if (!starts) return;
  // No text contains the byte 0xff.
  const within = "begun.id >= start.value AND begun.id < start.value || CAST(x'ff' AS TEXT)";
  const ids = `SELECT begun.id FROM json_each(?) AS start CROSS JOIN sessions AS begun ON ${within}`;
  conditions.add(`s.id IN (${ids})`, JSON.stringify(starts));
}

export function listRefs(
  database: Database,
  { scope, filter, sort, idStarts }: StartQuery,
): SessionRef[] {
  const conditions = sessionConditions(scope, filter);
  addIdStarts(conditions, idStarts);
  const sql = `SELECT s.source AS source, s.id AS id FROM sessions AS s${conditions.where}
    ORDER BY ${orderBy(sort).columns.join(", ")}`;
  return database.all<SessionRef>(sql, ...conditions.values).map(({ source, id }) => {
    return { source, id };
  });
}

interface LocatedRow extends Omit<SessionLocation, "files"> {
  key: number;
  files: string;
}

export function listLocated(
  database: Database,
  { scope, filter, sort }: RefQuery,
): SessionLocation[] {
  const conditions = sessionConditions(scope, filter);
  const order = ` ORDER BY ${orderBy(sort).columns.join(", ")}`;
  const states = changedFiles(database);
  const titles = ownTitles(annotationsOf(database, {}));
  const located: SessionLocation[] = [];
  const sql = LOCATED + conditions.where + order;
  // There may be very many rows: each is released after it was read.
  const rows = database.each<LocatedRow>(sql, ...conditions.values);
  for (const row of rows) located.push(locatedIn(row, states, titles));
  return located;
}

/** Located sessions in the order of the given keys. */
export function locatedByKey(database: Database, keys: readonly number[]): SessionLocation[] {
  const listed = inClause(keys);
  const sql = `${LOCATED} WHERE s.key IN ${listed.sql}`;
  const rows = database.all<LocatedRow>(sql, ...listed.values);
  const sessionIds = rows.map(({ id }) => id);
  const titles = ownTitles(annotationsOf(database, { sessionIds }));
  const states = changedFiles(database, keys);
  const byKey = new Map(rows.map((row) => [row.key, locatedIn(row, states, titles)]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

const LOCATED = `SELECT s.key AS key, s.source AS source, s.id AS id, s.kind AS kind,
    s.project_name AS project, s.title AS title, place.updated_at AS updatedAt,
    place.files AS files
  FROM sessions AS s JOIN session_places AS place ON place.session = s.key`;

function locatedIn(
  row: LocatedRow,
  states: ReadonlyMap<number, FileStates>,
  titles: ReturnType<typeof ownTitles>,
): SessionLocation {
  const { key, files: text, title, source, id, kind, project, updatedAt } = row;
  const recorded = JSON.parse(text) as SessionFileRef[];
  const changed = states.get(key);
  const files = changed ? currentFiles(recorded, (_, position) => changed.get(position)) : recorded;
  const own = titles.get(keyOf(source, id));
  return { source, id, kind, project, title: own ?? title, updatedAt, files };
}

/** Completes stored rows with the current parent, own usage and file states. */
function withStates(database: Database, rows: readonly StoredRow[]): SessionRow[] {
  const states = changedFiles(
    database,
    rows.map(({ key }) => key),
  );
  return rows.map((row) => {
    const linked = rowOf(row);
    const changed = states.get(row.key);
    if (!changed) return linked;
    const paths = new Map(
      linked.session.files.map(({ path }, position) => [path, changed.get(position)]),
    );
    return withFileStates(linked, (path) => paths.get(path));
  });
}

/** Lists need only the summary; the rest is parsed on first use. */
function rowOf(row: StoredRow): SessionRow {
  const summary = JSON.parse(row.summary) as SessionSummary;
  if (row.own_usage !== null) Object.assign(summary, JSON.parse(row.own_usage));
  const { parent, parent_call: parentCallId, facts } = row;
  let session: SessionFacts | undefined;
  const known: SessionRow = {
    summary,
    get session() {
      return (session ??= JSON.parse(facts) as SessionFacts);
    },
  };
  return withParent(known, parent === null ? undefined : { parentId: parent, parentCallId });
}

interface ChangedFile {
  session: number;
  position: number;
  modified_ms: number;
  gone_since_ms: number | null;
}

type FileStates = Map<number, { modifiedMs: number; goneSinceMs: number | undefined }>;

const MANY = 500;

/** Files that changed since the rows were made; usually few. */
function changedFiles(database: Database, keys?: readonly number[]): Map<number, FileStates> {
  const few = keys === undefined || keys.length > MANY ? undefined : keys;
  const within = few ? ` AND session_files.session IN (${placeholders(few.length)})` : "";
  const sql = `SELECT session, position, files.modified_ms, files.gone_since_ms
    FROM session_files JOIN files ON files.id = session_files.file
    WHERE (files.gone_since_ms IS DISTINCT FROM session_files.gone_since_ms
    OR files.modified_ms <> session_files.modified_ms)${within}`;
  const found = new Map<number, FileStates>();
  for (const row of database.all<ChangedFile>(sql, ...(few ?? []))) {
    const states: FileStates = found.get(row.session) ?? new Map();
    const goneSinceMs = row.gone_since_ms ?? undefined;
    states.set(row.position, { modifiedMs: row.modified_ms, goneSinceMs });
    found.set(row.session, states);
  }
  return found;
}

export const NEWEST: readonly string[] = ["coalesce(-s.last_ms, 0)", "s.id", "s.source"];

function newestOf(summary: SessionSummary): (number | string)[] {
  const time = Date.parse(summary.updatedAt ?? summary.startedAt ?? "");
  return [Number.isNaN(time) ? 0 : -time, summary.id, summary.source];
}

/** Sort by the requested key, then newest first, then by id. */
function orderBy(sort: SessionSort): Order {
  const first = FIRST[sort];
  return {
    columns: [...first.columns, ...NEWEST],
    valuesOf: (summary) => [...first.valuesOf(summary), ...newestOf(summary)],
  };
}

const FIRST: Readonly<Record<SessionSort, Order>> = {
  newest: { columns: [], valuesOf: () => [] },
  started: {
    columns: ["CASE WHEN s.started_ms IS NULL THEN 1 ELSE 0 END", "coalesce(-s.started_ms, 0)"],
    valuesOf: ({ startedAt }) => {
      const started = Date.parse(startedAt ?? "");
      return Number.isNaN(started) ? [1, 0] : [0, -started];
    },
  },
  status: { columns: ["s.status"], valuesOf: ({ status }) => [status] },
  tokens: {
    columns: ["CASE WHEN s.tokens IS NULL THEN 1 ELSE 0 END", "coalesce(-s.tokens, 0)"],
    valuesOf: ({ tokens }) => (tokens.total === null ? [1, 0] : [0, -tokens.total]),
  },
  prompts: { columns: ["-s.prompts"], valuesOf: ({ prompts }) => [-prompts] },
  title: {
    columns: [`CASE WHEN ${TITLE} IS NULL THEN 1 ELSE 0 END`, `coalesce(${TITLE}, '')`],
    valuesOf: ({ title }) => (title === null ? [1, ""] : [0, sortable(title)]),
  },
  project: {
    columns: ["s.project_name_folded"],
    valuesOf: ({ project }) => [sortable(project.name)],
  },
};

/** Rows after a cursor: greater in one column and equal in all before it. */
function behind(columns: readonly string[]): string {
  const cases = columns.map((column, at) => {
    const same = columns.slice(0, at).map((before) => `${before} = ? AND `);
    return `(${same.join("")}${column} > ?)`;
  });
  return `(${cases.join(" OR ")})`;
}

function cursorValues(cursor: readonly Value[]): Value[] {
  return cursor.flatMap((_, at) => cursor.slice(0, at + 1));
}
