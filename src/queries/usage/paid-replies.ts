import { groupBy } from "../../core/group.ts";
import type { Session } from "../../core/session/session.ts";
import type { UsageFact } from "../../core/usage/usage-fact.ts";

/** Paid replies: by the message that shows them, and those that no message shows. */
export interface PaidReplies {
  shown: ReadonlyMap<string, readonly UsageFact[]>;
  /** Requests outside the conversation: compressions, titles, … */
  beside: readonly UsageFact[];
}

export function paidReplies(
  { messages }: Pick<Session, "messages">,
  usage: readonly UsageFact[],
): PaidReplies {
  const ids = new Set(messages.map(({ id }) => id));
  const shown = usage.filter(({ messageId }) => ids.has(messageId));
  return {
    shown: groupBy(shown, ({ messageId }) => messageId),
    beside: usage.filter(({ messageId }) => !ids.has(messageId)),
  };
}
