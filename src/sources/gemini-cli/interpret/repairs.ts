import { addAll } from "../../../core/lists.ts";
import type { Message } from "../../../core/session/message.ts";
import type { ToolResult } from "../../../core/session/message.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import { TASK_LENGTH } from "../../decoding/outline.ts";
import type { Counts } from "../../../core/usage/counts.ts";

/** Gives calls without a recorded result the result that a later message returned to the model. */
export function fillResults(messages: readonly Message[]): void {
  const waiting = new Map<string, ToolCall[]>();
  for (const message of messages) {
    for (const call of message.toolCalls) {
      if (call.output !== undefined && call.outcome !== undefined) continue;
      const same = waiting.get(call.id);
      if (same) same.push(call);
      else waiting.set(call.id, [call]);
    }
  }
  if (waiting.size === 0) return;
  for (const message of messages) {
    for (const result of message.results) {
      const calls =
        result.callId === undefined ? nextNamed(waiting, result) : waiting.get(result.callId);
      for (const call of calls ?? []) fill(call, result);
    }
  }
  fillByOrder(messages);
}

/** An API history may have no call ids: results are in the order of their calls. */
function fillByOrder(messages: readonly Message[]): void {
  const waiting: ToolCall[] = [];
  for (const { results, toolCalls } of messages) {
    for (const result of results.filter(({ callId }) => callId === undefined)) {
      const at = waiting.findIndex(({ name }) => name === result.name);
      const [call] = at === -1 ? [] : waiting.splice(at, 1);
      if (call) fill(call, result);
    }
    addAll(
      waiting,
      toolCalls.filter(({ outcome }) => outcome === undefined),
    );
  }
}

/** For histories without ids: returns the first call of that name that has no result yet. */
function nextNamed(
  waiting: ReadonlyMap<string, readonly ToolCall[]>,
  { name }: ToolResult,
): ToolCall[] {
  const open = [...waiting.values()].flat().find((call) => {
    return call.name === name && call.outcome === undefined;
  });
  return open ? [open] : [];
}

function fill(call: ToolCall, result: ToolResult): void {
  call.output ??= result.output;
  call.outcome ??= result.outcome;
}

/** Outlines keep this many characters, so that they are treated like full messages. */
export const SAID_LENGTH = 600;

/**
 * Versions without subagent files recorded subagents inside the parent (or in a file with the
 * parent's id): the delegated task appears as a user message. It repeats an argument of the call
 * that started the subagent and was recorded while that call ran, so it was not typed.
 */
export function markDelegations(messages: readonly Message[]): void {
  const tasks: Task[] = [];
  for (const [index, { toolCalls }] of messages.entries()) {
    for (const call of toolCalls) {
      for (const text of tasksOf(call)) tasks.push({ text, index, call });
    }
  }
  if (tasks.length === 0) return;
  messages.forEach((message, index) => {
    if (!message.isPrompt) return;
    const said = { message, index, previous: messages[index - 1] };
    if (tasks.some((task) => isTask(task, said))) delegate(message);
  });
}

interface Task {
  text: string;
  /** Index of the call's message. */
  index: number;
  call: ToolCall;
}

function isTask(
  { text, index, call }: Task,
  said: { message: Message; index: number; previous: Message | undefined },
): boolean {
  const words = said.message.text.slice(0, SAID_LENGTH);
  if (!words.includes(text)) return false;
  const { at } = said.message;
  if (call.askedAt !== undefined && at !== undefined) {
    const moment = Date.parse(at);
    const isAfter = moment >= Date.parse(call.askedAt);
    return isAfter && (call.at === undefined || moment <= Date.parse(call.at));
  }
  // If the call's time is unknown: the call is recorded after its task, and the task is longer than
  // the argument.
  const isInside = index > said.index && said.previous?.author === "model";
  return isInside && words.trim().length > text.length;
}

/** In a subagent's own session the user typed nothing: its prompts are delegated tasks. */
export function markTasks(messages: readonly Message[]): void {
  for (const message of messages) if (message.isPrompt) delegate(message);
}

function delegate(message: Message): void {
  message.isPrompt = false;
  delete message.typed;
  message.injections = [...message.injections, { kind: "delegation", text: message.text }];
}

/** Returns the arguments of a call that may be a subagent's task. */
export function tasksOf({ label, args }: Pick<ToolCall, "label" | "args">): string[] {
  if (label !== "Agent" || typeof args !== "object" || args === null) return [];
  return Object.values(args)
    .filter((value) => typeof value === "string" && value.length >= 8)
    .map((value: string) => value.slice(0, TASK_LENGTH));
}

/**
 * Before 0.44, a notice (or a subagent's task) between a reply and the end of its tools moved the
 * tool calls to a separate message, which also received the first usage report of the *next*
 * request. The next message has the final report of the same request, so counting both would count
 * it twice. A request after tool calls contains their results, so two requests never have the same
 * prompt size.
 */
export function markRepeatedUsage(messages: readonly Message[]): void {
  let next: Message | undefined;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.author !== "model") continue;
    const isMoved = message.text === "" && message.hasRecordedCalls;
    if (isMoved && next && isInterruption(messages[index - 1])) {
      if (isEarlyReport(message.usage, next.usage)) message.isUsageRepeated = true;
    }
    next = message;
  }
}

/**
 * Whether any usage may be such an early report, as far as can be determined without the texts.
 */
export function mayRepeatUsage(messages: readonly Message[]): boolean {
  let last: Message | undefined;
  for (const message of messages) {
    if (message.author !== "model") continue;
    if (last && isEarlyReport(last.usage, message.usage)) return true;
    last = message;
  }
  return false;
}

function isInterruption(message: Message | undefined): boolean {
  const isDelegated = message?.injections.some(({ kind }) => kind === "delegation") === true;
  return message?.author === "notice" || isDelegated;
}

function isEarlyReport(first: Counts | undefined, final: Counts | undefined): boolean {
  if (!first || !final || (first.input ?? 0) === 0) return false;
  const isSamePrompt = first.input === final.input && first.cached === final.cached;
  return isSamePrompt && (first.output ?? 0) <= (final.output ?? 0);
}
