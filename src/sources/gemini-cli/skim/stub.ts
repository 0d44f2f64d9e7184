import type { Author, RecordedMessage } from "../../../model/message.ts";
import type { Place } from "../../../model/place.ts";
import type { Json } from "../formats/fields.ts";
import { asName, asTime } from "../formats/fields.ts";
import { readTokens } from "../formats/tokens.ts";

/** What current and old versions write. Other words for the same are left to the reader. */
const AUTHORS: ReadonlyMap<unknown, Author> = new Map<unknown, Author>([
  ["user", "user"],
  ["gemini", "model"],
  ["info", "notice"],
  ["warning", "notice"],
  ["error", "notice"],
]);

/** One list for all messages: nobody changes a list of a message in place. */
const NONE: never[] = [];

/**
 * A message without a word of what it says: who, when, which model, what it cost. Nothing when a
 * reader would have a remark about it, or when its names are more than ASCII.
 */
export function stubOf(record: Json, place: Place): RecordedMessage | undefined {
  const author = AUTHORS.get(record["type"]);
  const id = asciiName(record["id"]);
  const { timestamp } = record;
  if (author === undefined || id === undefined) return undefined;
  if (!isAsciiText(record["model"]) || !isAsciiText(timestamp)) return undefined;
  const { usage, problem } = readTokens(record["tokens"]);
  if (problem !== undefined) return undefined;
  const calls = record["toolCalls"];
  const content = record["content"] ?? record["parts"];
  const at = asTime(timestamp);
  const model = asName(record["model"]);
  // One shape for all, and no spreads: there are many of them.
  const message: RecordedMessage = {
    id,
    author,
    text: "",
    isPrompt: false,
    references: NONE,
    injections: NONE,
    thoughts: NONE,
    toolCalls: NONE,
    hasRecordedCalls: Array.isArray(calls) && calls.length > 0,
    results: NONE,
    attachments: NONE,
    form: typeof content === "string" ? "text" : "parts",
    signature: "",
    partSignatures: NONE,
    place,
  };
  if (at !== undefined) message.at = at;
  if (model !== undefined) message.model = model;
  if (usage !== undefined) message.usage = usage;
  return message;
}

/**
 * Bytes are taken for characters, one by one: what is not ASCII comes out wrong, and must not be
 * shown or compared.
 */
export function asciiName(value: unknown): string | undefined {
  const name = asName(value);
  return name !== undefined && isAscii(name) ? name : undefined;
}

function isAsciiText(value: unknown): boolean {
  return typeof value !== "string" || isAscii(value);
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 126) return false;
  return true;
}
