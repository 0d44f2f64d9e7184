import type { ByteSource } from "../../../kernel/bytes.ts";
import { walkLines } from "../../../kernel/json/lines.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import type { RolloutReader } from "./lines.ts";
import { actOf, RECORD, timesOf } from "./row.ts";

/** Inside texts quotes are escaped: where this stands again, two records share the line. */
const OPENING = '{"timestamp":"';

/**
 * Reads what sums need, without parsing all else. Lines that the model's history is made of are
 * passed by their first bytes. False when the file is to be read as it is: something is unusual, or
 * it is of a version whose forks can only be told line by line.
 */
export function skimRollout(bytes: ByteSource, reader: RolloutReader): boolean {
  const walk = jsonWalk();
  if (!walk) return false;
  const passing = {
    unless: OPENING,
    isPassed(memory: Buffer, at: number): boolean {
      const isPast = isPassed(memory, at);
      if (isPast) reader.pass();
      return isPast;
    },
  };
  const isWhole = walkLines(walk, { source: bytes, fields: RECORD, passing }, (line) => {
    if (line.state !== "json") return false;
    const { number, start, end, row } = line;
    const place = { file: bytes.path, line: number, start, end };
    const act = actOf(row);
    // Without turns every line of a fork is needed, to tell what was copied.
    if (act && act.kind === "counter" && !reader.namesTurns) return false;
    if (act === undefined) reader.record(row.value(), place);
    else reader.act(act, place, timesOf(row));
    return true;
  });
  return isWhole && reader.namesTurns;
}

const QUOTE = 34;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
/** Behind `{"timestamp":"2026-11-15T20:57:48.636Z`. */
const TIME_END = OPENING.length + 24;
/** As much as names the item of an event: `"thread_id"` and `"turn_id"` stand before it. */
const EVENT_BYTES = 280;

/** Lines that say nothing about what was paid, or about what became of it. */
const ITEM = 'type":"response_item",';
const STATE = 'type":"world_state",';
const EVENT_HEAD = 'type":"event_msg","payload":{"type":"';
const QUIET =
  /^(?:agent_message|agent_reasoning|thread_settings_applied|patch_apply_end|mcp_tool_call_end|web_search_end|exec_command_end|sub_agent_activity|context_compacted)"/;
/** A prompt is one of the turns that going back counts. */
const COMPLETED = /^item_completed",(?:"\w+":"[^"\\]*",)*"item":\{"type":"(?!UserMessage")\w+"/;

/**
 * How nearly all lines begin:
 *
 *     {"timestamp":"2026-11-15T20:57:48.636Z","ordinal":12,"type":"response_item","payload":…
 */
function isPassed(bytes: Buffer, at: number): boolean {
  if (!startsWith(bytes, at, OPENING) || bytes[at + TIME_END] !== QUOTE) return false;
  const from = behindOrdinal(bytes, at + TIME_END + 3);
  if (startsWith(bytes, from, ITEM) || startsWith(bytes, from, STATE)) return true;
  if (!startsWith(bytes, from, EVENT_HEAD)) return false;
  const event = from + EVENT_HEAD.length;
  const head = bytes.toString("latin1", event, event + 24);
  if (QUIET.test(head)) return true;
  if (!head.startsWith("item_completed")) return false;
  return COMPLETED.test(bytes.toString("latin1", event, event + EVENT_BYTES));
}

/** `ordinal":12,"` is passed, if it is there. */
function behindOrdinal(bytes: Buffer, at: number): number {
  if (!startsWith(bytes, at, ORDINAL_HEAD)) return at;
  let digit = at + ORDINAL_HEAD.length;
  for (let byte = bytes[digit] ?? 0; byte >= DIGIT_0 && byte <= DIGIT_9; byte = bytes[digit] ?? 0) {
    digit += 1;
  }
  return digit + 2;
}

const ORDINAL_HEAD = 'ordinal":';

/** For a few bytes quicker than a string of them. */
function startsWith(bytes: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
