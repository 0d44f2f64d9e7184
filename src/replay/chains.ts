import type { Chain, ChainLink } from "../model/chain.ts";
import { groupBy } from "../model/group.ts";
import type { Message } from "../model/message.ts";
import type { Session } from "../model/session.ts";
import { isPaid } from "../model/usage.ts";

/** How sessions hang together. */
export interface Links {
  chains: Chain[];
  /** True for a reply that this session only repeats: it was paid for in another one. */
  isForeign(session: Pick<Session, "id">, message: Pick<Message, "id">): boolean;
}

/** Links subsessions to the calls that began them, and sessions that repeat others' messages. */
export function linkSessions(sessions: readonly Session[]): Links {
  linkSubsessions(sessions);
  const owners = ownersOf(sessions);
  return {
    chains: chainsOf(sessions, owners),
    isForeign: (session, message) => {
      const owner = owners.get(message.id);
      return owner !== undefined && owner !== session.id;
    },
  };
}

function linkSubsessions(sessions: readonly Session[]): void {
  const calls = new Map<string, { callId: string; sessionId: string }>();
  for (const { id, messages } of sessions) {
    for (const { toolCalls } of messages) {
      for (const call of toolCalls) {
        if (call.agentId !== undefined) calls.set(call.agentId, { callId: call.id, sessionId: id });
      }
    }
  }
  for (const session of sessions) {
    const call = calls.get(session.id);
    if (!call || call.sessionId === session.id) continue;
    session.parentId ??= call.sessionId;
    if (session.parentId === call.sessionId) session.parentCallId = call.callId;
  }
}

/**
 * A reply that stands in several sessions was paid for once, in the session that was not imported
 * and began first. Only shared replies are in the map.
 */
function ownersOf(sessions: readonly Session[]): Map<string, string> {
  const inOrder = sessions.toSorted(byOrigin);
  const first = new Map<string, string>();
  const shared = new Map<string, string>();
  for (const session of inOrder) {
    for (const { id, usage, toolCalls } of session.messages) {
      if (!isPaid(usage) && toolCalls.length === 0) continue;
      const owner = first.get(id);
      if (owner === undefined) first.set(id, session.id);
      else if (owner !== session.id) shared.set(id, owner);
    }
  }
  return shared;
}

function byOrigin(a: Session, b: Session): number {
  if (a.isImport !== b.isImport) return a.isImport ? 1 : -1;
  const aStart = a.startedAt ?? "9";
  const bStart = b.startedAt ?? "9";
  if (aStart !== bStart) return aStart < bStart ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function chainsOf(sessions: readonly Session[], owners: ReadonlyMap<string, string>): Chain[] {
  const links = sessions.flatMap((session): ChainLink[] => {
    const repeated = session.messages.flatMap(({ id }) => {
      const owner = owners.get(id);
      return owner === undefined || owner === session.id ? [] : [owner];
    });
    return [...groupBy(repeated, (owner) => owner)].map(([fromId, shared]) => {
      const how = session.isImport ? "import" : "shared-messages";
      return { fromId, toId: session.id, how, sharedMessages: shared.length };
    });
  });
  return [...groupBy(links, ({ fromId }) => fromId)].map(([fromId, group]) => {
    return { sessionIds: [fromId, ...group.map(({ toId }) => toId)], links: group };
  });
}
