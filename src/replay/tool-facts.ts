import { optional } from "../model/optional.ts";
import type { Session } from "../model/session.ts";
import type { ToolFact } from "../model/tool-fact.ts";

/** One fact per tool call of a session; copies of messages bring none. */
export function toolFactsOf(session: Pick<Session, "id" | "messages">): ToolFact[] {
  return session.messages
    .filter((message) => message.copyOf === undefined)
    .flatMap((message) =>
      message.toolCalls.map((call): ToolFact => {
        return {
          sessionId: session.id,
          messageId: message.id,
          callId: call.id,
          name: call.name,
          label: call.label,
          canonical: call.canonical,
          category: call.category,
          ...optional("mcp", call.mcp),
          ...optional("outcome", call.outcome),
          ...optional("at", call.at),
          standing: message.standing,
          files: [],
        };
      }),
    );
}
