import type { SessionSort } from "../../../core/filter/filter.ts";
import type { Parent } from "../../../core/session/links.ts";
import { withParent } from "../../../core/session/links.ts";
import type { SessionFacts, SessionRow } from "../../../core/rows/session-rows.ts";
import type { SessionSummary } from "../../../core/rows/summary.ts";
import type { FileState } from "../../file-state.ts";
import { withFileStates } from "../../file-state.ts";
import { withAnnotations, withOwnTitle } from "../../annotated-rows.ts";
import type { Page, SessionQuery, SessionRef, StartQuery } from "../../store.ts";
import { annotationsOf } from "../annotations.ts";
import type { Connection } from "../connection.ts";
import { REPLACED_STATE } from "../files.ts";
import { inScope, TITLE, whereSession } from "./filters.ts";
import { Query } from "./query.ts";

/** Sort keys in ascending order: an expression and its type. */
type Order = readonly (readonly [expression: string, type: string])[];

/** Sort by the requested key, then newest first, then by id. */
function orderOf(sort: SessionSort = "newest"): Order {
  const behind = [
    ["newest", "int8"],
    ["id", "text"],
    ["source", "text"],
  ] as const;
  return [...FIRST[sort], ...behind];
}

/** Sessions without a value for the key come last. */
const FIRST: Readonly<Record<SessionSort, Order>> = {
  newest: [],
  started: [
    ["(started_ms IS NULL)::int4", "int4"],
    ["coalesce(-started_ms, 0)", "float8"],
  ],
  status: [["status", "text"]],
  tokens: [
    ["(tokens IS NULL)::int4", "int4"],
    ["coalesce(-tokens, 0)", "float8"],
  ],
  prompts: [["-prompts", "int8"]],
  title: [
    [`(${TITLE} IS NULL)::int4`, "int4"],
    [`coalesce(${TITLE}, '')`, "text"],
  ],
  project: [["name_sorted", "text"]],
};

interface StoredRow {
  summary: string;
  facts: string;
  own_usage: string | null;
  parent: string | null;
  parent_call: string | null;
}

export async function sessionPage(
  connection: Connection,
  asked: SessionQuery,
): Promise<Page<SessionRow>> {
  const { limit, after } = asked;
  const order = orderOf(asked.sort);
  const query = meant(asked);
  const counted = await connection.all<{ total: number }>(
    `SELECT count(*) AS total FROM sessions WHERE ${query.conditions}`,
    query.values,
  );
  const keys = order.map(([expression]) => expression);
  if (after !== undefined) {
    const cursor = (JSON.parse(after) as unknown[]).map((value, at) => {
      return `${query.value(value)}::${order[at]?.[1]}`;
    });
    query.where(`(${keys.join(", ")}) > (${cursor.join(", ")})`);
  }
  const most = limit === undefined ? "" : `LIMIT ${query.value(limit + 1)}`;
  const rows = await connection.all<StoredRow & Record<string, unknown>>(
    `SELECT summary, facts, own_usage, parent, parent_call,
      ${keys.map((key, at) => `${key} AS key_${at}`).join(", ")}
    FROM sessions WHERE ${query.conditions} ORDER BY ${keys.join(", ")} ${most}`,
    query.values,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return {
    items: await sessionRows(connection, page),
    total: counted[0]?.total ?? 0,
    ...(last ? { next: JSON.stringify(keys.map((_, at) => last[`key_${at}`])) } : {}),
  };
}

export async function sessionRefs(
  connection: Connection,
  asked: StartQuery,
): Promise<SessionRef[]> {
  const query = meant(asked);
  const keys = orderOf(asked.sort).map(([expression]) => expression);
  const sql = `SELECT source, id FROM sessions WHERE ${query.conditions}
    ORDER BY ${keys.join(", ")}`;
  return connection.all<SessionRef>(sql, query.values);
}

function meant({ scope, filter = {}, ids, idStarts, parentId }: SessionQuery): Query {
  const query = new Query();
  query.where(inScope(query, scope));
  whereSession(query, filter);
  if (ids) query.where(`id = ANY(${query.value(ids)}::text[])`);
  if (idStarts) {
    const starts = `unnest(${query.value(idStarts)}::text[]) AS start`;
    query.where(`EXISTS (SELECT 1 FROM ${starts} WHERE starts_with(id, start))`);
  }
  if (parentId !== undefined) query.where(`parent = ${query.value(parentId)}`);
  return query;
}

/** Completes stored rows with what depends on other sessions, and with the current file states. */
async function sessionRows(
  connection: Connection,
  rows: readonly StoredRow[],
): Promise<SessionRow[]> {
  const linked = rows.map(linkedRow);
  const paths = new Set(linked.flatMap(({ session }) => session.files.map(({ path }) => path)));
  const states = await fileStates(connection, [...paths]);
  const sessionIds = linked.map(({ summary }) => summary.id);
  return withAnnotations(
    linked.map((row) => withFileStates(row, (path) => states.get(path))),
    await annotationsOf(connection, { sessionIds }),
  ).map(withOwnTitle);
}

function linkedRow({ summary, facts, own_usage, parent, parent_call }: StoredRow): SessionRow {
  const own = own_usage === null ? {} : (JSON.parse(own_usage) as Partial<SessionSummary>);
  const row: SessionRow = {
    summary: { ...(JSON.parse(summary) as SessionSummary), ...own },
    session: JSON.parse(facts) as SessionFacts,
  };
  const begun: Parent | undefined =
    parent === null ? undefined : { parentId: parent, parentCallId: parent_call };
  return withParent(row, begun);
}

interface StateRow {
  path: string;
  modified_ms: number;
  gone_since_ms: number | null;
}

/** States of files by path, and of replaced contents by the number in their path. */
async function fileStates(
  connection: Connection,
  paths: readonly string[],
): Promise<Map<string, FileState>> {
  const replaced = paths.flatMap((path) => /\.replaced-(\d{1,15})$/.exec(path)?.[1] ?? []);
  const sql = `SELECT path, modified_ms, gone_since_ms FROM files WHERE path = ANY($1::text[])`;
  const rows =
    paths.length === 0 ? [] : await connection.all<StateRow>(`${sql} ORDER BY id`, [paths]);
  if (replaced.length > 0) {
    const named = `${REPLACED_STATE} WHERE contents.id = ANY($1::int8[])`;
    rows.push(...(await connection.all<StateRow>(named, [replaced])));
  }
  return new Map(
    rows.map(({ path, modified_ms, gone_since_ms }) => {
      return [path, { modifiedMs: modified_ms, goneSinceMs: gone_since_ms ?? undefined }];
    }),
  );
}
