import { hash } from "node:crypto";
import type { Diagnostic } from "../../../core/files/diagnostic.ts";
import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Author, RecordedMessage, Thought } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { Content } from "../../decoding/content.ts";
import { joinTexts, readContent, splitThought } from "../../decoding/content.ts";
import type { UserText } from "./user-text.ts";
import { readUserText, steeringText } from "./user-text.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText, asTime } from "../../decoding/fields.ts";
import { readTokens } from "./usage.ts";
import { inferredCall, readToolCall } from "./tool-call-record.ts";

/** Authors by recorded `type` (in saved chats: `role`). */
const AUTHORS: ReadonlyMap<string, Author> = new Map<string, Author>([
  ["user", "user"],
  ["human", "user"],
  ["gemini", "model"],
  ["model", "model"],
  ["assistant", "model"],
  ["info", "notice"],
  ["warning", "notice"],
  ["error", "notice"],
]);

/**
 * Reads one message record; the form is the same in every generation:
 *
 *     {"id": "…", "timestamp": "…", "type": "gemini", "content": "…", "thoughts": [],
 *      "tokens": {…}, "model": "…", "toolCalls": […], "displayContent": …}
 *
 * Any field may be absent or have another type; unusable fields are reported and the rest is read.
 */
export function readMessage(
  record: Json,
  place: Place,
  report: (diagnostic: Diagnostic) => void,
): RecordedMessage {
  const type = asText(record["type"]) ?? asText(record["role"]) ?? "";
  const author = AUTHORS.get(type) ?? "notice";
  if (!AUTHORS.has(type)) {
    const message = `A message of the unknown type ${JSON.stringify(type.slice(0, 40))}.`;
    report(diagnosticAt(place, { code: "bad-message", severity: "notice", message }));
  }
  const recorded = record["content"] ?? record["parts"];
  const content = readContent(recorded);
  const { usage, problem } = readTokens(record["tokens"]);
  if (problem !== undefined) {
    const message = `Token counts could not be used: ${problem}.`;
    report(diagnosticAt(place, { code: "bad-tokens", severity: "damage", message }));
  }
  const calls = readCalls(record["toolCalls"], content);
  const body = author === "user" ? readUser(record, content) : readOther(author, type, content);
  const { signature, partSignatures } = signatures(author, content, {
    words: body.words,
    calls: calls.calls,
  });
  const id = asName(record["id"]);
  // Optional fields are set afterwards: few object shapes keep property access fast.
  const message: RecordedMessage = {
    id: id ?? fallbackId(record, body.text, place),
    author,
    text: body.text,
    isPrompt: body.isPrompt,
    references: body.references,
    injections: body.injections,
    thoughts: readThoughts(record["thoughts"], content),
    toolCalls: calls.calls,
    hasRecordedCalls: calls.isRecorded,
    results: content.results,
    attachments: content.attachments,
    form: typeof recorded === "string" ? "text" : "parts",
    signature,
    partSignatures,
    place,
  };
  const at = asTime(record["timestamp"]);
  const model = once(asName(record["model"]));
  if (at !== undefined) message.at = at;
  if (model !== undefined) message.model = model;
  if (usage !== undefined) message.usage = usage;
  if (id === undefined) message.isUnnamed = true;
  if (body.typed !== undefined) message.typed = body.typed;
  if (body.level !== undefined) message.level = body.level;
  if (body.signal !== undefined) message.signal = body.signal;
  return message;
}

type Body = Pick<
  RecordedMessage,
  "text" | "typed" | "isPrompt" | "references" | "injections" | "level" | "signal"
> & {
  /** The text that copies of the message share if they have no call ids. */
  words: string;
};

function readUser(record: Json, content: Content): Body {
  const read = readUserText(content.texts, typeof record["content"] === "string");
  if (content.results.length > 0) {
    read.injections.push({ kind: "tool-response", text: "" });
  }
  const shown = record["displayContent"];
  const display = shown === undefined || shown === null ? "" : joinTexts(readContent(shown).texts);
  const typed = typedText(read, display);
  const hasSent = typed !== "" || (content.attachments.length > 0 && read.injections.length === 0);
  const isPrompt = hasSent && !isOnlySteering(read, display) && !isOnlyToolResponse(read, content);
  const text = joinTexts(content.texts);
  return {
    words: read.typed === "" ? text : read.typed,
    text,
    ...(typed === "" ? {} : { typed }),
    isPrompt,
    references: read.references,
    injections: read.injections,
  };
}

function typedText(read: UserText, display: string): string {
  if (display.trim() !== "") return readUserText([display], true).typed || display.trim();
  if (read.typed !== "") return read.typed;
  const steering = read.injections.find(({ kind }) => kind === "steering");
  return steering ? steeringText(steering) : "";
}

function isOnlySteering(read: UserText, display: string): boolean {
  return read.typed === "" && display.trim() === "" && read.injections.length > 0;
}

/** An image that a tool read is returned beside the tool's response; the user did not send it. */
function isOnlyToolResponse(read: UserText, content: Content): boolean {
  return content.results.length > 0 && read.typed === "";
}

function readOther(author: Author, type: string, content: Content): Body {
  const text = joinTexts(content.texts);
  const body: Body = { words: text, text, isPrompt: false, references: [], injections: [] };
  if (author !== "notice") return body;
  const level = type === "error" || type === "warning" ? type : "info";
  return { ...body, level, ...optional("signal", signalOf(text, level, content)) };
}

/** Returns the meaning of a notice. `/compress` leaves an empty `info`. */
function signalOf(text: string, level: string, content: Content): RecordedMessage["signal"] {
  if (level !== "info") return undefined;
  const isEmpty = text.trim() === "" && content.attachments.length === 0;
  const opening = /^(IMPORTANT: This conversation (exceeded|approached)|Context compressed from )/;
  if (isEmpty || opening.test(text)) return "compression";
  if (/^(Request|User) cancelled( the request)?\.?$/.test(text.trim())) return "cancellation";
  return text.startsWith("Imported session from ") ? "import" : undefined;
}

function readThoughts(recorded: unknown, content: Content): Thought[] {
  const thoughts: Thought[] = [];
  for (const item of asList(recorded) ?? []) {
    const thought = asObject(item);
    if (thought) thoughts.push(readThought(thought));
    else if (typeof item === "string") thoughts.push({ subject: "", description: item });
  }
  if (thoughts.length > 0) return thoughts;
  return content.thoughts.map((text) => splitThought(text));
}

function readThought(recorded: Json): Thought {
  const subject = asText(recorded["subject"]) ?? "";
  const description = asText(recorded["description"]) ?? asText(recorded["text"]) ?? "";
  const at = asTime(recorded["timestamp"]);
  return at === undefined ? { subject, description } : { subject, description, at };
}

function readCalls(
  recorded: unknown,
  content: Content,
): { calls: ToolCall[]; isRecorded: boolean } {
  const list = asList(recorded);
  if (!list || list.length === 0) {
    return {
      calls: content.calls.map((call, index) => inferredCall(call, index)),
      isRecorded: false,
    };
  }
  const calls: ToolCall[] = [];
  for (const [index, item] of list.entries()) {
    const call = asObject(item);
    if (call) calls.push(readToolCall(call, index));
  }
  return { calls, isRecorded: true };
}

/** Copies of a message have the same call and result ids, or otherwise the same text. */
function signatures(
  author: Author,
  content: Content,
  read: { words: string; calls: readonly ToolCall[] },
): Pick<RecordedMessage, "signature" | "partSignatures"> {
  const results = resultIds(content);
  const named: string[] = [];
  for (const { id } of read.calls) if (id !== "") named.push(id);
  for (const id of results) if (id !== "") named.push(id);
  const own = named.length > 0 ? idsOf(author, named) : wordsOf(author, read.words);
  // Some versions merge adjacent messages, so a reply and the following calls become one message.
  const pieces = content.texts.length + (author === "model" ? content.calls : results).length;
  if (pieces < 2) return { signature: own, partSignatures: [] };
  const answers = author === "model" ? [] : results.map((id) => idsOf(author, [id]));
  const words = content.texts.map((text) => wordsOf(author, text));
  return { signature: own, partSignatures: [...answers, ...words] };
}

/**
 * Resuming duplicates responses, and versions that merge adjacent messages list both in one
 * message.
 */
function resultIds({ results }: Content): string[] {
  if (results.length === 0) return [];
  return [...new Set(results.flatMap(({ callId }) => callId ?? []))];
}

// There are hundreds of thousands of signatures: `join` makes flat strings, whereas concatenation
// keeps the parts in memory.
function idsOf(author: Author, ids: readonly string[]): string {
  return [author, ...ids.toSorted()].join(",");
}

function wordsOf(author: Author, text: string): string {
  const words = [author, text.trim()].join(":");
  return words.length < 40 ? words : hash("sha1", words, "base64");
}

/**
 * Returns an id that stays the same when the message is read from another line or another copy.
 * Only messages without a time need their place to be distinguished.
 */
function fallbackId(record: Json, text: string, place: Place): string {
  const { timestamp, type, model } = record;
  const { usage } = readTokens(record["tokens"]);
  const read = JSON.stringify([asText(timestamp), asText(type), asText(model), usage, text]);
  const start = asTime(timestamp) === undefined ? place.start : "";
  return `unnamed-${hash("sha1", `${start}:${read}`, "hex").slice(0, 16)}`;
}

const MODELS = new Map<string, string>();

/**
 * Returns a shared string for each model name, because the same few names occur in all replies.
 */
function once(name: string | undefined): string | undefined {
  if (name === undefined || name.length > 100) return name;
  const known = MODELS.get(name);
  if (known === undefined && MODELS.size < 1000) MODELS.set(name, name);
  return known ?? name;
}
