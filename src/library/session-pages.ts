import type { CallFilter, SessionFilter, SessionSort } from "../core/filter/filter.ts";
import { keyOf } from "../core/session/links.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import { readSession } from "../ingest/read-session.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import { optional } from "../core/optional.ts";
import { costOfSession } from "../queries/usage/session-names.ts";
import type { UsesAnswer } from "../queries/search/uses.ts";
import { usesIn } from "../queries/search/uses.ts";
import type { SessionRef } from "../store/store.ts";
import type { SessionList } from "./sessions.ts";
import type { StoreView } from "./store-view.ts";

/** Orders of a list; all but `cost` are known to stores. */
export const SESSION_ORDERS = [
  "updated",
  "started",
  "project",
  "title",
  "status",
  "prompts",
  "tokens",
  "cost",
] as const;
type SessionOrder = (typeof SESSION_ORDERS)[number];

export interface PageRequest {
  order?: SessionOrder;
  /** `down`: largest, latest or alphabetically first comes first. */
  direction?: "down" | "up";
  offset?: number;
  limit?: number;
}

/** Cost of each session by id; called only when needed. */
export type CostsOf = () => Promise<ReadonlyMap<string, number | null>>;

/** A page of a list: sorts the refs of all matching sessions, then reads those of the page. */
export async function sessionPage(
  { store, scope }: StoreView,
  filter: SessionFilter,
  request: PageRequest & { costs: CostsOf },
): Promise<Pick<SessionList, "sessions" | "total">> {
  const { order = "updated", direction = "down", offset = 0, limit } = request;
  const isFirst = offset === 0 && limit !== undefined && direction === "down" && order !== "cost";
  // The first page needs no refs of the others.
  if (isFirst) {
    const query = { scope, filter, sort: SORTS[order], limit };
    const { items: sessions, total } = await store.summaries(query);
    return { sessions, total };
  }
  const refs = await store.refs({ scope, filter, sort: SORTS[order] });
  const sorted = order === "cost" ? byCost(refs, await request.costs()) : refs;
  const ordered = direction === "down" ? sorted : sorted.toReversed();
  const shown = ordered.slice(offset, limit === undefined ? undefined : offset + limit);
  const ids = shown.map(({ id }) => id);
  const { items } = await store.summaries(shown.length > MANY ? { scope } : { scope, ids });
  const read = new Map(items.map((summary) => [keyOf(summary.source, summary.id), summary]));
  return {
    sessions: shown.flatMap(({ source, id }) => read.get(keyOf(source, id)) ?? []),
    total: refs.length,
  };
}

/** Above this number, all rows are read instead of listing ids. */
const MANY = 1000;

const SORTS: Readonly<Record<SessionOrder, SessionSort>> = {
  updated: "newest",
  started: "started",
  project: "project",
  title: "title",
  status: "status",
  prompts: "prompts",
  tokens: "tokens",
  cost: "newest",
};

/** Sessions without a known cost come last. */
function byCost(
  refs: readonly SessionRef[],
  costs: ReadonlyMap<string, number | null>,
): SessionRef[] {
  const costOf = (session: SessionRef): number => costOfSession(costs, session) ?? -1;
  return refs.toSorted((a, b) => costOf(b) - costOf(a));
}

/** Summaries held in memory at a time. With more, most of the time is garbage collection. */
const PART = 50;

/** All matching sessions, newest first, in parts, since there may be very many. */
export async function sessionsInParts(
  view: StoreView,
  filter: SessionFilter,
): Promise<{ total: number; parts: AsyncIterable<SessionSummary[]> }> {
  const { store, scope } = view;
  const refs = await store.refs({ scope, filter });
  return { total: refs.length, parts: partsOf(view, refs) };
}

async function* partsOf(
  { store, scope }: StoreView,
  refs: readonly SessionRef[],
): AsyncGenerator<SessionSummary[]> {
  for (let at = 0; at < refs.length; at += PART) {
    const part = refs.slice(at, at + PART);
    const keys = new Set(part.map(({ source, id }) => keyOf(source, id)));
    const ids = part.map(({ id }) => id);
    const { items } = await store.summaries({ scope, ids });
    // Sessions of two agents may have the same id.
    yield items.filter(({ source, id }) => keys.has(keyOf(source, id)));
  }
}

/** Default number of sessions per page. */
const USES_PAGE = 20;

/** Where a tool, command, server or file was used, with the prompt that led to it. */
export async function usesPage(
  view: StoreView,
  filter: SessionFilter,
  request: PageRequest & { costs: CostsOf },
): Promise<UsesAnswer> {
  const page = await sessionPage(view, filter, { limit: USES_PAGE, ...request });
  const sessions: UsesAnswer["sessions"] = [];
  for (const summary of page.sessions) {
    const session = await readSession(view, summary);
    const uses = session ? usesIn(session, filter, shellCommands) : [];
    sessions.push({ session: summary, uses });
  }
  const touched = sessions.flatMap(({ uses }) => uses.flatMap(({ files }) => files));
  const paths = [...new Set(touched.map(({ path }) => path))].toSorted();
  return { calls: callsOf(filter), total: page.total, paths, sessions };
}

function callsOf({ tool, server, command, outcome, path }: SessionFilter): CallFilter {
  return {
    ...optional("tool", tool),
    ...optional("server", server),
    ...optional("command", command),
    ...optional("outcome", outcome),
    ...optional("path", path),
  };
}
