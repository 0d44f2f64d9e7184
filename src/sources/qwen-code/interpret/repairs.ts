import type { Message } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Entry, ToolEvent } from "../content.ts";
import type { Conversation } from "./conversation.ts";
import { runOfPrompt } from "./agents.ts";
import type { Tree } from "./tree.ts";

type EventEntry = Extract<Entry, { kind: "tool-event" }>;

interface Strand {
  tree: Tree;
  conversation: Conversation;
  messages: readonly Message[];
}

/**
 * Agents without a file have no messages, but their tool calls are in the telemetry: each becomes a
 * notice with that call, at the position of its event.
 */
export function addOrphanCalls(main: Strand, agents: readonly (Strand & { id: string })[]): void {
  const { tree, conversation } = main;
  const named = new Set(agents.map(({ id }) => id));
  const orphans: Message[] = [];
  for (const entry of tree.entries) {
    if (entry.kind === "compression" && tree.way.has(entry.uuid)) orphans.forEach(replace);
    if (entry.kind !== "tool-event") continue;
    const { event } = entry;
    for (const strand of [main, ...agents]) strand.conversation.calls.addServer(event.call);
    const caller = callersOf(event, main, agents).find((strand) => {
      return event.hasCallId && strand.conversation.calls.has(event.call.id);
    });
    caller?.conversation.calls.addEvent(event);
    const isOrphan = event.hasCallId ? !caller : isOfAgent(event, named, agents);
    if (isOrphan) orphans.push(orphanOf(entry, tree));
  }
  if (orphans.length > 0) conversation.messages = inTime(conversation.messages, orphans);
}

/** Ids made up for an API that gives none are unique only within one conversation. */
function callersOf(
  { promptId = "" }: ToolEvent,
  main: Strand,
  agents: readonly (Strand & { id: string })[],
): Strand[] {
  const run = runOfPrompt(promptId);
  if (run === undefined) return [main, ...agents];
  const named = agents.filter(({ id }) => id === run);
  return named.length > 0 ? named : [...agents];
}

/** A summary replaces everything before it. */
function replace(message: Message): void {
  if (message.standing !== "live") return;
  message.standing = "rewritten";
  message.reason = "compression";
}

/** Without a call id, only the prompt identifies the agent. */
function isOfAgent(
  { call, promptId = "" }: ToolEvent,
  named: ReadonlySet<string>,
  agents: readonly Strand[],
): boolean {
  const run = runOfPrompt(promptId);
  if (run === undefined || named.has(run)) return false;
  // Up to 0.17 runs and files have different names: the same call at the same time is the file's
  // own.
  return !agents.some(({ messages }) =>
    messages.some(({ toolCalls }) => toolCalls.some(({ name, at }) => isSame(call, name, at))),
  );
}

/** The event and the record of a result are written one after the other. */
const SAME_MS = 1000;

function isSame(call: ToolEvent["call"], name: string, at: string | undefined): boolean {
  if (call.name !== name || call.at === undefined || at === undefined) return false;
  return Math.abs(Date.parse(call.at) - Date.parse(at)) < SAME_MS;
}

function orphanOf(entry: EventEntry, tree: Tree): Message {
  const { uuid: id, at, place, event, copyOf } = entry;
  return {
    id,
    author: "notice",
    level: "info",
    at,
    text: "",
    isPrompt: false,
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [event.call],
    results: [],
    attachments: [],
    hasRecordedCalls: true,
    form: "parts",
    signature: `event,${id}`,
    partSignatures: [],
    place,
    places: [place],
    ...tree.standingOf(entry),
    ...optional("copyOf", copyOf),
  };
}

/** Inserts each before the first message that follows it in the same file. */
function inTime(messages: readonly Message[], added: readonly Message[]): Message[] {
  const merged: Message[] = [];
  let next = 0;
  for (const message of messages) {
    for (let orphan = added[next]; orphan && isBefore(orphan, message); orphan = added[next]) {
      merged.push(orphan);
      next += 1;
    }
    merged.push(message);
  }
  return [...merged, ...added.slice(next)];
}

function isBefore(orphan: Message, message: Message): boolean {
  return orphan.place.file === message.place.file && orphan.place.start < message.place.start;
}

/**
 * Marks interrupted answers: they have no counts, and no completed request before them. Files
 * written by another program have no counts and no process records at all, and are skipped.
 */
export function markCancelled(messages: readonly Message[], tree: Tree): void {
  if (!tree.entries.some(({ kind }) => OF_A_PROCESS.has(kind))) return;
  for (const message of messages) {
    if (message.author !== "model" || message.usage) continue;
    const entry = tree.byId.get(message.id);
    const parent = entry && tree.byId.get(entry.parentUuid ?? "");
    if (entry && parent?.kind !== "request") message.signal = "cancellation";
  }
}

/** Records of a process: telemetry, and links, which are file snapshots and attributions. */
const OF_A_PROCESS: ReadonlySet<string> = new Set(["request", "tool-event", "link"]);
