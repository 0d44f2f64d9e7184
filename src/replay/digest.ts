import type { Digest } from "../model/digest.ts";
import type { Session } from "../model/session.ts";
import { summarise } from "./summary.ts";
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
    agentCalls: messages.flatMap(({ toolCalls }) =>
      toolCalls.flatMap(({ id, agentId }) =>
        agentId === undefined ? [] : [{ agentId, callId: id }],
      ),
    ),
  };
}
