import type { Message } from "../model/message.ts";
import type { ToolResult } from "../model/message.ts";
import type { ToolCall } from "../model/tool-call.ts";
import type { Usage } from "../model/usage.ts";

/** Gives calls without a recorded result the one that came back to the model in a later message. */
export function fillResults(messages: readonly Message[]): void {
  const waiting = new Map<string, ToolCall[]>();
  for (const message of messages) {
    for (const call of message.toolCalls) {
      if (call.output !== undefined && call.outcome !== undefined) continue;
      waiting.set(call.id, [...(waiting.get(call.id) ?? []), call]);
    }
  }
  if (waiting.size === 0) return;
  for (const message of messages) {
    for (const result of message.results) {
      for (const call of waiting.get(result.callId ?? "") ?? []) fill(call, result);
    }
  }
}

function fill(call: ToolCall, result: ToolResult): void {
  call.output ??= result.output;
  call.outcome ??= result.outcome;
}

/** Outlines keep this much, so that they are judged like whole messages. */
const SAID_LENGTH = 2000;
const TASK_LENGTH = 200;

/**
 * Versions without files for subagents recorded them inside the parent: the delegated task stands
 * there as a user message, and the call that began it is recorded after it. A message that repeats
 * such a call's argument, in the middle of a turn, was not typed.
 */
export function markDelegations(messages: readonly Message[]): void {
  const tasks = messages.flatMap((message, index) =>
    message.toolCalls
      .filter(({ label }) => label === "Agent")
      .flatMap((call) => longTexts(call.args).map((text) => ({ text, index }))),
  );
  if (tasks.length === 0) return;
  messages.forEach((message, index) => {
    if (!message.isPrompt || messages[index - 1]?.author !== "model") return;
    const said = message.text.slice(0, SAID_LENGTH);
    const isDelegated = tasks.some((task) => task.index > index && said.includes(task.text));
    if (isDelegated) delegate(message);
  });
}

/** In a subagent's own session nothing was typed by a person: its prompts are delegated tasks. */
export function markTasks(messages: readonly Message[]): void {
  for (const message of messages) if (message.isPrompt) delegate(message);
}

function delegate(message: Message): void {
  message.isPrompt = false;
  delete message.typed;
  message.injections.push({ kind: "delegation", text: message.text });
}

function longTexts(args: unknown): string[] {
  if (typeof args !== "object" || args === null) return [];
  return Object.values(args)
    .filter((value) => typeof value === "string" && value.length >= 8)
    .map((value: string) => value.slice(0, TASK_LENGTH));
}

/**
 * Before 0.44 a notice (or a subagent's task) between a reply and the end of its tools moved the
 * tool calls to a message of their own, and the first report of the *next* request's usage landed
 * there. The next message has the final report of the same request: counting both would count it
 * twice. A request that follows tool calls holds their results, so its prompt is never the same.
 */
export function markRepeatedUsage(messages: readonly Message[]): void {
  const replies = messages.filter(({ author }) => author === "model");
  const before = new Map(messages.map((message, index) => [message, messages[index - 1]]));
  replies.forEach((message, index) => {
    const next = replies[index + 1];
    if (message.text !== "" || !message.hasRecordedCalls || !next) return;
    if (before.get(message)?.author === "model") return;
    if (isEarlyReport(message.usage, next.usage)) message.isUsageRepeated = true;
  });
}

function isEarlyReport(first: Usage | undefined, final: Usage | undefined): boolean {
  if (!first || !final || (first.input ?? 0) === 0) return false;
  const isSamePrompt = first.input === final.input && first.cached === final.cached;
  return isSamePrompt && (first.output ?? 0) <= (final.output ?? 0);
}
