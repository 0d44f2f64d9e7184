import type { Chain, ChainLink } from "./chain.ts";
import { groupBy } from "./group.ts";
import type { SessionRow, SessionRows } from "./session-rows.ts";
import { sumFacts } from "./usage-facts.ts";
import type { UsageFact } from "./usage-fact.ts";

/** Sessions with what only all of them together tell. */
export interface LinkedSessions {
  sessions: LinkedSession[];
  chains: Chain[];
}

export interface LinkedSession extends SessionRow {
  /** The replies that it owns: no reply is counted in two sessions. */
  usage: readonly UsageFact[];
  tools: SessionRows["tools"];
}

/** The plain way, over all sessions of a source or of several. */
export function linkSessions(all: readonly SessionRows[]): LinkedSessions {
  const owners = ownersOf(all);
  const calls = callsOf(all);
  return {
    sessions: all.map((rows) => withParent(withOwnUsage(rows, owners), calls)),
    chains: chainsOf(all, owners),
  };
}

/** Replies of two sources are never the same, nor are two sessions. */
export function keyOf(source: string, id: string): string {
  return `${source}\n${id}`;
}

interface Recorded {
  rows: SessionRows;
  fact: UsageFact;
}

/**
 * A reply that stands in several sessions was paid for once, in the session that recorded it first.
 * Only shared replies are in the map: reply → session.
 */
function ownersOf(all: readonly SessionRows[]): Map<string, string> {
  const first = new Map<string, Recorded>();
  const shared = new Set<string>();
  for (const rows of all) {
    for (const fact of rows.usage) {
      const key = keyOf(rows.summary.source, fact.replyId);
      const known = first.get(key);
      if (known && known.rows !== rows) shared.add(key);
      if (!known || isBefore({ rows, fact }, known)) first.set(key, { rows, fact });
    }
  }
  const owners = new Map<string, string>();
  for (const key of shared) owners.set(key, first.get(key)?.rows.summary.id ?? "");
  return owners;
}

/**
 * Which of two records of one reply is the original: one in a session that is no import and no fork,
 * then the earlier one, then that of the session which began earlier, then the smaller id.
 */
function isBefore(a: Recorded, b: Recorded): boolean {
  return (
    (rankOf(a.rows) - rankOf(b.rows) ||
      compare(a.fact.at ?? "9", b.fact.at ?? "9") ||
      compare(a.rows.summary.startedAt ?? "9", b.rows.summary.startedAt ?? "9") ||
      compare(a.rows.summary.id, b.rows.summary.id)) < 0
  );
}

function rankOf({ summary, session }: SessionRows): number {
  return summary.isImport || (session.origins?.length ?? 0) > 0 ? 1 : 0;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function withOwnUsage(rows: SessionRows, owners: ReadonlyMap<string, string>): LinkedSession {
  const { summary, session, usage, tools } = rows;
  const own = usage.filter(({ replyId }) => {
    const owner = owners.get(keyOf(summary.source, replyId));
    return owner === undefined || owner === summary.id;
  });
  if (own.length === usage.length) return { summary, session, usage, tools };
  return { summary: { ...summary, tokens: sumFacts(own) }, session, usage: own, tools };
}

interface AgentCall {
  callId: string;
  sessionId: string;
}

/** By the session that was begun. */
function callsOf(all: readonly SessionRows[]): Map<string, AgentCall> {
  return new Map(
    all.flatMap(({ summary, agentCalls }) =>
      agentCalls.map(({ agentId, callId }) => {
        return [keyOf(summary.source, agentId), { callId, sessionId: summary.id }] as const;
      }),
    ),
  );
}

function withParent(linked: LinkedSession, calls: ReadonlyMap<string, AgentCall>): LinkedSession {
  const { summary, session } = linked;
  const call = calls.get(keyOf(summary.source, summary.id));
  const parentId = summary.parentId ?? call?.sessionId;
  if (!call || call.sessionId === summary.id || parentId !== call.sessionId) return linked;
  const parent = { parentId, parentCallId: call.callId };
  return { ...linked, summary: { ...summary, ...parent }, session: { ...session, ...parent } };
}

function chainsOf(all: readonly SessionRows[], owners: ReadonlyMap<string, string>): Chain[] {
  const links = all.flatMap((rows) => [...originLinks(rows), ...sharedLinks(rows, owners)]);
  const distinct = [
    ...new Map(links.map((link) => [`${link.fromId}\n${link.toId}`, link])).values(),
  ];
  return [...groupBy(distinct, ({ fromId }) => fromId)].map(([fromId, group]) => {
    return { sessionIds: [fromId, ...group.map(({ toId }) => toId)], links: group };
  });
}

/** Sessions whose replies this one repeats. */
function sharedLinks(
  { summary, usage }: SessionRows,
  owners: ReadonlyMap<string, string>,
): ChainLink[] {
  const repeated = usage.flatMap(({ replyId }) => {
    const owner = owners.get(keyOf(summary.source, replyId));
    return owner === undefined || owner === summary.id ? [] : [owner];
  });
  return [...groupBy(repeated, (owner) => owner)].map(([fromId, shared]) => {
    const how = summary.isImport ? "import" : "shared-messages";
    return { fromId, toId: summary.id, how, sharedMessages: shared.length };
  });
}

/** Sessions that this one says it came from. */
function originLinks({ summary, session }: SessionRows): ChainLink[] {
  return (session.origins ?? []).map(({ sessionId, how }) => {
    return { fromId: sessionId, toId: summary.id, how, sharedMessages: 0 };
  });
}
