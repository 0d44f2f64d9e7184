import type { Author, RecordedMessage } from "../../../core/message.ts";
import type { Place } from "../../../core/place.ts";
import type { Counts } from "../../../core/counts.ts";
import { asName, asTime } from "../../decoding/fields.ts";
import type { ReadTokens } from "../formats/tokens.ts";
import { readTokens, SHAPE } from "../formats/tokens.ts";
import { slotOf } from "./layout.ts";
import type { Row } from "./row.ts";
import { KnownTexts } from "./row.ts";

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

const [ID, TIMESTAMP, TYPE] = [slotOf("id"), slotOf("timestamp"), slotOf("type")] as const;
const [MODEL, TOKENS, CALLS] = [slotOf("model"), slotOf("tokens"), slotOf("toolCalls")] as const;
const [CONTENT, PARTS] = [slotOf("content"), slotOf("parts")] as const;
const [INPUT, OUTPUT] = [slotOf("tokens.input"), slotOf("tokens.output")] as const;
const [CACHED, THOUGHTS] = [slotOf("tokens.cached"), slotOf("tokens.thoughts")] as const;
const [TOOL, TOTAL] = [slotOf("tokens.tool"), slotOf("tokens.total")] as const;

const types = new KnownTexts();
const models = new KnownTexts();

/**
 * A message without a word of what it says: who, when, which model, what it cost. Nothing when a
 * reader would have a remark about it, or when its names are more than ASCII.
 */
export function stubOf(row: Row, place: Place): RecordedMessage | undefined {
  const author = AUTHORS.get(types.find(row, TYPE));
  const id = asciiName(row, ID);
  if (author === undefined || id === undefined) return undefined;
  const model = row.has(MODEL) ? models.find(row, MODEL) : undefined;
  const timestamp = row.value(TIMESTAMP);
  if (!isAsciiText(model) || !isAsciiText(timestamp)) return undefined;
  const { usage, problem } = tokensOf(row);
  if (problem !== undefined) return undefined;
  const calls = row.kind(CALLS);
  const content = row.kind(CONTENT) ?? row.kind(PARTS);
  // One shape for all, and no spreads: there are many of them.
  return {
    id,
    author,
    at: asTime(timestamp),
    model: asName(model),
    usage,
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
}

const NO_TOKENS: ReadTokens = {};

function tokensOf(row: Row): ReadTokens {
  if (!row.has(TOKENS)) return NO_TOKENS;
  const usage = wholeUsage(row);
  if (usage) return { usage };
  if (!row.isObject(TOKENS)) return readTokens(row.value(TOKENS));
  return readTokens({
    input: row.value(INPUT),
    cached: row.value(CACHED),
    output: row.value(OUTPUT),
    thoughts: row.value(THOUGHTS),
    tool: row.value(TOOL),
    total: row.value(TOTAL),
  });
}

/** As it nearly always is: six counts. */
function wholeUsage(row: Row): Counts | undefined {
  const input = row.count(INPUT);
  const cached = row.count(CACHED);
  const output = row.count(OUTPUT);
  const thoughts = row.count(THOUGHTS);
  const tool = row.count(TOOL);
  const total = row.count(TOTAL);
  const isWhole = Math.min(input, cached, output, thoughts, tool, total) >= 0;
  return isWhole ? { ...SHAPE, input, cached, output, thoughts, tool, total } : undefined;
}

/**
 * Bytes are taken for characters, one by one: what is not ASCII comes out wrong, and must not be
 * shown or compared.
 */
export function asciiName(row: Row, slot: number): string | undefined {
  const name = asName(row.value(slot));
  return name !== undefined && isAscii(name) ? name : undefined;
}

function isAsciiText(value: unknown): boolean {
  return typeof value !== "string" || isAscii(value);
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 126) return false;
  return true;
}
