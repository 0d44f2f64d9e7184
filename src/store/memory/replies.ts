import type { LinkedSession } from "../../core/session/links.ts";
import { keyOf } from "../../core/session/links.ts";
import type { PaidReply, UsageFact } from "../../core/usage/usage-fact.ts";
import type { ReplyQuery } from "../store.ts";
import { paidReplies } from "./usage.ts";

/** Finds single replies, ordered by session. */
export function findReplies(
  sessions: readonly LinkedSession[],
  { filter, sessionIds, named, only }: ReplyQuery,
): PaidReply[] {
  const asked = only === "unequal" ? "unequal" : "usage";
  const inOrder = sessions
    .filter((each) => each[asked].length > 0 && sessionIds?.includes(each.summary.id) !== false)
    .toSorted((a, b) => startOf(a) - startOf(b) || (idOf(a) < idOf(b) ? -1 : 1))
    .map((each) => ({ ...each, usage: each[asked] }));
  const isShared = only === "shared-id" ? sharedIds(sessions) : undefined;
  return [...paidReplies(inOrder, { filter })].flatMap(({ fact, session }) => {
    if (only === "odd" && fact.oddities === undefined) return [];
    if (isShared?.(session.summary.source, fact.messageId) === false) return [];
    if (named !== undefined && !isNamed(fact, named)) return [];
    const { source, startedAt } = session.summary;
    return [{ ...fact, source, startedAt }];
  });
}

/** Returns a function that checks whether replies of several sessions share a message id. */
function sharedIds(
  sessions: readonly LinkedSession[],
): (source: string, messageId: string) => boolean {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { summary, usage } of sessions) {
    for (const { messageId } of usage) {
      const key = keyOf(summary.source, messageId);
      const known = first.get(key) ?? summary.id;
      if (known === summary.id) first.set(key, known);
      else shared.add(key);
    }
  }
  return (source, messageId) => shared.has(keyOf(source, messageId));
}

function startOf({ summary }: LinkedSession): number {
  const ms = Date.parse(summary.startedAt ?? "");
  return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms;
}

function isNamed({ messageId, replyId, dedupKey }: UsageFact, name: string): boolean {
  return messageId.startsWith(name) || replyId === name || dedupKey === name;
}

function idOf({ summary }: LinkedSession): string {
  return keyOf(summary.source, summary.id);
}
