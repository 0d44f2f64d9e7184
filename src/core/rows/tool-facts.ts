import { instantOf } from "../instant.ts";
import type { Message } from "../session/message.ts";
import { isOriginal } from "../session/message.ts";
import type { Session } from "../session/session.ts";
import type { ToolCall } from "../session/tool-call.ts";
import type { ToolFact } from "./tool-fact.ts";

/** Returns the names of the commands in a shell line. */
export type CommandsOf = (shellLine: string) => readonly string[];

/** Returns one fact per tool call of a session; copied messages are skipped. */
export function toolFactsOf(
  session: Pick<Session, "messages">,
  commandsOf: CommandsOf,
): ToolFact[] {
  const facts: ToolFact[] = [];
  for (const message of session.messages) {
    if (!isOriginal(message)) continue;
    const { toolCalls } = message;
    const firstEnd = toolCalls.length > 1 ? firstEndOf(toolCalls) : undefined;
    for (const call of toolCalls) {
      const durationMs = durationOf(message, call, firstEnd);
      const fact = factOf(call, { message, durationMs });
      if (call.shellLine !== undefined) fact.commands = commandsOf(call.shellLine);
      facts.push(fact);
    }
  }
  return facts;
}

/** Avoids spreads because there are many facts. */
function factOf(
  call: ToolCall,
  { message, durationMs }: { message: Message; durationMs: number | undefined },
): ToolFact {
  const fact: ToolFact = {
    messageId: message.id,
    callId: call.id,
    name: call.name,
    label: call.label,
    canonical: call.canonical,
    category: call.category,
    files: call.outcome === "success" ? (call.files ?? []) : [],
  };
  if (call.mcp !== undefined) fact.mcp = call.mcp;
  if (call.outcome !== undefined) fact.outcome = call.outcome;
  if (call.at !== undefined) fact.at = call.at;
  if (durationMs !== undefined) fact.durationMs = durationMs;
  return fact;
}

function firstEndOf(calls: readonly ToolCall[]): number | undefined {
  let first: number | undefined;
  for (const { at } of calls) {
    if (at === undefined) continue;
    const end = instantOf(at);
    first = first === undefined ? end : Math.min(first, end);
  }
  return first;
}

/**
 * Time from the reply to the end of its calls, which are recorded together. Older versions put the
 * calls of later replies into the same message: those end later, and their start is unknown.
 */
function durationOf(
  message: Message,
  call: ToolCall,
  firstEnd: number | undefined,
): number | undefined {
  if (message.at === undefined || call.at === undefined) return undefined;
  const end = instantOf(call.at);
  const duration = end - instantOf(message.at);
  if (duration < 0 || (firstEnd !== undefined && end !== firstEnd)) return undefined;
  return duration;
}
