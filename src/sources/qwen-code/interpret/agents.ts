import { instantOf } from "../../../core/instant.ts";
import type { Message } from "../../../core/session/message.ts";
import type { PaidRequest, RequestEntry } from "../content.ts";

/** An agent with its own file. */
export interface Agent {
  /** `<type>-<id of the call that started it>`; the same as in the telemetry from 0.21 on. */
  id: string;
  name?: string | undefined;
  firstAt?: string | undefined;
  lastAt?: string | undefined;
  messages: readonly Message[];
}

/** `<sessionId>#<agent>#<round>`: requests of one agent run share the agent part. */
const AGENT_PROMPT = /#([^#]+)#\d+$/;

/** `<sessionId>########<n>`, even in the request that answers the end of an agent and names it. */
const CONVERSATION_PROMPT = /########\d/;

/** Returns the agent run of a request; undefined for requests of the conversation. */
export function runOf({ agentId, agentName, promptId = "" }: PaidRequest): string | undefined {
  if (CONVERSATION_PROMPT.test(promptId)) return undefined;
  return agentId ?? runOfPrompt(promptId) ?? agentName;
}

export function runOfPrompt(promptId: string): string | undefined {
  return AGENT_PROMPT.exec(promptId)?.[1];
}

interface Run {
  key: string;
  name: string;
  firstMs: number;
  lastMs: number;
}

/**
 * Maps runs to agents. Up to 0.17 runs have other names in the telemetry: a run belongs to the
 * agent of its type whose last record immediately follows the last request.
 */
export function ownersOf(
  requests: readonly RequestEntry[],
  agents: readonly Agent[],
): Map<string, string> {
  const owners = new Map(agents.map(({ id }) => [id, id]));
  const runs = runsOf(requests).filter(({ key }) => !owners.has(key));
  const named = new Set(
    requests.flatMap(({ request }) => request.agentId ?? []).filter((id) => owners.has(id)),
  );
  const free = new Set(agents.filter(({ id }) => !named.has(id)));
  const pairs = runs.flatMap((run) => [...free].flatMap((agent) => pairOf(run, agent)));
  for (const { run, agent } of pairs.toSorted((a, b) => a.gapMs - b.gapMs)) {
    if (!free.has(agent) || owners.has(run.key)) continue;
    owners.set(run.key, agent.id);
    free.delete(agent);
  }
  return owners;
}

function runsOf(requests: readonly RequestEntry[]): Run[] {
  const runs = new Map<string, Run>();
  for (const { request, at } of requests) {
    const key = runOf(request);
    if (key === undefined || at === undefined) continue;
    const ms = instantOf(at);
    const run = runs.get(key);
    if (run) run.lastMs = ms;
    else runs.set(key, { key, name: request.agentName ?? "", firstMs: ms, lastMs: ms });
  }
  return [...runs.values()];
}

/** Longest time between a request and the record of its answer. */
const LONGEST_GAP_MS = 5000;

interface Pair {
  run: Run;
  agent: Agent;
  gapMs: number;
}

function pairOf(run: Run, agent: Agent): Pair[] {
  const { name, firstAt, lastAt } = agent;
  if (name !== run.name || firstAt === undefined || lastAt === undefined) return [];
  const gapMs = instantOf(lastAt) - run.lastMs;
  const isWithin = gapMs >= 0 && gapMs <= LONGEST_GAP_MS && instantOf(firstAt) <= run.firstMs;
  return isWithin ? [{ run, agent, gapMs }] : [];
}
