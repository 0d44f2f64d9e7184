import { optional } from "../../../core/optional.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import { parseJsonText } from "../../decoding/parse.ts";
import { outcomeOf } from "../outcome.ts";
import type { RecordMeaning, Output, HistoryMessage, Text } from "../content.ts";
import type { CallContext } from "./call.ts";
import { readCall } from "./call.ts";
import { isWrapper, readContent, textOf } from "./text.ts";

const CALLS = new Set([
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "web_search_call",
  "image_generation_call",
  "tool_search_call",
]);

/** Items that are not shown: tool lists, settings, encrypted summaries. */
const SILENT = new Set([
  "additional_tools",
  "configuration_update",
  "compaction",
  "compaction_summary",
  "compaction_trigger",
  "context_compaction",
  "ghost_snapshot",
  "other",
]);

/** Reads an item of the model's history; the form is the same in every generation. */
export function readItem(item: Json, context: CallContext): RecordMeaning | undefined {
  const type = asText(item["type"]) ?? (asText(item["role"]) === undefined ? "" : "message");
  if (type === "message") return readSaid(item);
  if (type === "agent_message") return readSaid({ ...item, role: "agent" });
  if (type === "reasoning") return readReasoning(item);
  if (CALLS.has(type)) return { kind: "call", call: readCall(item, context) };
  if (type.endsWith("_output")) return { kind: "output", ...readOutput(item) };
  return SILENT.has(type) ? undefined : { kind: "unknown", what: type };
}

const ROLES: ReadonlyMap<string, HistoryMessage["role"]> = new Map([
  ["user", "user"],
  ["assistant", "assistant"],
  ["developer", "developer"],
  ["system", "developer"],
  ["agent", "agent"],
]);

export function readSaid(item: Json): HistoryMessage {
  const labels = asObject(item["internal_chat_message_metadata_passthrough"]);
  const { parts, attachments } = readContent(item["content"], labels?.["content_item_kinds"]);
  const role = ROLES.get(asText(item["role"]) ?? "") ?? "developer";
  const words = parts.filter((part) => !isWrapper(part)).map(({ text }) => text);
  const { print } = textOf(words.join(""));
  return { kind: "said", role, ...optional("id", asName(item["id"])), parts, print, attachments };
}

/** `{"message": "…", "replacement_history": [{"type": "message", "role": "user", …}]}` */
export function compactionOf(payload: Json): RecordMeaning {
  const list = payload["replacement_history"];
  const messages = Array.isArray(list)
    ? list.flatMap((element: unknown) => {
        const item = asObject(element);
        return item?.["type"] === "message" ? [readSaid(item)] : [];
      })
    : undefined;
  const summary = textOf(asText(payload["message"]) ?? "");
  return { kind: "compacted", summary, ...optional("history", messages) };
}

/**
 * `{"summary": [{"type": "summary_text", "text": "**Planning**\n\n…"}], "content": null,
 *   "encrypted_content": "gAAAA…"}`; open models leave their reasoning itself in `content`.
 */
function readReasoning(item: Json): RecordMeaning {
  const summary = textsOf(item["summary"]);
  const texts = summary.length > 0 ? summary : textsOf(item["content"]);
  const isEncrypted = texts.length === 0 && asName(item["encrypted_content"]) !== undefined;
  return { kind: "reasoning", texts, isEncrypted };
}

function textsOf(list: unknown): Text[] {
  return (asList(list) ?? []).flatMap((part) => {
    const text = asName(asObject(part)?.["text"]) ?? asName(part);
    return text === undefined ? [] : [textOf(text)];
  });
}

/** The output is a text, a list of parts, or (0.8) an object with its own `isError`. */
function readOutput(item: Json): Output {
  const recorded = item["output"];
  const whole = asObject(recorded);
  const { parts, attachments } = readContent(
    asText(whole?.["content"]) ?? whole?.["content"] ?? recorded,
  );
  const text = parts.map((part) => part.text).join("");
  const outcome = whole?.["success"] === false ? "error" : outcomeOf(text);
  return {
    callId: asName(item["call_id"]) ?? "",
    text,
    outcome,
    attachments,
    ...optional("agentId", agentOf(text)),
  };
}

/** `{"agent_id":"01a1…","nickname":"Planck"}` */
function agentOf(text: string): string | undefined {
  if (!text.startsWith('{"agent_id"') || text.length > 2000) return undefined;
  const parsed = parseJsonText(text);
  return asName(asObject(parsed.isJson ? parsed.value : undefined)?.["agent_id"]);
}
