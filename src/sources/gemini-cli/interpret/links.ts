import { compareTexts } from "../../../core/lists.ts";
import type { SessionContent } from "../../../core/session/session.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import { SAID_LENGTH, tasksOf } from "./repairs.ts";

/**
 * Links agents whose call does not name them (0.37 and 0.38): it ran when the agent started, and
 * the agent's task repeats an argument of it.
 */
export function linkAgents(sessions: readonly SessionContent[]): void {
  for (const parent of sessions) {
    const calls = parent.messages.flatMap(({ toolCalls }) => toolCalls);
    const known = new Set(calls.map(({ agentId }) => agentId));
    const agents = sessions.filter(({ id, kind, parentId }) => {
      return kind === "subagent" && parentId === parent.id && !known.has(id);
    });
    for (const agent of agents.toSorted((a, b) => compareTexts(startOf(a), startOf(b)))) {
      const call = calls.find((item) => item.agentId === undefined && isStarter(item, agent));
      if (call) call.agentId = agent.id;
    }
  }
}

function startOf({ startedAt = "" }: SessionContent): string {
  return startedAt;
}

function isStarter(call: ToolCall, { messages, startedAt = "" }: SessionContent): boolean {
  const task = messages[0]?.text.slice(0, SAID_LENGTH) ?? "";
  const { askedAt = startedAt, at = startedAt } = call;
  const isThen = askedAt <= startedAt && startedAt <= at;
  return isThen && tasksOf(call).some((text) => task.includes(text));
}
