import { Fields } from "../../../kernel/json/fields.ts";
import type { Row } from "../../../kernel/json/row.ts";
import { RepeatedTexts } from "../../../kernel/json/row.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asTime } from "../../decoding/fields.ts";
import type { RecordMeaning, Meta, Usage } from "../content.ts";
import { readMeta } from "../formats/meta.ts";
import { MAX_COUNT } from "../formats/usage.ts";

const COUNTS = [
  "input_tokens",
  "cached_input_tokens",
  "output_tokens",
  "reasoning_output_tokens",
  "total_tokens",
  "cache_write_input_tokens",
] as const;
/** The fields of a header, without its system prompt. */
const HEADER = [
  "id",
  "timestamp",
  "cwd",
  "cli_version",
  "git",
  "forked_from_id",
  "parent_thread_id",
  "agent_path",
  "source",
  "history_base",
  "subagent_history_start_ordinal",
] as const;

/** The fields of a record that usage needs. */
export const RECORD: Fields = new Fields([
  "timestamp",
  "ordinal",
  "type",
  "payload/type",
  "payload/info",
  "payload/turn_id",
  "payload/model",
  "payload/item/type",
  "payload/response_id",
  "payload/thread_id",
  ...HEADER.map((field) => `payload/${field}`),
  ...countPaths("payload/info/total_token_usage"),
  ...countPaths("payload/info/last_token_usage"),
  ...countPaths("payload/usage"),
]);

const TIMESTAMP: number = RECORD.slot("timestamp");
const ORDINAL: number = RECORD.slot("ordinal");
const TYPE: number = RECORD.slot("type");
const EVENT: number = RECORD.slot("payload/type");
const INFO: number = RECORD.slot("payload/info");
const TURN: number = RECORD.slot("payload/turn_id");
const MODEL: number = RECORD.slot("payload/model");
const CWD: number = RECORD.slot("payload/cwd");
const ITEM: number = RECORD.slot("payload/item/type");
const RESPONSE: number = RECORD.slot("payload/response_id");
const THREAD: number = RECORD.slot("payload/thread_id");
const META: readonly number[] = HEADER.map((field) => RECORD.slot(`payload/${field}`));
const TOTAL: readonly number[] = countSlots("payload/info/total_token_usage");
const LAST: readonly number[] = countSlots("payload/info/last_token_usage");
const USAGE: readonly number[] = countSlots("payload/usage");

function countPaths(path: string): string[] {
  return COUNTS.map((count) => `${path}/${count}`);
}

function countSlots(path: string): number[] {
  return countPaths(path).map((field) => RECORD.slot(field));
}

/** Values that most lines share. */
const texts = new RepeatedTexts();
const PROMPT: RecordMeaning = { kind: "prompt", text: { text: "", print: "" }, attachments: [] };
/** For usage, the end of a turn only sets the time of the last write. */
const TURN_END: RecordMeaning = { kind: "turn-end", end: "silent" };
const STARTS = new Set(["task_started", "turn_started"]);
const ENDS = new Set(["task_complete", "turn_complete", "turn_aborted"]);

const QUIET_TYPES = new Set(["response_item", "world_state"]);
const QUIET_EVENTS = new Set([
  "agent_message",
  "agent_reasoning",
  "thread_settings_applied",
  "patch_apply_end",
  "mcp_tool_call_end",
  "web_search_end",
  "exec_command_end",
  "sub_agent_activity",
  "context_compacted",
]);

/** Whether a line is irrelevant to usage and standing. */
export function isIrrelevantToUsage(row: Row): boolean {
  const type = texts.of(row, TYPE) ?? "";
  if (QUIET_TYPES.has(type)) return true;
  if (type !== "event_msg") return false;
  const event = texts.of(row, EVENT) ?? "";
  if (QUIET_EVENTS.has(event)) return true;
  // A prompt is needed: going back counts turns by prompts.
  return event === "item_completed" && row.has(ITEM) && texts.of(row, ITEM) !== "UserMessage";
}

export function timesOf(row: Row): { at: string | undefined; ordinal: number | undefined } {
  return { at: asTime(row.text(TIMESTAMP)), ordinal: row.count(ORDINAL) };
}

/** Returns what usage needs of a line; undefined if the line has to be parsed. */
export function actOf(row: Row): RecordMeaning | undefined {
  switch (texts.of(row, TYPE)) {
    case "event_msg":
      return eventOf(row);
    case "turn_context": {
      const [turnId, model, cwd] = [
        asName(row.text(TURN)),
        asName(texts.of(row, MODEL)),
        asName(texts.of(row, CWD)),
      ];
      return {
        kind: "context",
        ...(turnId === undefined ? {} : { turnId }),
        ...(model === undefined ? {} : { model }),
        ...(cwd === undefined ? {} : { cwd }),
      };
    }
    case "token_usage_record":
      return recordOf(row);
    case "session_meta":
      return { kind: "meta", meta: metaOf(row) };
    case undefined:
    default:
      return undefined;
  }
}

function eventOf(row: Row): RecordMeaning | undefined {
  const event = texts.of(row, EVENT) ?? "";
  if (event === "token_count") {
    const total = usageOf(row, TOTAL);
    const last = usageOf(row, LAST);
    return row.isObject(INFO) && total && last ? { kind: "counter", total, last } : undefined;
  }
  if (event === "user_message") return PROMPT;
  if (event === "item_completed" && texts.of(row, ITEM) === "UserMessage") return PROMPT;
  if (ENDS.has(event)) return TURN_END;
  if (!STARTS.has(event)) return undefined;
  const turnId = asName(row.text(TURN));
  return turnId === undefined ? { kind: "turn-start" } : { kind: "turn-start", turnId };
}

function recordOf(row: Row): RecordMeaning | undefined {
  const responseId = asName(row.text(RESPONSE));
  const usage = usageOf(row, USAGE);
  const threadId = asName(texts.of(row, THREAD));
  const turnId = asName(row.text(TURN));
  if (responseId === undefined || !usage || threadId === undefined || turnId === undefined) {
    return undefined;
  }
  return { kind: "record", responseId, usage, threadId, turnId };
}

/** Reads the header of a thread from the fields that `readMeta` needs. */
function metaOf(row: Row): Meta {
  const header: Json = {};
  for (const [at, slot] of META.entries()) {
    const name = HEADER[at];
    if (name !== undefined && row.has(slot)) header[name] = row.value(slot);
  }
  return readMeta(header);
}

/** Returns undefined for an unusual count: the full reader handles and reports it. */
function usageOf(row: Row, slots: readonly number[]): Usage | undefined {
  const [inputAt = 0, cachedAt = 0, outputAt = 0, reasoningAt = 0, totalAt = 0, written = 0] =
    slots;
  const input = row.count(inputAt);
  const cached = row.count(cachedAt);
  const output = row.count(outputAt);
  const reasoning = row.count(reasoningAt);
  const total = row.count(totalAt);
  if (input === undefined || cached === undefined || output === undefined) return undefined;
  if (reasoning === undefined || total === undefined) return undefined;
  if (Math.max(input, output, total) > MAX_COUNT) return undefined;
  if (!row.has(written)) return { input, cached, output, reasoning, total };
  const cacheWrite = row.count(written);
  return cacheWrite === undefined
    ? undefined
    : { input, cached, output, reasoning, total, cacheWrite };
}
