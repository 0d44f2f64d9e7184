import { asList, asObject, asText } from "../decoding/fields.ts";
import type { LineEntry, LineMapping, NativeObject } from "../native.ts";

/** Lines with settings only; the draft's scripts leave them out. */
const SETTINGS: ReadonlySet<unknown> = new Set(["session_meta", "turn_context"]);
/** Events that repeat an item. */
const ECHOES: ReadonlySet<unknown> = new Set(["user_message", "agent_message", "agent_reasoning"]);

export function entryOf(line: NativeObject, mapping: LineMapping): LineEntry | undefined {
  const isReference = mapping === "reference";
  const payload = asObject(line["payload"]);
  if (isReference && SETTINGS.has(line["type"])) return undefined;
  const isEvent = payload !== undefined && line["type"] === "event_msg";
  const recorded = payload ?? line;
  const isItem = !payload || line["type"] === "response_item";
  const known = isEvent ? echoOf(recorded) : isItem ? itemOf(recorded) : undefined;
  const { timestamp } = line;
  if (isReference) return known ? addTime(known, timestamp) : noticeOf(recorded, line);
  return known ? losslessOf(known, line, payload) : losslessEvent(line, payload);
}

function addTime({ entry, rest }: LineEntry, timestamp: unknown): LineEntry {
  const { timestamp: _, role: _role, summary: _summary, ...others } = rest;
  return { entry: { ...entry, timestamp }, rest: others };
}

/** Maps an item of the model's history; undefined for unknown types. */
function itemOf(payload: NativeObject): LineEntry | undefined {
  const { type, id, ...rest } = payload;
  switch (type) {
    case "message": {
      const { content, ...others } = rest;
      const speaker = rest["role"] === "assistant" ? "assistant" : "user";
      return { entry: { type: speaker, id, content }, rest: others };
    }
    case "reasoning": {
      const { content: _, encrypted_content: encrypted, ...others } = rest;
      const content = summaryOf(rest["summary"]);
      return { entry: { type: "reasoning", id, content, encrypted }, rest: others };
    }
    case "function_call": {
      const { name, arguments: input, call_id: callId, ...others } = rest;
      return { entry: callEntry({ name, input, callId, id }), rest: others };
    }
    case "custom_tool_call": {
      const { name, input, call_id: callId, ...others } = rest;
      return { entry: callEntry({ name, input, callId, id }), rest: others };
    }
    case "web_search_call": {
      const { action: input, ...others } = rest;
      return { entry: callEntry({ name: "web_search", input, id }), rest: others };
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output, call_id: callId, ...others } = rest;
      return { entry: { type: "tool-result", id, output, "call-id": callId }, rest: others };
    }
    default:
      return undefined;
  }
}

interface Called {
  name: unknown;
  input: unknown;
  callId?: unknown;
  id: unknown;
}

function callEntry({ name, input, callId, id }: Called): NativeObject {
  return { type: "tool-call", id, name, input, "call-id": callId };
}

function summaryOf(summary: unknown): string {
  const texts = (asList(summary) ?? []).flatMap((part) => asText(asObject(part)?.["text"]) ?? []);
  return texts.join("\n");
}

/** Maps events with what the user typed and saw. */
function echoOf(payload: NativeObject): LineEntry | undefined {
  const { type, message, text, ...rest } = payload;
  const others = { ...rest, ...(type === "agent_reasoning" ? { message } : { text }) };
  if (type === "user_message") return { entry: { type: "user", content: message }, rest: others };
  if (type === "agent_message") {
    return { entry: { type: "assistant", content: message }, rest: others };
  }
  if (type !== "agent_reasoning") return undefined;
  return { entry: { type: "reasoning", content: text }, rest: others };
}

/** Maps all other lines the way the draft's scripts map the one kind in their example. */
function noticeOf(payload: NativeObject, { type: lineType, timestamp }: NativeObject): LineEntry {
  const { type, info, ...rest } = payload;
  const entry = { type: "system-event", "event-type": eventType(type ?? lineType), timestamp };
  if (type !== "token_count") return { entry, rest: {} };
  return { entry: { ...entry, "token-usage": info }, rest };
}

function eventType(type: unknown): unknown {
  return asText(type)?.replaceAll("_", "-");
}

/** `response_item/function_call`; a line without a payload has no slash. */
function nativeType(line: NativeObject, payload: NativeObject | undefined): string | undefined {
  const outer = asText(line["type"]);
  if (!payload) return outer;
  const inner = asText(payload["type"]);
  return inner === undefined ? `${outer ?? ""}/` : `${outer ?? ""}/${inner}`;
}

function losslessOf(
  { entry, rest }: LineEntry,
  line: NativeObject,
  payload: NativeObject | undefined,
): LineEntry {
  const { timestamp, type: _, payload: _payload, ...outer } = payload ? line : { ...line };
  const { status, summary, timestamp: _time, ...others } = rest;
  const isPlain = entry["type"] === "reasoning" && (asList(summary) ?? []).length === 1;
  return {
    entry: { ...entry, timestamp, status },
    rest: {
      ...others,
      ...(isPlain ? {} : { summary }),
      "x-native-type": nativeType(line, payload),
      "x-line": payload && Object.keys(outer).length > 0 ? outer : undefined,
      "x-echo":
        payload && ECHOES.has(payload["type"]) && line["type"] === "event_msg" ? true : undefined,
    },
  };
}

function losslessEvent(line: NativeObject, payload: NativeObject | undefined): LineEntry {
  const { timestamp, type, payload: recorded, ...outer } = line;
  const inner = asText(payload?.["type"]) ?? type;
  const entry = { type: "system-event", "event-type": eventType(inner) ?? "unknown", timestamp };
  const marks = { "x-native-type": nativeType(line, payload) };
  if (!payload) {
    const data = recorded === undefined ? outer : { ...outer, payload: recorded };
    return { entry: { ...entry, data }, rest: marks };
  }
  const usage = inner === "token_count" ? lastUsage(payload) : undefined;
  const { type: _, ...data } = payload;
  const hasMore = Object.keys(outer).length > 0;
  return {
    entry: { ...entry, data, "token-usage": usage },
    rest: { ...marks, "x-line": hasMore ? outer : undefined },
  };
}

/** Usage of the last request; the running total is in the data. */
function lastUsage(payload: NativeObject): NativeObject | undefined {
  const last = asObject(asObject(payload["info"])?.["last_token_usage"]);
  return (
    last && {
      input: last["input_tokens"],
      cached: last["cached_input_tokens"],
      output: last["output_tokens"],
      reasoning: last["reasoning_output_tokens"],
      total: last["total_tokens"],
    }
  );
}

export function lineOf(entry: NativeObject): NativeObject {
  const name = asText(entry["x-native-type"]);
  const { timestamp } = entry;
  const slash = name?.indexOf("/") ?? -1;
  const recorded = entry["type"] === "system-event" ? asObject(entry["data"]) : payloadOf(entry);
  if (slash === -1) return { ...recorded, type: name, timestamp };
  const inner = name?.slice(slash + 1);
  return {
    ...asObject(entry["x-line"]),
    timestamp,
    type: name?.slice(0, slash),
    payload: { ...recorded, type: inner === "" ? undefined : inner },
  };
}

function payloadOf(entry: NativeObject): NativeObject {
  const { type: _type, timestamp: _time, children: _children, id, status, ...members } = entry;
  const { content, name, input, output, encrypted, "call-id": callId, ...others } = members;
  const own = Object.entries(others).filter(([key]) => !key.startsWith("x-"));
  const rest = { ...Object.fromEntries(own), id, status };
  const kind = asText(entry["x-native-type"])?.split("/").at(-1) ?? "";
  switch (kind) {
    case "reasoning":
      return {
        summary: [{ type: "summary_text", text: content }],
        encrypted_content: encrypted,
        ...rest,
      };
    case "function_call":
      return { name, arguments: input, call_id: callId, ...rest };
    case "custom_tool_call":
      return { name, input, call_id: callId, ...rest };
    case "web_search_call":
      return { action: input, ...rest };
    case "function_call_output":
    case "custom_tool_call_output":
      return { output, call_id: callId, ...rest };
    case "agent_reasoning":
      return { text: content, ...rest };
    case "user_message":
    case "agent_message":
      return { message: content, ...rest };
    default:
      return { content, ...rest };
  }
}
