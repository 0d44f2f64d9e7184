import type { Author, RecordedMessage } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { Counts } from "../../../core/usage/counts.ts";
import type { Row } from "../../../kernel/json/row.ts";
import { RepeatedTexts } from "../../../kernel/json/row.ts";
import { asName, asTime } from "../../decoding/fields.ts";
import type { ReadTokens } from "../formats/usage.ts";
import { readTokens, SHAPE } from "../formats/usage.ts";
import { RECORD } from "./fields.ts";

/** Types that Gemini CLI writes. Other names for them are left to the reader. */
const AUTHORS: ReadonlyMap<unknown, Author> = new Map<unknown, Author>([
  ["user", "user"],
  ["gemini", "model"],
  ["info", "notice"],
  ["warning", "notice"],
  ["error", "notice"],
]);

/** Shared by all messages: lists of a message are never modified in place. */
const NONE: never[] = [];

const ID: number = RECORD.slot("id");
const TIMESTAMP: number = RECORD.slot("timestamp");
const TYPE: number = RECORD.slot("type");
const MODEL: number = RECORD.slot("model");
const CALLS: number = RECORD.slot("toolCalls");
const CONTENT: number = RECORD.slot("content");
const PARTS: number = RECORD.slot("parts");
const TOKENS: number = RECORD.slot("tokens");
const INPUT: number = RECORD.slot("tokens/input");
const OUTPUT: number = RECORD.slot("tokens/output");
const CACHED: number = RECORD.slot("tokens/cached");
const THOUGHTS: number = RECORD.slot("tokens/thoughts");
const TOOL: number = RECORD.slot("tokens/tool");
const TOTAL: number = RECORD.slot("tokens/total");

const types = new RepeatedTexts();
const models = new RepeatedTexts();

/**
 * Returns a message without its text: author, time, model and usage. Returns undefined if the
 * reader would report a diagnostic about it.
 */
export function skimMessage(row: Row, place: Place): RecordedMessage | undefined {
  const author = AUTHORS.get(types.of(row, TYPE));
  const id = asName(row.text(ID));
  if (author === undefined || id === undefined) return undefined;
  const { usage, problem } = tokensOf(row);
  if (problem !== undefined) return undefined;
  // One object shape and no spreads, because there are many messages.
  return {
    id,
    author,
    at: asTime(row.text(TIMESTAMP)),
    model: asName(models.of(row, MODEL)),
    usage,
    text: "",
    isPrompt: false,
    references: NONE,
    injections: NONE,
    thoughts: NONE,
    toolCalls: NONE,
    hasRecordedCalls: row.kind(CALLS) === "list" && !row.isEmpty(CALLS),
    results: NONE,
    attachments: NONE,
    form: isTextContent(row) ? "text" : "parts",
    signature: "",
    partSignatures: NONE,
    place,
  };
}

function isTextContent(row: Row): boolean {
  const kind = row.kind(CONTENT) ?? "null";
  return kind === "text" || (kind === "null" && row.kind(PARTS) === "text");
}

const NO_TOKENS: ReadTokens = {};

function tokensOf(row: Row): ReadTokens {
  if (!row.has(TOKENS)) return NO_TOKENS;
  const usage = wholeUsage(row);
  return usage ? { usage } : readTokens(row.value(TOKENS));
}

/** Fast path for the usual case: six counts. */
function wholeUsage(row: Row): Counts | undefined {
  const input = row.count(INPUT);
  const cached = row.count(CACHED);
  const output = row.count(OUTPUT);
  const thoughts = row.count(THOUGHTS);
  const tool = row.count(TOOL);
  const total = row.count(TOTAL);
  if (input === undefined || cached === undefined || output === undefined) return undefined;
  if (thoughts === undefined || tool === undefined || total === undefined) return undefined;
  if (Math.max(input, cached, output, thoughts, tool, total) > SURE_COUNT) return undefined;
  const { shape, reasoning } = SHAPE;
  return { shape, reasoning, input, cached, output, thoughts, tool, total };
}

/** Larger counts are left to the reader, which reports those that are too large. */
const SURE_COUNT = 1e9;
