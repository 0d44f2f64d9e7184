import type { Digest } from "./digest.ts";
import type { Message } from "./message.ts";
import type { Session } from "./session.ts";
import { summarise } from "./summarise.ts";
import { toolFactsOf } from "./tool-facts.ts";
import { factsOf } from "./usage-facts.ts";

/** What stays of a session when its words are let go. */
export function digestOf(session: Session): Digest {
  const { messages, diagnostics: _reported, ...rest } = session;
  const usage = factsOf(session);
  return {
    summary: summarise(session, usage),
    session: rest,
    usage,
    tools: toolFactsOf(session),
    agentCalls: agentCallsOf(messages),
  };
}

function agentCallsOf(messages: readonly Message[]): Digest["agentCalls"] {
  const calls: Digest["agentCalls"] = [];
  for (const { toolCalls } of messages) {
    for (const { id, agentId } of toolCalls) {
      if (agentId !== undefined) calls.push({ agentId, callId: id });
    }
  }
  return calls;
}
