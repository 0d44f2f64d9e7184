import type { Message } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import type { ToolCall } from "../core/session/tool-call.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";
import { msOf, startByFile } from "../queries/events/timeline.ts";
import { factsOf, sumSplits } from "../core/usage/usage-facts.ts";
import type { ExportContent, ExportedSession } from "./export.ts";
import type { Span } from "./otel-attributes.ts";
import { attributes, nanosOf } from "./otel-attributes.ts";
import type { PaidReplies } from "../queries/usage/paid-replies.ts";
import { paidReplies } from "../queries/usage/paid-replies.ts";
import { inputAttributes, outputAttributes, usageAttributes } from "./otel-messages.ts";
import { stableHex } from "./stable-ids.ts";

/** The parent span of a session, and values shared by its spans. */
interface Trace extends Pick<ExportedSession, "agent"> {
  session: Session;
  traceId: string;
  parentSpanId?: string;
  paid: PaidReplies;
  /** Subagent sessions without a span yet; each is removed when its span is written. */
  subsessions: Map<string, Session>;
  more?: Record<string, unknown>;
}

/**
 * A span for the session, spans for its turns if there are several, and below them its replies and
 * tool calls as siblings.
 */
export function* spansOf(
  { session, usage, subsessions, agent }: ExportedSession,
  redaction: ExportContent["redaction"],
): Generator<Span> {
  yield* sessionSpans({
    session,
    agent,
    traceId: stableHex(32, "trace", session.source, session.id),
    paid: paidReplies(session, usage),
    subsessions: new Map(subsessions.map((item) => [item.id, item])),
    ...(redaction ? { more: { "pollux.redaction": redaction() } } : {}),
  });
}

function* sessionSpans(trace: Trace): Generator<Span> {
  const { session } = trace;
  const rootId = stableHex(16, "session", session.source, session.id);
  const said = session.messages.filter((message) => message.copyOf === undefined);
  const turns = turnsOf(said);
  const clock = new Clock(session);
  const root = { id: rootId, messages: said, startMs: clock.nowMs, ...agentName(trace) };
  const inner = [...turnSpans(trace, turns, { rootId, clock })];
  yield agentSpan(trace, { ...root, endMs: clock.nowMs }, trace.parentSpanId);
  yield* inner;
  for (const fact of trace.paid.beside) yield besideSpan(trace, fact, rootId);
  if (trace.parentSpanId !== undefined) return;
  // The call that started these sessions is not recorded.
  for (const begun of trace.subsessions.values()) {
    yield* sessionSpans(subtrace(trace, begun, rootId));
  }
}

function agentName({ agent, session }: Trace): { name: string } {
  return { name: session.kind === "subagent" ? `${agent.name} subagent` : agent.name };
}

function* turnSpans(
  trace: Trace,
  turns: readonly Message[][],
  { rootId, clock }: { rootId: string; clock: Clock },
): Generator<Span> {
  if (turns.length < 2) {
    for (const turn of turns) yield* messageSpans(trace, turn, { parentId: rootId, clock });
    return;
  }
  for (const [index, messages] of turns.entries()) {
    const first = messages[0];
    const id = stableHex(16, "turn", trace.traceId, trace.session.id, first?.id ?? String(index));
    clock.goTo(first?.at);
    const startMs = clock.nowMs;
    const inner = [...messageSpans(trace, messages, { parentId: id, clock })];
    const name = `${agentName(trace).name} turn ${index + 1}`;
    yield agentSpan(trace, { id, messages, name, startMs, endMs: clock.nowMs }, rootId);
    yield* inner;
  }
}

function turnsOf(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const current = turns.at(-1);
    if (current && !message.isPrompt) current.push(message);
    else turns.push([message]);
  }
  return turns;
}

interface AgentSpan {
  id: string;
  name: string;
  messages: readonly Message[];
  startMs: number;
  endMs: number;
}

function agentSpan(trace: Trace, details: AgentSpan, parentId: string | undefined): Span {
  const { session, agent } = trace;
  const prompt = details.messages.find(({ isPrompt }) => isPrompt);
  const answer = details.messages.findLast(({ author, text }) => author === "model" && text !== "");
  return {
    ...spanFrame(trace, details, parentId),
    name: `invoke_agent ${details.name}`,
    kind: 1,
    attributes: attributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": agent.vendor?.otel,
      "gen_ai.agent.name": details.name,
      "gen_ai.conversation.id": session.id,
      "openinference.span.kind": "AGENT",
      "agent.name": details.name,
      "session.id": session.id,
      "input.value": prompt?.typed ?? prompt?.text,
      "output.value": answer?.text,
      ...(parentId === trace.parentSpanId ? trace.more : {}),
    }),
    status: { code: 0 },
  };
}

function spanFrame(
  { traceId }: Trace,
  { id, startMs, endMs }: { id: string; startMs: number; endMs: number },
  parentId: string | undefined,
): Pick<Span, "traceId" | "spanId" | "parentSpanId" | "startTimeUnixNano" | "endTimeUnixNano"> {
  return {
    traceId,
    spanId: id,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    startTimeUnixNano: nanosOf(startMs),
    endTimeUnixNano: nanosOf(Math.max(startMs, endMs)),
  };
}

function* messageSpans(
  trace: Trace,
  messages: readonly Message[],
  { parentId, clock }: { parentId: string; clock: Clock },
): Generator<Span> {
  let heard: Message[] = [];
  for (const message of messages) {
    if (message.author === "user") {
      clock.goTo(message.at);
      heard.push(message);
    }
    if (message.author !== "model") continue;
    // The request's start is not recorded; use the time of the last message before it.
    const startMs = clock.nowMs;
    clock.goTo(message.at);
    const id = stableHex(16, "reply", trace.traceId, trace.session.id, message.id);
    yield replySpan(trace, { message, heard, id, startMs, endMs: clock.nowMs }, parentId);
    heard = [message];
    const calledMs = clock.nowMs;
    for (const call of message.toolCalls) {
      clock.goTo(call.at);
      yield* callSpans(trace, { message, call, startMs: calledMs }, parentId);
    }
  }
}

interface Reply {
  message: Message;
  /** Messages since the previous reply. */
  heard: readonly Message[];
  id: string;
  startMs: number;
  endMs: number;
}

function replySpan(trace: Trace, reply: Reply, parentId: string): Span {
  const { message, heard } = reply;
  const { model } = message;
  const [fact, ...more] = trace.paid.shown.get(message.id) ?? [];
  return {
    ...spanFrame(trace, reply, parentId),
    name: model === undefined ? "chat" : `chat ${model}`,
    kind: 3,
    attributes: attributes({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": trace.agent.vendor?.otel,
      "gen_ai.request.model": model,
      "gen_ai.response.id": message.id,
      "gen_ai.conversation.id": trace.session.id,
      "openinference.span.kind": "LLM",
      "llm.model_name": model,
      "llm.provider": trace.agent.vendor?.models,
      "session.id": trace.session.id,
      ...inputAttributes(heard),
      ...outputAttributes(message),
      ...(fact ? usageAttributes(sumSplits([fact, ...more])) : {}),
      "pollux.standing": message.standing === "live" ? undefined : message.standing,
      "pollux.time_derived": message.at === undefined ? true : undefined,
    }),
    status: { code: 0 },
  };
}

/** A span for a request that no message shows: a compression, a title, … */
function besideSpan(trace: Trace, fact: UsageFact, parentId: string): Span {
  const id = stableHex(16, "request", trace.traceId, trace.session.id, fact.replyId);
  const atMs = msOf(fact.at) ?? new Clock(trace.session).nowMs;
  return {
    ...spanFrame(trace, { id, startMs: atMs, endMs: atMs }, parentId),
    name: fact.model === undefined ? "chat" : `chat ${fact.model}`,
    kind: 3,
    attributes: attributes({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": trace.agent.vendor?.otel,
      "gen_ai.request.model": fact.model,
      "gen_ai.conversation.id": trace.session.id,
      "openinference.span.kind": "LLM",
      "llm.model_name": fact.model,
      "session.id": trace.session.id,
      ...usageAttributes(fact),
      "pollux.purpose": fact.purpose ?? "other",
      "pollux.time_derived": fact.at === undefined ? true : undefined,
    }),
    status: { code: 0 },
  };
}

interface Called {
  message: Message;
  call: ToolCall;
  startMs: number;
}

function* callSpans(trace: Trace, called: Called, parentId: string): Generator<Span> {
  const { message, call, startMs } = called;
  const id = stableHex(16, "call", trace.traceId, trace.session.id, message.id, call.id);
  const endMs = msOf(call.at) ?? startMs;
  const isFailed = call.outcome === "error" || call.outcome === "cancelled";
  yield {
    ...spanFrame(trace, { id, startMs: Math.min(startMs, endMs), endMs }, parentId),
    name: `execute_tool ${call.name}`,
    kind: 1,
    attributes: attributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.name,
      "gen_ai.tool.call.id": call.id,
      "gen_ai.tool.type": call.mcp ? "extension" : "function",
      "gen_ai.tool.call.arguments": call.args,
      "gen_ai.tool.call.result": call.output,
      "gen_ai.conversation.id": trace.session.id,
      "error.type": isFailed ? call.outcome : undefined,
      "openinference.span.kind": "TOOL",
      "tool.name": call.name,
      "input.value": call.args,
      "input.mime_type": "application/json",
      "output.value": call.output,
      "session.id": trace.session.id,
      "pollux.tool.canonical": call.canonical,
      "pollux.tool.category": call.category,
      "pollux.standing": message.standing === "live" ? undefined : message.standing,
      "pollux.time_derived": call.at === undefined ? true : undefined,
    }),
    status: isFailed ? { code: 2, message: (call.output ?? "").slice(0, 200) } : { code: 0 },
  };
  const begun = trace.subsessions.get(call.agentId ?? "");
  if (begun) yield* sessionSpans(subtrace(trace, begun, id));
}

function subtrace(trace: Trace, session: Session, parentSpanId: string): Trace {
  const { agent, traceId, subsessions } = trace;
  const paid = paidReplies(session, factsOf(session));
  subsessions.delete(session.id);
  return { agent, traceId, session, parentSpanId, paid, subsessions };
}

/** The latest recorded time so far; never moves back. */
class Clock {
  nowMs: number;

  constructor(session: Session) {
    this.nowMs = msOf(session.startedAt) ?? startByFile(session.files)?.ms ?? 0;
  }

  goTo(at: string | undefined): void {
    this.nowMs = Math.max(this.nowMs, msOf(at) ?? this.nowMs);
  }
}
