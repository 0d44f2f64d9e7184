import type { Injection, RecordedMessage } from "../../../core/session/message.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, asText } from "../../decoding/fields.ts";
import { toOutline } from "../../decoding/outline.ts";
import type { Depth } from "../../source.ts";
import type { Blocks } from "./blocks.ts";
import { readBlocks } from "./blocks.ts";
import type { NodeBase, ResultRecord, UserNode, RecordContent } from "../content.ts";
import { readResults } from "./results.ts";
import { readUserText } from "./user-text.ts";

/** Characters of text kept in an outline: more than a title or the task of an agent needs. */
const SAID_LENGTH = 400;

/** Shared empty list: most lists of a message are empty, and none is modified in place. */
const NONE: readonly never[] = Object.freeze([]);

function none<T>(): T[] {
  return NONE as unknown as T[];
}

/** Builds a message from a node and its words. */
export function messageOf(base: NodeBase, words: RecordContent): RecordedMessage {
  return {
    id: base.uuid,
    ...(base.parent === undefined ? {} : { parentId: base.parent }),
    author: words.author,
    ...(words.level === undefined ? {} : { level: words.level }),
    ...(words.signal === undefined ? {} : { signal: words.signal }),
    at: base.at,
    model: words.model,
    text: words.text ?? "",
    ...(words.typed === undefined ? {} : { typed: words.typed }),
    isPrompt: words.isPrompt ?? false,
    references: none(),
    injections: words.injections ?? none(),
    thoughts: words.thoughts ?? none(),
    toolCalls: words.toolCalls ?? none(),
    results: none(),
    attachments: words.attachments ?? none(),
    hasRecordedCalls: true,
    form: words.form ?? "text",
    signature: base.uuid,
    partSignatures: none(),
    place: base.place,
  };
}

export function notice(
  text: string,
  more: Pick<RecordContent, "level" | "signal"> = {},
): RecordContent {
  return { author: "notice", level: "info", ...more, text };
}

/** Reduces the words of a record to what a depth needs. */
export function atDepth(words: RecordContent, base: NodeBase, depth: Depth): RecordContent {
  return withoutEmpty(depth === "full" ? words : outlineOf(words, base));
}

function withoutEmpty(words: RecordContent): RecordContent {
  const kept: RecordContent = { author: words.author };
  for (const [key, value] of Object.entries(words)) {
    const isNothing = value === undefined || value === false || (value === "" && key === "text");
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (!isNothing && !isEmpty) Object.assign(kept, { [key]: value });
  }
  return kept;
}

const NO_ARGUMENTS = Object.freeze({});

/** Drops arguments, except of agents: lists and sums need only files and commands of a call. */
function outlineOf(words: RecordContent, base: NodeBase): RecordContent {
  const light = toOutline(messageOf(base, words), () => SAID_LENGTH);
  const { author, level, signal, model, text, typed, isPrompt, injections, form } = light;
  const toolCalls = light.toolCalls.map((call) => {
    return call.label === "Agent" ? call : Object.assign({}, call, { args: NO_ARGUMENTS });
  });
  const attachments = light.attachments.map(({ data: _bytes, ...attachment }) => attachment);
  return {
    author,
    ...(level === undefined ? {} : { level }),
    ...(signal === undefined ? {} : { signal }),
    model,
    text,
    ...(typed === undefined ? {} : { typed }),
    isPrompt,
    injections,
    toolCalls,
    attachments,
    form,
  };
}

// In V8, a literal that begins with a spread gets its own hidden class, as big as its content.
// Frequent objects therefore list known properties first.

/** Reads a `user` record; its flags and text determine its role. */
export function readUser(record: Json, base: NodeBase, depth: Depth): UserNode {
  const content = asObject(record["message"])?.["content"];
  const blocks = readBlocks(content, { at: base.at, fallbackId: base.uuid });
  const isResult = blocks.results.length > 0;
  const read = readUserText(blocks.texts, record);
  const node: UserNode = {
    kind: "user",
    role: isResult ? "results" : read.role,
    results: none(),
    ...base,
  };
  if (read.isCutNotice === true) node.isCutNotice = true;
  if (read.injections[0]?.kind === "hook-context") node.isFeedback = true;
  if (read.summaryOf !== undefined) node.summaryOf = read.summaryOf;
  const agent = asName(asObject(record["toolUseResult"])?.["agentId"]);
  if (agent !== undefined) node.agent = agent;
  if (depth === "usage") return node;
  node.results = resultsAtDepth(blocks.results, record, depth);
  if (read.command !== undefined) node.command = read.command;
  if (read.plan !== undefined) node.plan = read.plan;
  if (read.notification) node.notification = read.notification;
  node.words = atDepth(userWords(blocks, { ...read, role: node.role }), base, depth);
  return node;
}

type ReadUser = ReturnType<typeof readUserText>;

function userWords({ texts, form, attachments }: Blocks, read: ReadUser): RecordContent {
  const text = texts.join("\n");
  if (read.role === "interruption") return notice(text, { signal: "cancellation" });
  const words: RecordContent = {
    author: "user",
    text,
    form,
    attachments,
    injections: read.injections,
  };
  if (read.role === "results") words.injections = resultInjections(texts);
  if (read.role !== "prompt") return words;
  words.isPrompt = true;
  words.typed = read.typed ?? "";
  return words;
}

/** Text next to results was added by Claude Code. */
function resultInjections(texts: readonly string[]): Injection[] {
  return texts.map((text) => ({ kind: "reminder" as const, text }));
}

/** Lists and sums need the outcome of a call, not its output. */
export function resultsAtDepth(
  blocks: readonly Json[],
  record: Json,
  depth: Depth,
): ResultRecord[] {
  const results = readResults(blocks, record);
  if (depth === "full") return results;
  return results.map(({ display: _shown, ...result }) => Object.assign({}, result, { output: "" }));
}

/** Returns the text of a `system` record, if any. */
export function noteText(record: Json): string | undefined {
  const text = asName(record["content"]);
  if (text !== undefined) return text;
  const error = asObject(record["error"]);
  return asName(error?.["formatted"]) ?? asName(error?.["message"]) ?? asText(record["text"]);
}
