import type { Chain, ChainLink } from "./chain.ts";
import type { Digest } from "./digest.ts";
import { withParts } from "./digest.ts";
import { groupBy } from "./group.ts";
import { sumFacts } from "./usage-facts.ts";

/** How sessions hang together, once all of them are known. */
export interface Links {
  /** The same digests: subsessions know their call, and no reply is counted in two of them. */
  digests: Digest[];
  chains: Chain[];
}

/** Where it is known which of them may share a reply, only those are looked into. */
export function linkDigests(
  digests: readonly Digest[],
  mayShare: (digest: Digest) => boolean = () => true,
): Links {
  const sharing = new Set(digests.filter(mayShare));
  const owners = ownersOf([...sharing]);
  const calls = callsOf(digests);
  return {
    digests: digests.map((digest) => {
      const own = sharing.has(digest) ? withOwnUsage(digest, owners) : digest;
      return withParent(own, calls);
    }),
    chains: chainsOf([...sharing], owners),
  };
}

interface AgentCall {
  callId: string;
  sessionId: string;
}

function callsOf(digests: readonly Digest[]): Map<string, AgentCall> {
  const calls = digests.flatMap((digest) =>
    digest.agentCalls.map(({ agentId, callId }) => {
      return [agentId, { callId, sessionId: digest.summary.id }] as const;
    }),
  );
  return new Map(calls);
}

function withParent(digest: Digest, calls: ReadonlyMap<string, AgentCall>): Digest {
  if (calls.size === 0) return digest;
  const { summary, session } = digest;
  const call = calls.get(summary.id);
  const parentId = summary.parentId ?? call?.sessionId;
  if (!call || call.sessionId === summary.id || parentId !== call.sessionId) return digest;
  const parent = { parentId, parentCallId: call.callId };
  return withParts(digest, {
    summary: { ...summary, ...parent },
    session: { ...session, ...parent },
  });
}

/**
 * A reply that stands in several sessions was paid for once, in the session that was not imported
 * and began first. Only shared replies are in the map.
 */
function ownersOf(digests: readonly Digest[]): Map<string, string> {
  const first = new Map<string, string>();
  const shared = new Map<string, string>();
  for (const { summary, usage } of digests.toSorted(byOrigin)) {
    for (const { messageId } of usage) {
      const owner = first.get(messageId);
      if (owner === undefined) first.set(messageId, summary.id);
      else if (owner !== summary.id) shared.set(messageId, owner);
    }
  }
  return shared;
}

function byOrigin({ summary: a }: Digest, { summary: b }: Digest): number {
  if (a.isImport !== b.isImport) return a.isImport ? 1 : -1;
  const aStart = a.startedAt ?? "9";
  const bStart = b.startedAt ?? "9";
  if (aStart !== bStart) return aStart < bStart ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function withOwnUsage(digest: Digest, owners: ReadonlyMap<string, string>): Digest {
  const { summary, usage } = digest;
  const own = usage.filter(({ messageId }) => (owners.get(messageId) ?? summary.id) === summary.id);
  if (own.length === usage.length) return digest;
  return withParts(digest, { usage: own, summary: { ...summary, tokens: sumFacts(own) } });
}

function chainsOf(digests: readonly Digest[], owners: ReadonlyMap<string, string>): Chain[] {
  const links = digests.flatMap(({ summary, usage }): ChainLink[] => {
    const repeated = usage.flatMap(({ messageId }) => {
      const owner = owners.get(messageId);
      return owner === undefined || owner === summary.id ? [] : [owner];
    });
    return [...groupBy(repeated, (owner) => owner)].map(([fromId, shared]) => {
      const how = summary.isImport ? "import" : "shared-messages";
      return { fromId, toId: summary.id, how, sharedMessages: shared.length };
    });
  });
  return [...groupBy(links, ({ fromId }) => fromId)].map(([fromId, group]) => {
    return { sessionIds: [fromId, ...group.map(({ toId }) => toId)], links: group };
  });
}
