import type { Message } from "../core/session/message.ts";
import { isRequest } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";
import { addNullable, factsOf, promptOf } from "../core/usage/usage-facts.ts";
import { argsObject, UniqueIds } from "./chat-turns.ts";
import type { Export, ExportedAgent } from "./export.ts";
import { onlySession } from "./export.ts";
import { prettyJson, prettyList } from "./json-text.ts";
import { paidReplies } from "../queries/usage/paid-replies.ts";

/**
 * Agent Trajectory Interchange Format, version 1.7: steps numbered from 1, each with its tool calls
 * and their results; sessions of subagents are embedded.
 */
export const atif: Export = {
  name: "atif",
  title: "an agent trajectory (ATIF v1.7) for evaluation and replay",
  mediaType: "application/json",
  extension: "atif.json",
  subject: "session",
  hasAgentsInside: true,
  async *write(content) {
    const { session, usage, subsessions, agent } = await onlySession(content);
    const embedded = new Set(subsessions.map(({ id }) => id));
    const trajectory = { session, usage, agent, embedded };
    yield `{\n${fieldsOf(headOf(trajectory))},\n  "steps": `;
    yield* prettyList(stepsOf(trajectory));
    const tail = tailOf(trajectory);
    const redaction = content.redaction ? { redaction: content.redaction() } : {};
    yield `,\n${fieldsOf({ ...tail, extra: { ...tail.extra, ...redaction } })}`;
    if (subsessions.length > 0) {
      yield `,\n  "subagent_trajectories": `;
      yield* prettyList(embeddedTrajectories(subsessions, trajectory));
    }
    yield "\n}\n";
  },
};

interface Trajectory {
  session: Session;
  usage: readonly UsageFact[];
  agent: ExportedAgent;
  /** Ids of subsessions that references may point to. */
  embedded: ReadonlySet<string>;
}

/** The fields of an object without the braces, to insert into a document. */
function fieldsOf(object: object): string {
  return prettyJson(object).slice(2, -2);
}

function* embeddedTrajectories(
  subsessions: readonly Session[],
  { agent, embedded }: Trajectory,
): Generator<object> {
  for (const session of subsessions) {
    const usage = factsOf(session);
    const trajectory = { session, usage, agent, embedded };
    yield { ...headOf(trajectory), steps: [...stepsOf(trajectory)], ...tailOf(trajectory) };
  }
}

function headOf({ session, agent }: Trajectory): object {
  const model = session.messages.find((message) => message.model !== undefined)?.model;
  return {
    schema_version: "ATIF-v1.7",
    session_id: session.id,
    trajectory_id: session.id,
    agent: {
      name: agent.id,
      version: session.files[0]?.generation ?? "unknown",
      ...(model === undefined ? {} : { model_name: model }),
    },
  };
}

function tailOf({ session, usage }: Trajectory): { final_metrics: object; extra: object } {
  const steps = Math.max(1, session.messages.filter(isStep).length);
  return {
    final_metrics: {
      ...totalsOf(usage),
      total_steps: steps,
    },
    extra: { project: session.project.path ?? session.project.name, summary: session.summary },
  };
}

/** Prompt tokens of server-side tools are part of the prompt; unknown counts are left out. */
function totalsOf(usage: readonly UsageFact[]): object {
  const { prompt_tokens, completion_tokens, cached_tokens } = metricsOf(usage);
  return {
    total_prompt_tokens: prompt_tokens,
    total_completion_tokens: completion_tokens,
    ...(cached_tokens === undefined ? {} : { total_cached_tokens: cached_tokens }),
  };
}

function sumKnown(
  usage: readonly UsageFact[],
  count: (fact: UsageFact) => number | null,
): number | null {
  // Without any reply the sum is known: 0.
  if (usage.length === 0) return 0;
  return usage.reduce<number | null>((sum, fact) => addNullable(sum, count(fact)), null);
}

function* stepsOf(trajectory: Trajectory): Generator<object> {
  const { shown } = paidReplies(trajectory.session, trajectory.usage);
  let number = 0;
  for (const message of trajectory.session.messages) {
    if (!isStep(message)) continue;
    number += 1;
    yield stepOf(number, message, { facts: shown.get(message.id) ?? [], ...trajectory });
  }
  // The format requires at least one step.
  if (number === 0) yield { step_id: 1, source: "system", message: "Nothing was recorded." };
}

/** Copies are not steps; tool results are written with their call. */
function isStep(message: Message): boolean {
  const isOnlyResponse =
    message.author === "user" && !message.isPrompt && message.text.trim() === "";
  return message.copyOf === undefined && !isOnlyResponse;
}

interface StepContext extends Trajectory {
  facts: readonly UsageFact[];
}

function stepOf(number: number, message: Message, context: StepContext): object {
  const extra = {
    message_id: message.id,
    ...(message.standing === "live" ? {} : { standing: message.standing, reason: message.reason }),
    ...(message.level === undefined ? {} : { level: message.level }),
  };
  const base = {
    step_id: number,
    ...(message.at === undefined ? {} : { timestamp: message.at }),
    source: sourceOf(message),
    message: message.text,
  };
  return message.author === "model"
    ? { ...base, ...agentFields(message, context), extra }
    : { ...base, extra };
}

function sourceOf(message: Message): "user" | "agent" | "system" {
  if (message.author === "model") return "agent";
  return isRequest(message) ? "user" : "system";
}

function agentFields(message: Message, { facts, session, embedded }: StepContext): object {
  const ids = new UniqueIds();
  const calls = message.toolCalls.map((call) => ({ call, id: ids.take(call.id) }));
  const thoughts = message.thoughts.map(({ subject, description }) => {
    return subject === "" ? description : `**${subject}** ${description}`;
  });
  const results = calls.flatMap(({ call, id }) => {
    const { output, outcome, agentId } = call;
    if (output === undefined && outcome === undefined) return [];
    const isEmbedded = agentId !== undefined && embedded.has(agentId);
    const reference = isEmbedded ? { subagent_trajectory_ref: [{ trajectory_id: agentId }] } : {};
    return [{ source_call_id: id, content: output ?? "", ...reference, extra: { outcome } }];
  });
  // In the oldest format, one message may combine several requests.
  const isCounted = facts.length > 0 && session.files[0]?.format !== "single-json";
  return {
    ...(message.model === undefined ? {} : { model_name: message.model }),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join("\n\n") }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ call, id }) => {
            const { name, args, canonical, category } = call;
            const extra = { canonical, category };
            return { tool_call_id: id, function_name: name, arguments: argsObject(args), extra };
          }),
        }),
    ...(results.length === 0 ? {} : { observation: { results } }),
    ...(facts.length > 0 ? { metrics: metricsOf(facts) } : {}),
    ...(isCounted ? { llm_call_count: facts.length } : {}),
  };
}

interface Metrics {
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens?: number;
  extra: object;
}

function metricsOf(facts: readonly UsageFact[]): Metrics {
  const cached = sumKnown(facts, (fact) => fact.cached);
  return {
    prompt_tokens: sumKnown(facts, promptOf) ?? 0,
    completion_tokens: sumKnown(facts, ({ output, thoughts }) => output + (thoughts ?? 0)) ?? 0,
    ...(cached === null ? {} : { cached_tokens: cached }),
    extra: {
      reasoning_tokens: sumKnown(facts, (fact) => fact.thoughts),
      tool_prompt_tokens: sumKnown(facts, (fact) => fact.tool),
    },
  };
}
