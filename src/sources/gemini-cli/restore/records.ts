import type { Message } from "../../../core/session/message.ts";
import { joinTexts, readContent } from "../../decoding/content.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asObject } from "../../decoding/fields.ts";
import type { OpenBytes } from "./raw.ts";
import { RawRecords } from "./raw.ts";

/** Earlier versions accept a user's message only as one string. */
const PARTS_SINCE = 28;

/**
 * Returns the records that give Gemini CLI exactly the live messages as its context. Two kinds are
 * left out because it recreates them when it resumes: the start context, and the tool results that
 * a call itself contains (listed again, they would be sent twice).
 */
export function recordsOf(
  messages: readonly Message[],
  how: { open: OpenBytes; minor: number },
): Json[] {
  const live = messages.filter(({ standing }) => standing === "live");
  const records = new RawRecords(how.open);
  const pairs = live.flatMap((message) => {
    const raw = isContext(message) ? undefined : records.of(message);
    return raw ? [{ message, record: recordOf(message, raw, how.minor) }] : [];
  });
  const answers = answersOf(pairs.map(({ record }) => record));
  return pairs
    .filter(({ message }, at) => {
      return !isAnswer(message, answers) && !isStandIn(message, pairs[at - 1]?.message);
    })
    .map(({ record }) => record);
}

/**
 * Up to 0.27, a result that is not text is recorded as `[Function Response: read_file]<image/png>`.
 */
function isStandIn({ isPrompt, text }: Message, before: Message | undefined): boolean {
  const names = [...text.matchAll(/\[Function Response: ([^\]]+)\]/g)].map((match) => match[1]);
  const rest = text.replace(/\[Function Response: [^\]]+\](<[^>]*>)?/g, "");
  if (isPrompt || names.length === 0 || rest.trim() !== "") return false;
  return names.every((name) => before?.toolCalls.some((call) => call.name === name) === true);
}

/** Collects the ids of calls that contain their results, and of those with attachments in them. */
function answersOf(records: readonly Json[]): { all: Set<string>; attached: Set<string> } {
  const all = new Set<string>();
  const attached = new Set<string>();
  for (const record of records) {
    for (const call of (asList(record["toolCalls"]) ?? []).map(asObject)) {
      const id = String(call?.["id"]);
      const { attachments } = readContent(call?.["result"]);
      all.add(id);
      if (attachments.length > 0) attached.add(id);
    }
  }
  return { all, attached };
}

function isContext(message: Message): boolean {
  return !message.isPrompt && message.injections.some(({ kind }) => kind === "session-context");
}

function isAnswer(message: Message, answers: { all: Set<string>; attached: Set<string> }): boolean {
  const { results, text, attachments } = message;
  if (results.length === 0 || text.trim() !== "") return false;
  const answered = attachments.length > 0 ? answers.attached : answers.all;
  const ids = results.map(({ callId }) => callId ?? "");
  return attachments.length > 0
    ? ids.some((id) => answered.has(id))
    : ids.every((id) => answered.has(id));
}

function recordOf(message: Message, raw: Json, minor: number): Json {
  if (message.author === "model") return modelRecord(message, raw);
  if (message.author === "user" && minor < PARTS_SINCE) {
    return { ...raw, content: joinTexts(readContent(raw["content"]).texts) };
  }
  return raw;
}

/**
 * Completes a reply's text and gives every call a result: the API rejects a history without them.
 */
function modelRecord(message: Message, raw: Json): Json {
  const recorded = (asList(raw["toolCalls"]) ?? []).flatMap((item): Json[] => {
    const call = asObject(item);
    return call ? [call] : [];
  });
  const calls: Json[] = recorded.length > 0 ? recorded : message.toolCalls.map(inferredCall);
  return {
    ...raw,
    content: typeof raw["content"] === "string" ? raw["content"] : message.text,
    ...(calls.length > 0 ? { toolCalls: calls.map((call) => withResult(call, message)) } : {}),
  };
}

type Call = Message["toolCalls"][number];

function inferredCall({ id, name, args }: Call): Json {
  return { id, name, args, status: "success" };
}

function withResult(recorded: Json, message: Message): Json {
  const call = message.toolCalls.find(({ id }) => id === recorded["id"]);
  if (!call || hasResult(recorded, call.id)) return recorded;
  const output = call.output ?? "The result of this call was not recorded.";
  const response =
    call.outcome === "error" || call.outcome === "cancelled" ? { error: output } : { output };
  const status = call.outcome ?? "error";
  const result = [{ functionResponse: { id: call.id, name: call.name, response } }];
  return { ...recorded, status, result };
}

function hasResult(recorded: Json, id: string): boolean {
  const result = recorded["result"];
  if (typeof result === "string") return true;
  return readContent(result).results.some(({ callId }) => callId === id);
}
