import { textIn } from "../../view.ts";
import { originalPath } from "../../../core/files/session-file.ts";
import { instantOf } from "../../../core/instant.ts";
import type { Diagnostic } from "../../../core/files/diagnostic.ts";
import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Message } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { SessionContent } from "../../../core/session/session.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { ReplyPurpose } from "../../../core/usage/usage-fact.ts";
import { asName, asObject } from "../../decoding/fields.ts";
import { TASK_LENGTH } from "../../decoding/outline.ts";
import { parseJsonText } from "../../decoding/parse.ts";
import type { Node } from "../content.ts";
import type { Conversation, TranscriptFile } from "./conversations.ts";

/** `acompact-0bcec0106a1c7ca0` */
const FORK_LABEL = /^a([a-z_]+)-[0-9a-f]{1,16}$/;
/** The labels of forked agents, and what they are for. */
const LABELS: ReadonlyMap<string, ReplyPurpose> = new Map([
  ["compact", "compression"],
  ["session_memory", "memory"],
  ["extract_memories", "memory"],
  ["auto_dream", "memory"],
]);

/** Returns what Claude Code started an agent for, if it did so for itself. */
export function purposeOf(
  conversation: Conversation,
  conversations: readonly Conversation[],
): ReplyPurpose | undefined {
  const { kind, agentId, isForked } = conversation;
  if (kind !== "subagent") return undefined;
  const isNamed = (): boolean => {
    return conversations.some((other) => other.nodes.some((node) => names(node, agentId)));
  };
  if (isForked === true && !isNamed()) {
    return LABELS.get(FORK_LABEL.exec(agentId ?? "")?.[1] ?? "") ?? "other";
  }
  return isWarmUp(conversation, isNamed) ? "warm-up" : undefined;
}

/**
 * Whether an agent warms up the cache, as at each start (2.0.30 to 2.1.5). Up to 2.0.60 the prompts
 * of agents are not recorded, and at a resume 2.1.2 writes the prompt into the folder of the id
 * that the process had before: there it is an agent with a single answer and nothing else that no
 * tool result names; a hook may ask for another answer. An agent that was killed while it ran a
 * tool is none.
 */
function isWarmUp({ nodes, uuids }: Conversation, isNamed: () => boolean): boolean {
  const [first] = nodes;
  if (!first) return false;
  if (first.kind === "user") return first.role === "warm-up";
  const answers = new Set(nodes.flatMap((node) => (node.kind === "answer" ? node.answerId : [])));
  const asked = nodes.filter((node) => node.kind === "user" && node.isFeedback === true);
  const isLone = !uuids.has(first.parent ?? "") && answers.size === 1 + asked.length;
  return isLone && !nodes.some(isWork) && !isNamed();
}

function isWork(node: Node): boolean {
  if (node.kind === "user") return node.isFeedback !== true;
  return node.kind === "answer" && node.isCalling === true;
}

function names(node: Node, agentId: string | undefined): boolean {
  return node.kind === "user" && node.agent !== undefined && node.agent === agentId;
}

interface FoundCall {
  call: ToolCall;
  sessionId: string;
  /** A killed call has no result: it ended before the next prompt. */
  endedAt?: string | undefined;
}

/** Links the sessions of agents with the calls that started them. */
export function linkAgents(
  sessions: readonly SessionContent[],
  conversations: ReadonlyMap<string, Conversation>,
): void {
  const calls = callsOf(sessions);
  // An agent may be sent to work again: the first call began it.
  const latestFirst = [...calls.values()].toSorted((a, b) => askedAtMs(b) - askedAtMs(a) || 0);
  const begun = new Map(latestFirst.map((found) => [found.call.agentId ?? "", found]));
  const agents = sessions.filter(({ kind }) => kind === "subagent");
  const ids = new Set(agents.map(({ id }) => id));
  const named = [...calls.values()].filter(({ call }) => ids.has(call.agentId ?? ""));
  const taken = new Set(named.map(({ call }) => call));
  for (const session of agents.toSorted(byStart)) {
    const meta = metaOf(conversations.get(session.id), session.diagnostics);
    const found =
      calls.get(meta.callId ?? "") ?? begun.get(session.id) ?? unnamedCall(session, calls, taken);
    const title = meta.description ?? found?.call.description;
    if (title !== undefined) session.summary = title;
    if (!found) {
      if (meta.callId !== undefined) session.parentCallId = meta.callId;
      continue;
    }
    if (!taken.has(found.call)) found.call.agentId = session.id;
    taken.add(found.call);
    session.parentCallId = found.call.id;
    // An agent may start another one: then it is the parent, not the session that both name.
    if (found.sessionId !== session.id) session.parentId = found.sessionId;
  }
}

function askedAtMs({ call: { askedAt = "" } }: FoundCall): number {
  return instantOf(askedAt);
}

/** Collects calls by id; of a call in several sessions, the original. */
function callsOf(sessions: readonly SessionContent[]): Map<string, FoundCall> {
  const calls = new Map<string, FoundCall>();
  for (const session of sessions) {
    let open: FoundCall[] = [];
    for (const message of session.messages) {
      if (message.isPrompt) {
        for (const found of open) found.endedAt = message.at;
        open = [];
      }
      for (const call of message.toolCalls) {
        if (calls.has(call.id) && message.isInherited === true) continue;
        const found = { call, sessionId: session.id, endedAt: call.at };
        calls.set(call.id, found);
        if (call.at === undefined) open.push(found);
      }
    }
  }
  return calls;
}

function byStart(a: SessionContent, b: SessionContent): number {
  return instantOf(a.startedAt ?? "") - instantOf(b.startedAt ?? "") || 0;
}

/**
 * Up to 2.0.0 only the prompt of an agent identifies the call that started it. Up to 2.0.60 an
 * interrupted agent has neither a prompt nor a result that names it: it began during its call. So
 * did the agent of a skill in 2.1.9 to 2.1.45, where the result names one that does not exist.
 */
function unnamedCall(
  session: SessionContent,
  calls: ReadonlyMap<string, FoundCall>,
  taken: ReadonlySet<ToolCall>,
): FoundCall | undefined {
  const task = headOf(taskOf(session.messages));
  for (const found of calls.values()) {
    const { call, sessionId } = found;
    if (taken.has(call) || sessionId !== session.parentId) continue;
    const isAgent = call.label === "Agent";
    if (!isAgent && call.agentId === undefined) continue;
    const prompt = headOf(asName(asObject(call.args)?.["prompt"]) ?? "");
    if (isAgent && task !== "" ? prompt === task : hasBegunDuring(found, session)) return found;
  }
  return undefined;
}

function hasBegunDuring(
  { call: { askedAt }, endedAt }: FoundCall,
  { startedAt, replies }: SessionContent,
): boolean {
  if (askedAt === undefined || startedAt === undefined) return false;
  const started = instantOf(startedAt);
  const ended = endedAt === undefined ? Infinity : instantOf(endedAt);
  const isOwn = replies.length > 0 && replies.every(({ purpose }) => purpose === undefined);
  return isOwn && instantOf(askedAt) <= started && started <= ended;
}

function taskOf(messages: readonly Message[]): string {
  return messages.find(({ author }) => author === "user")?.text ?? "";
}

/** An outline has at least this much of the prompt. */
function headOf(text: string): string {
  return text.slice(0, TASK_LENGTH);
}

interface Meta {
  callId?: string;
  description?: string;
}

/** `agent-<id>.meta.json` beside the file (2.1.100+). */
function metaOf(conversation: Conversation | undefined, diagnostics: Diagnostic[]): Meta {
  for (const { file } of conversation?.files ?? []) {
    const meta = file.file.role === "subagent" ? readMeta(file, diagnostics) : undefined;
    if (meta) return meta;
  }
  return {};
}

function readMeta({ file, home }: TranscriptFile, diagnostics: Diagnostic[]): Meta | undefined {
  const path = originalPath(file).replace(/\.jsonl$/, ".meta.json");
  const text = textIn(home.view, path);
  // Older versions do not write this file.
  if (text === undefined) return undefined;
  const parsed = parseJsonText(text);
  const meta = parsed.isJson ? asObject(parsed.value) : undefined;
  if (!meta) {
    const place = { file: path, line: 1, start: 0, end: Buffer.byteLength(text) };
    const message = "The metadata of a subagent is not a complete JSON object.";
    diagnostics.push(diagnosticAt(place, { code: "bad-element", severity: "damage", message }));
  }
  return {
    ...optional("callId", asName(meta?.["toolUseId"])),
    ...optional("description", asName(meta?.["description"])),
  };
}
