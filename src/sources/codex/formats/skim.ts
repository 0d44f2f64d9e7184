/** As much of a line as names what it holds. */
const HEAD_BYTES = 360;

/**
 * How nearly all lines begin:
 *
 *     {"timestamp":"…","ordinal":12,"type":"event_msg","payload":{"type":"item_completed",
 *      "thread_id":"…","turn_id":"…","item":{"type":"AgentMessage"
 */
const ENVELOPE =
  /^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?"type":"(\w+)",(?:"payload":\{(?:"type":"(\w+)")?)?/;
const COMPLETED = /"type":"item_completed",(?:"\w+":"[^"\\]*",)*"item":\{"type":"(\w+)"/;
const BARE = /^\{"(?:type":"(?:message|reasoning|\w+_call|\w+_output)"|record_type":)/;

/** Lines that say nothing about what was paid, or about what became of it. */
const ITEMS = new Set(["response_item", "world_state", "inter_agent_communication_metadata"]);
const EVENTS = new Set([
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

/** Inside texts quotes are escaped: where this stands again, two records share the line. */
const OPENING = Buffer.from('{"timestamp":"');

/** Whether a sum of tokens can do without a line. A line that looks unusual is read. */
export function isBeside(line: Buffer): boolean {
  const head = line.toString("latin1", 0, HEAD_BYTES);
  return isQuiet(head) && line.indexOf(OPENING, 1) === -1;
}

function isQuiet(head: string): boolean {
  const envelope = ENVELOPE.exec(head);
  if (!envelope) return BARE.test(head);
  const [, type = "", event = ""] = envelope;
  if (ITEMS.has(type)) return true;
  if (type !== "event_msg") return false;
  if (event !== "item_completed") return EVENTS.has(event);
  const item = COMPLETED.exec(head)?.[1];
  return item !== undefined && item !== "UserMessage";
}
