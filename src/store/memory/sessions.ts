import type { LedgerFilter, SessionSort } from "../../core/filter/filter.ts";
import type { KnownRoot } from "../../core/files/kept.ts";
import { keyOf } from "../../core/session/links.ts";
import { matchesLedger, matchesSession, matchesTime } from "../../core/filter/matches.ts";
import type { ToolFact } from "../../core/rows/tool-fact.ts";
import type { SessionUnrecorded } from "../../core/session/session.ts";
import type { Project } from "../../core/session/project.ts";
import type { SessionRow, SessionRows } from "../../core/rows/session-rows.ts";
import { projectAnswer } from "../../core/rows/summarise.ts";
import { sortable } from "../row-values.ts";
import type { Page, Scope, SessionQuery, SessionRef, StartQuery } from "../store.ts";

/** Sort keys in order of priority: numbers and texts, ascending. */
type Order = readonly (number | string)[];

/** A session with the tool calls that it owns. */
type ListedSession = SessionRow & { tools: readonly ToolFact[] };

export function pageOf(all: readonly ListedSession[], query: SessionQuery): Page<SessionRow> {
  const { filter = {}, sort = "newest", ids, idStarts, parentId, limit, after } = query;
  const ordered = all
    .filter((session) => {
      const { summary, tools } = session;
      return (
        matchesSession(summary, filter, tools) &&
        ids?.includes(summary.id) !== false &&
        idStarts?.some((start) => summary.id.startsWith(start)) !== false &&
        (parentId === undefined || summary.parentId === parentId)
      );
    })
    .map(({ summary, session }) => ({ row: { summary, session }, order: orderOf(summary, sort) }))
    .toSorted((a, b) => compareOrders(a.order, b.order));
  const from = after === undefined ? 0 : indexBehind(ordered, JSON.parse(after) as Order);
  const to = limit === undefined ? ordered.length : from + limit;
  const last = ordered[to - 1];
  return {
    items: ordered.slice(from, to).map(({ row }) => row),
    total: ordered.length,
    ...(to < ordered.length && last ? { next: JSON.stringify(last.order) } : {}),
  };
}

export function refsOf(all: readonly ListedSession[], query: StartQuery): SessionRef[] {
  return pageOf(all, query).items.map(({ summary: { source, id } }) => ({ source, id }));
}

export function unrecordedOf(
  all: readonly SessionRow[],
  filter: LedgerFilter,
): SessionUnrecorded[] {
  return all
    .filter(({ summary }) => matchesLedger(summary, filter) && matchesTime(summary, filter))
    .flatMap(({ summary, session }) => {
      const { unrecorded: usage = [] } = session;
      const { source, id: sessionId } = summary;
      return usage.length === 0 ? [] : [{ source, sessionId, usage }];
    })
    .toSorted((a, b) => (keyOf(a.source, a.sessionId) < keyOf(b.source, b.sessionId) ? -1 : 1));
}

/** The sessions with a file in one of the roots of a scope. */
export function inScope<Row extends SessionRow>(
  sessions: Row[],
  roots: readonly KnownRoot[],
  scope: Scope,
): Row[] {
  if (scope === "own") return sessions;
  const own = new Set(
    roots.filter(({ id }) => scope.includes(id)).map(({ source, path }) => keyOf(source, path)),
  );
  return sessions.filter(({ session }) =>
    session.files.some(({ root }) => own.has(keyOf(session.source, root))),
  );
}

/** The rows of a session that belongs to another project than recorded. */
export function inProject(rows: SessionRows, project: Project): SessionRows {
  return {
    ...rows,
    summary: { ...rows.summary, project: projectAnswer(project) },
    session: { ...rows.session, project },
  };
}

function indexBehind(ordered: readonly { order: Order }[], cursor: Order): number {
  const at = ordered.findIndex(({ order }) => compareOrders(order, cursor) > 0);
  return at === -1 ? ordered.length : at;
}

/** Sort by the requested key, then newest first, then by id. */
function orderOf(summary: SessionRow["summary"], sort: SessionSort): Order {
  const time = Date.parse(summary.updatedAt ?? summary.startedAt ?? "");
  const newest = Number.isNaN(time) ? 0 : -time;
  return [...firstOf(summary, sort), newest, summary.id, summary.source];
}

/** Sessions without a value for the key come last. */
function firstOf(summary: SessionRow["summary"], sort: SessionSort): Order {
  switch (sort) {
    case "newest":
      return [];
    case "started": {
      const started = Date.parse(summary.startedAt ?? "");
      return Number.isNaN(started) ? [1, 0] : [0, -started];
    }
    case "tokens":
      return summary.tokens.total === null ? [1, 0] : [0, -summary.tokens.total];
    case "prompts":
      return [-summary.prompts];
    case "title":
      return summary.title === null ? [1, ""] : [0, sortable(summary.title)];
    case "status":
      return [summary.status];
    case "project":
      return [sortable(summary.project.name)];
    default:
      return sort satisfies never;
  }
}

function compareOrders(a: Order, b: Order): number {
  for (const [at, left] of a.entries()) {
    const right = b[at] ?? "";
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
