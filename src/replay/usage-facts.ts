import type { Message } from "../model/message.ts";
import { optional } from "../model/optional.ts";
import type { Session } from "../model/session.ts";
import type { Usage } from "../model/usage.ts";
import { isPaid } from "../model/usage.ts";
import type { UsageFact } from "../model/usage-fact.ts";

/** One fact per reply that this session paid for, whatever its standing. */
export function factsOf(
  session: Pick<Session, "id" | "messages">,
  isForeign: (message: Message) => boolean,
): UsageFact[] {
  return session.messages.flatMap((message): UsageFact[] => {
    const { usage } = message;
    if (message.author !== "model" || !isPaid(usage)) return [];
    if (message.isUsageRepeated === true || isForeign(message)) return [];
    return [
      {
        dedupKey: `gemini:${session.id}:${message.id}`,
        messageId: message.id,
        sessionId: session.id,
        ...optional("at", message.at),
        ...optional("model", message.model),
        standing: message.standing,
        ...optional("reason", message.reason),
        ...splitUsage(usage),
        place: message.place,
      },
    ];
  });
}

/** The only token arithmetic of the house. */
export function splitUsage(
  usage: Usage,
): Pick<UsageFact, "input" | "fresh" | "cached" | "output" | "thoughts" | "tool" | "total" | "remainder"> {
  const { input = 0, cached = 0, output = 0, thoughts = 0, tool = 0 } = usage;
  const parts = input + output + thoughts + tool;
  const total = usage.total ?? parts;
  const remainder = Math.max(0, total - parts);
  return {
    input,
    fresh: Math.max(0, input - cached) + tool,
    cached,
    output: output + remainder,
    thoughts,
    tool,
    total,
    remainder,
  };
}
