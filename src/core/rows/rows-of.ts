import type { Message } from "../session/message.ts";
import type { Session } from "../session/session.ts";
import type { SessionRows } from "./session-rows.ts";
import { summarise } from "./summarise.ts";
import type { CommandsOf } from "./tool-facts.ts";
import { toolFactsOf } from "./tool-facts.ts";
import { factsOf } from "../usage/usage-facts.ts";

/** Reduces a session to its rows, without its text. */
export function rowsOf(session: Session, commandsOf: CommandsOf): SessionRows {
  const { messages, replies: _counted, diagnostics: _reported, ...facts } = session;
  const usage = factsOf(session);
  return {
    summary: summarise(session, usage),
    session: facts,
    usage,
    tools: toolFactsOf(session, commandsOf),
    agentCalls: agentCallsOf(messages),
  };
}

function agentCallsOf(messages: readonly Message[]): { agentId: string; callId: string }[] {
  return messages.flatMap(({ toolCalls }) =>
    toolCalls.flatMap(({ id, agentId }) =>
      agentId === undefined ? [] : [{ agentId, callId: id }],
    ),
  );
}
