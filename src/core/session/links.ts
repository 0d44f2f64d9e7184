import { compareTexts } from "../lists.ts";
import type { Chain, ChainLink } from "./chain.ts";
import { groupBy } from "../group.ts";
import { instantOf } from "../instant.ts";
import type { SessionRow, SessionRows } from "../rows/session-rows.ts";
import type { SessionSummary } from "../rows/summary.ts";
import { NO_TOKENS } from "../rows/summary.ts";
import type { ToolFact } from "../rows/tool-fact.ts";
import { sumFacts, sumSearches } from "../usage/usage-facts.ts";
import type { UsageFact } from "../usage/usage-fact.ts";

/** Sessions with the fields that can only be computed from all sessions together. */
export interface LinkedSessions {
  sessions: LinkedSession[];
  chains: Chain[];
}

export interface LinkedSession extends SessionRow {
  /** The replies that the session owns: no reply is counted in two sessions. */
  usage: readonly UsageFact[];
  /** Its copies of replies that other sessions own with different counts. */
  unequal: readonly UsageFact[];
  /** The calls that the session owns. */
  tools: readonly ToolFact[];
  /** The model of each message, including messages whose reply another session owns. */
  modelOfMessage: ReadonlyMap<string, string | undefined>;
  /** All of its calls by message, including those that another session owns. */
  calls: ReadonlyMap<string, readonly ToolFact[]>;
  /** The root of its parent chain; the session itself if it has no parent. */
  top: Pick<SessionSummary, "id" | "title">;
}

/**
 * Links all sessions of one or several sources in memory: the plain implementation that stores are
 * compared with.
 */
export function linkSessions(all: readonly SessionRows[]): LinkedSessions {
  const replyOwners = ownersOf(all, ({ usage }) => usage.map(replyRecord));
  const callOwners = ownersOf(all, ({ tools }) => tools.map(callRecord));
  const parents = parentsOf(all);
  const isUnequal = unequalCopies(all, replyOwners);
  const there = new Map(all.map(({ summary }) => [keyOf(summary.source, summary.id), summary]));
  return {
    sessions: all.map((rows) => {
      const { source, id } = rows.summary;
      const isOwn = (owners: ReadonlyMap<string, string>, item: string): boolean =>
        (owners.get(keyOf(source, item)) ?? id) === id;
      const usage = rows.usage.filter(({ replyId }) => isOwn(replyOwners, replyId));
      const tools = rows.tools.filter((fact) => isOwn(callOwners, callKey(fact)));
      const modelOfMessage = new Map(rows.usage.map((fact) => [fact.messageId, fact.model]));
      const row = withParent(withOwnUsage(rows, usage), parents.get(keyOf(source, id)));
      const topId = topOf(id, (below) => {
        const parent = parents.get(keyOf(source, below))?.parentId;
        return parent !== undefined && there.has(keyOf(source, parent)) ? parent : undefined;
      });
      const calls = groupBy(rows.tools, ({ messageId }) => messageId);
      const top = there.get(keyOf(source, topId)) ?? rows.summary;
      const unequal = rows.usage.filter((fact) => isUnequal(rows.summary, fact));
      return { ...row, usage, unequal, tools, modelOfMessage, calls, top };
    }),
    chains: chainsOf(
      all.flatMap((rows) => [...originLinks(rows), ...sharedLinks(rows, replyOwners)]),
    ),
  };
}

/** Reply and session ids are unique only within a source. */
export function keyOf(source: string, id: string): string {
  return `${source}\n${id}`;
}

/** Identical in every session that holds a copy of the call. */
export function callKey({ messageId, callId }: Pick<ToolFact, "messageId" | "callId">): string {
  return `${messageId}\n${callId}`;
}

/** A reply or call that a session recorded; other sessions may hold copies of it. */
interface Recorded {
  key: string;
  at: string | undefined;
}

function replyRecord({ replyId, at }: UsageFact): Recorded {
  return { key: replyId, at };
}

function callRecord(fact: ToolFact): Recorded {
  return { key: callKey(fact), at: fact.at };
}

/**
 * A reply or call that occurs in several sessions was paid for (or done) once, in the session that
 * recorded it first. Returns only shared records: record → owning session.
 */
function ownersOf(
  all: readonly SessionRows[],
  recordsOf: (rows: SessionRows) => Recorded[],
): Map<string, string> {
  const first = new Map<string, { rows: SessionRows; order: CopyOrder }>();
  const shared = new Set<string>();
  for (const rows of all) {
    for (const { key: item, at } of recordsOf(rows)) {
      const key = keyOf(rows.summary.source, item);
      const known = first.get(key);
      const order = copyOrder(rows, instantOf(at ?? ""));
      if (known && known.rows !== rows) shared.add(key);
      if (!known || compareOrder(order, known.order) < 0) first.set(key, { rows, order });
    }
  }
  const owners = new Map<string, string>();
  for (const key of shared) owners.set(key, first.get(key)?.rows.summary.id ?? "");
  return owners;
}

/**
 * Returns a function that tells whether another session owns a reply and has different counts for
 * it.
 */
function unequalCopies(
  all: readonly SessionRows[],
  owners: ReadonlyMap<string, string>,
): (session: SessionSummary, fact: UsageFact) => boolean {
  const owned = new Set<string>();
  const ownerOf = ({ source }: SessionSummary, { replyId }: UsageFact): string | undefined =>
    owners.get(keyOf(source, replyId));
  for (const { summary, usage } of owners.size === 0 ? [] : all) {
    for (const fact of usage) {
      if (ownerOf(summary, fact) === summary.id) owned.add(countsKey(summary, fact));
    }
  }
  return (session, fact) => {
    const owner = ownerOf(session, fact);
    return owner !== undefined && owner !== session.id && !owned.has(countsKey(session, fact));
  };
}

function countsKey({ source }: SessionSummary, fact: UsageFact): string {
  const { replyId, input, cached, output, thoughts, total } = fact;
  return keyOf(source, [replyId, input, cached, output, thoughts, total].join("\n"));
}

/** Sort key for copies of one record: the first in this order is the original. */
export type CopyOrder = readonly [rank: number, atMs: number, startedMs: number, id: string];

export function copyOrder(row: SessionRow, atMs: number): CopyOrder {
  const { startedAt, id } = row.summary;
  return [copyRank(row), sortable(atMs), sortable(instantOf(startedAt ?? "")), id];
}

/** Imports and forks repeat what another session recorded, so they sort last. */
export function copyRank({ summary, session }: SessionRow): 0 | 1 {
  return summary.isImport || (session.origins?.length ?? 0) > 0 ? 1 : 0;
}

/** Records without a time come last. */
function sortable(ms: number): number {
  return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms;
}

export function compareOrder(a: CopyOrder, b: CopyOrder): number {
  const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  if (order !== 0 || a[3] === b[3]) return order;
  return a[3] < b[3] ? -1 : 1;
}

/** A session whose replies are all copies has used zero tokens itself. */
function withOwnUsage(rows: SessionRows, own: readonly UsageFact[]): SessionRow {
  const { summary, session, usage } = rows;
  if (own.length === usage.length) return { summary, session };
  const tokens = own.length === 0 ? NO_TOKENS : sumFacts(own);
  const isAtLeast = own.some((fact) => fact.isAtLeast === true);
  const webSearches = sumSearches(own);
  return { summary: { ...summary, tokens, isAtLeast, webSearches }, session };
}

/** The session and the call that started a subsession. */
export interface Parent {
  parentId: string;
  parentCallId: string | null;
}

/** Maps each started session to its parent. If several calls claim it, the original call wins. */
function parentsOf(all: readonly SessionRows[]): Map<string, Parent> {
  const calls = groupBy(
    all.flatMap((rows) => rows.agentCalls.map((call) => ({ ...call, rows }))),
    ({ agentId, rows }) => keyOf(rows.summary.source, agentId),
  );
  const parents = new Map<string, Parent>();
  for (const { summary } of all) {
    const { source, id, parentId, parentCallId } = summary;
    const [first] = (calls.get(keyOf(source, id)) ?? [])
      .filter(({ rows }) => rows.summary.id === (parentId ?? rows.summary.id))
      .filter(({ rows }) => rows.summary.id !== id)
      .toSorted((a, b) =>
        compareOrder(copyOrder(a.rows, Number.NaN), copyOrder(b.rows, Number.NaN)),
      );
    const known = parentId ?? first?.rows.summary.id;
    if (known === undefined) continue;
    const call = parentCallId ?? first?.callId ?? null;
    parents.set(keyOf(source, id), { parentId: known, parentCallId: call });
  }
  return parents;
}

export function withParent(row: SessionRow, parent: Parent | undefined): SessionRow {
  const summary = summaryWithParent(row.summary, parent);
  if (!parent || summary === row.summary) return row;
  const { parentId, parentCallId } = parent;
  const call = parentCallId === null ? {} : { parentCallId };
  return { summary, session: { ...row.session, parentId, ...call } };
}

export function summaryWithParent(
  summary: SessionSummary,
  parent: Parent | undefined,
): SessionSummary {
  if (!parent) return summary;
  const { parentId, parentCallId } = parent;
  const isKnown = summary.parentId === parentId && summary.parentCallId === parentCallId;
  return isKnown ? summary : { ...summary, parentId, parentCallId };
}

/**
 * Returns the topmost existing ancestor of a session, or the session itself if its parents form a
 * circle.
 */
export function topOf(id: string, parentOf: (id: string) => string | undefined): string {
  const seen = new Set([id]);
  let top = id;
  for (;;) {
    const parent = parentOf(top);
    if (parent === undefined) return top;
    if (seen.has(parent)) return id;
    seen.add(parent);
    top = parent;
  }
}

/**
 * Merges duplicate links between two sessions, and makes one chain of all links from the same
 * session.
 */
export function chainsOf(links: readonly ChainLink[]): Chain[] {
  const same = groupBy(links, ({ fromId, toId }) => `${fromId}\n${toId}`);
  const merged = [...same.values()].flatMap((group): ChainLink[] => {
    const sharedMessages = Math.max(...group.map((link) => link.sharedMessages));
    // A session's own statement about its origin wins over shared replies.
    const [first] = group.toSorted(
      (x, y) =>
        Math.sign(x.sharedMessages) - Math.sign(y.sharedMessages) || compareTexts(x.how, y.how),
    );
    return first ? [{ ...first, sharedMessages }] : [];
  });
  const ordered = merged.toSorted(
    (a, b) => compareTexts(a.fromId, b.fromId) || compareTexts(a.toId, b.toId),
  );
  return [...groupBy(ordered, ({ fromId }) => fromId)].map(([fromId, group]) => {
    return { sessionIds: [fromId, ...group.map(({ toId }) => toId)], links: group };
  });
}

/** Links to the sessions whose replies this one repeats. */
function sharedLinks(
  { summary, usage }: SessionRows,
  owners: ReadonlyMap<string, string>,
): ChainLink[] {
  const repeated = usage.flatMap(({ replyId }) => {
    const owner = owners.get(keyOf(summary.source, replyId));
    return owner === undefined || owner === summary.id ? [] : [owner];
  });
  return [...groupBy(repeated, (owner) => owner)].map(([fromId, shared]) => {
    return sharedLink(fromId, summary, shared.length);
  });
}

export function sharedLink(
  fromId: string,
  { id, isImport }: Pick<SessionRow["summary"], "id" | "isImport">,
  sharedMessages: number,
): ChainLink {
  return { fromId, toId: id, how: isImport ? "import" : "shared-messages", sharedMessages };
}

/** Links to the sessions that this one names as its origins. */
export function originLinks({ summary, session }: SessionRow): ChainLink[] {
  return (session.origins ?? []).map(({ sessionId, how }) => {
    return { fromId: sessionId, toId: summary.id, how, sharedMessages: 0 };
  });
}
