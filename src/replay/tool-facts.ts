import type { Message } from "../model/message.ts";
import { optional } from "../model/optional.ts";
import type { Session } from "../model/session.ts";
import type { ToolCall } from "../model/tool-call.ts";
import type { ToolFact } from "../model/tool-fact.ts";

/** One fact per tool call of a session; copies of messages bring none. */
export function toolFactsOf(session: Pick<Session, "id" | "messages">): ToolFact[] {
  return session.messages
    .filter((message) => message.copyOf === undefined)
    .flatMap((message) => {
      const firstEnd = message.toolCalls.length > 1 ? firstEndOf(message.toolCalls) : undefined;
      return message.toolCalls.map((call): ToolFact => {
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
          ...optional("durationMs", durationOf(message, call, firstEnd)),
          ...optional("shellLine", call.shellLine),
          files: call.outcome === "success" ? (call.files ?? []) : [],
        };
      });
    });
}

function firstEndOf(calls: readonly ToolCall[]): number | undefined {
  const ends = calls.flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at)]));
  return ends.length === 0 ? undefined : ends.reduce((first, end) => Math.min(first, end));
}

/**
 * From the reply to the end of its calls, which are recorded together. Older versions put the calls
 * of later replies into the same message: those end later, and when they began is not known.
 */
function durationOf(
  message: Message,
  call: ToolCall,
  firstEnd: number | undefined,
): number | undefined {
  if (message.at === undefined || call.at === undefined) return undefined;
  const end = Date.parse(call.at);
  const duration = end - Date.parse(message.at);
  if (duration < 0 || (firstEnd !== undefined && end !== firstEnd)) return undefined;
  return duration;
}
