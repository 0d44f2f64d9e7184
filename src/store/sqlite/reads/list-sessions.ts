import type { Parent } from "../../../core/session/links.ts";
import { keyOf, summaryWithParent, withParent } from "../../../core/session/links.ts";
import { optional } from "../../../core/optional.ts";
import type { SessionLocation, SessionFacts, SessionRow } from "../../../core/rows/session-rows.ts";
import type { SessionFileRef } from "../../../core/session/session.ts";
import type { SessionSummary } from "../../../core/rows/summary.ts";
import { goneSince } from "../../../core/rows/summarise.ts";
import { currentFiles } from "../../file-state.ts";
import { ownTitles, withAnnotations, withOwnTitle } from "../../annotated-rows.ts";
import { summaryPage } from "../../reads.ts";
import type { Page, RefQuery, SessionQuery, SessionRef, StartQuery } from "../../store.ts";
import { annotationsOf } from "../annotations.ts";
import type { Database } from "../database.ts";
import type { Value } from "../driver.ts";
import type { Conditions } from "./filters.ts";
import { sessionConditions } from "./filters.ts";
import { behind, cursorValues, orderBy } from "./session-order.ts";
import { inClause, placeholders } from "../sql.ts";

/** What a summary is made of. */
interface SummaryRow {
  key: number;
  parent: string | null;
  parent_call: string | null;
  own_usage: string | null;
  summary: string;
}

interface StoredRow extends SummaryRow {
  facts: string;
}

export function listSessions(database: Database, query: SessionQuery): Page<SessionRow> {
  return pageOf(database, query, { columns: "summary, facts", complete: rowsOf });
}

/** Does not read the facts, which are as large as the summaries. */
export function listSummaries(database: Database, query: SessionQuery): Page<SessionSummary> {
  return summaryPage(pageOf(database, query, { columns: "summary", complete: summariesOf }));
}

/** How the items of a page are made of stored rows. */
interface PageItems<Row, Item> {
  /** Columns of `session_details`. */
  columns: string;
  complete: (database: Database, rows: readonly Row[]) => Item[];
}

function pageOf<Row extends SummaryRow, Item extends { summary: SessionSummary }>(
  database: Database,
  query: SessionQuery,
  { columns, complete }: PageItems<Row, Item>,
): Page<Item> {
  const conditions = sessionConditions(query.scope, query.filter);
  const { ids, idStarts, parentId, limit, after } = query;
  if (ids) {
    const listed = inClause(ids);
    conditions.add(`s.id IN ${listed.sql}`, ...listed.values);
  }
  addIdStarts(conditions, idStarts);
  if (parentId !== undefined) conditions.add("s.parent = ?", parentId);
  const isWhole = limit === undefined && after === undefined;
  const counted = isWhole ? undefined : countOf(database, conditions);
  const order = orderBy(query.sort);
  if (after !== undefined) {
    const cursor = JSON.parse(after) as Value[];
    conditions.add(behind(order.columns), ...cursorValues(cursor));
  }
  const details = { columns, sorted: order.columns.join(", "), limit };
  const rows = storedRows<Row>(database, conditions, details);
  const shown = complete(database, rows.slice(0, limit));
  const sessionIds = shown.length > MANY ? undefined : shown.map(({ summary }) => summary.id);
  const items = withAnnotations(
    shown,
    annotationsOf(database, sessionIds === undefined ? {} : { sessionIds }),
  ).map(withOwnTitle);
  const last = items.at(-1);
  const isMore = rows.length > shown.length && last !== undefined;
  const next = isMore ? { next: JSON.stringify(order.valuesOf(last.summary)) } : {};
  return { items, total: counted ?? items.length, ...next };
}

function countOf(database: Database, { where, values }: Conditions): number {
  const sql = `SELECT count(*) AS n FROM sessions AS s${where}`;
  return database.get<{ n: number }>(sql, ...values)?.n ?? 0;
}

/** Reads one row more than the limit, to know whether there is another page. */
function storedRows<Row>(
  database: Database,
  { where, values }: Conditions,
  details: { columns: string; sorted: string; limit: number | undefined },
): Row[] {
  const { sorted, limit } = details;
  const columns = `s.key AS key, parent, parent_call, own_usage, ${details.columns}`;
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
  const files = filesIn(text, states.get(key));
  const own = titles.get(keyOf(source, id));
  return { source, id, kind, project, title: own ?? title, updatedAt, files };
}

/** Facts are parsed on first use. */
function rowsOf(database: Database, rows: readonly StoredRow[]): SessionRow[] {
  const changed = changedPlaces(database, rows);
  return rows.map((row) => {
    const files = changed.get(row.key);
    let session: SessionFacts | undefined;
    const known: SessionRow = {
      summary: summaryOf(row, files),
      get session() {
        session ??= { ...(JSON.parse(row.facts) as SessionFacts), ...optional("files", files) };
        return session;
      },
    };
    return withParent(known, parentOf(row));
  });
}

function summariesOf(
  database: Database,
  rows: readonly SummaryRow[],
): { summary: SessionSummary }[] {
  const changed = changedPlaces(database, rows);
  return rows.map((row) => {
    return { summary: summaryWithParent(summaryOf(row, changed.get(row.key)), parentOf(row)) };
  });
}

/** A stored summary with the usage that the session owns, and the current state of its files. */
function summaryOf(row: SummaryRow, files: SessionFileRef[] | undefined): SessionSummary {
  const summary = JSON.parse(row.summary) as SessionSummary;
  if (row.own_usage !== null) Object.assign(summary, JSON.parse(row.own_usage));
  if (files) summary.goneSince = goneSince(files);
  return summary;
}

function parentOf({ parent, parent_call: parentCallId }: SummaryRow): Parent | undefined {
  return parent === null ? undefined : { parentId: parent, parentCallId };
}

/** The current files of those sessions whose files changed since their rows were made. */
function changedPlaces(
  database: Database,
  rows: readonly SummaryRow[],
): Map<number, SessionFileRef[]> {
  const states = changedFiles(
    database,
    rows.map(({ key }) => key),
  );
  if (states.size === 0) return new Map();
  const listed = inClause([...states.keys()]);
  const sql = `SELECT session, files FROM session_places WHERE session IN ${listed.sql}`;
  return new Map(
    database
      .all<{ session: number; files: string }>(sql, ...listed.values)
      .map(({ session, files }) => [session, filesIn(files, states.get(session))]),
  );
}

function filesIn(text: string, changed: FileStates | undefined): SessionFileRef[] {
  const recorded = JSON.parse(text) as SessionFileRef[];
  return changed ? currentFiles(recorded, (_, position) => changed.get(position)) : recorded;
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
