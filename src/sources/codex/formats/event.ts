import type { Attachment } from "../../../core/session/attachment.ts";
import { optional } from "../../../core/optional.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import type { RecordMeaning, TurnEnd } from "../content.ts";
import { readInner } from "./inner.ts";
import { attachedUrl, readContent, textOf } from "./text.ts";
import { readUsage } from "./usage.ts";
import { editorPromptIn } from "./user-text.ts";

/** The meaning of an event; `"bad-usage"` if its counts are invalid. */
export type ReadEvent = RecordMeaning | "bad-usage" | undefined;

type Reader = (event: Json, cwd: string | undefined) => ReadEvent;

/** Events of all generations; newer ones put the content into an item (`item_completed`). */
const EVENTS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["token_count", readCounter],
  ["task_started", turnStart],
  ["turn_started", turnStart],
  ["task_complete", turnEnd],
  ["turn_complete", turnEnd],
  ["turn_aborted", turnAborted],
  ["user_message", userMessage],
  ["agent_message", (event) => answer(asText(event["message"]))],
  ["agent_reasoning", (event) => thought([asText(event["text"])])],
  ["thread_rolled_back", rollback],
  ["entered_review_mode", () => ({ kind: "review", mode: "entered" })],
  ["exited_review_mode", () => ({ kind: "review", mode: "exited" })],
  ["error", (event) => notice(asText(event["message"]))],
  ["sub_agent_activity", (event) => agentStart(event, event["event_id"])],
  ["patch_apply_end", readInner],
  ["mcp_tool_call_end", readInner],
  ["exec_command_end", readInner],
  ["item_completed", readCompleted],
]);

/** Events that repeat items or concern only Codex itself. */
const SILENT = new RegExp(
  `^(?:${[
    "context_compacted thread_\\w+ web_search_\\w+ agent_reasoning_\\w+",
    "item_started background_event warning stream_error plan_update turn_diff",
    "view_image_tool_call collab_\\w+ hook_\\w+ exec_\\w+ patch_\\w+ mcp_\\w+",
    "guardian_\\w+ image_generation_\\w+ undo_\\w+ session_configured",
    "shutdown_complete raw_response_item token_budget\\w* model_\\w+ realtime_\\w+",
    "skills?_\\w+ world_\\w+ dynamic_tool_\\w+ \\w+_delta",
  ]
    .join(" ")
    .replaceAll(" ", "|")})$`,
);

export function readEvent(event: Json, cwd: string | undefined): ReadEvent {
  const type = asText(event["type"]) ?? "";
  const reader = EVENTS.get(type);
  if (reader) return reader(event, cwd);
  return SILENT.test(type) ? undefined : { kind: "unknown", what: type };
}

/** `info` is null until a response with counts has ended. */
function readCounter({ info }: Json): ReadEvent {
  if (info === undefined || info === null) return { kind: "state" };
  const counts = asObject(info);
  const total = readUsage(counts?.["total_token_usage"]);
  const last = readUsage(counts?.["last_token_usage"]);
  return total && last ? { kind: "counter", total, last } : "bad-usage";
}

function turnStart(event: Json): RecordMeaning {
  return { kind: "turn-start", ...optional("turnId", asName(event["turn_id"])) };
}

function turnEnd(event: Json): RecordMeaning {
  const error = asName(asObject(event["error"])?.["message"]) ?? asName(event["error"]);
  const isAnswered = asText(event["last_agent_message"]) !== undefined;
  const turnId = asName(event["turn_id"]);
  const end: TurnEnd = isAnswered ? "answered" : "silent";
  return { kind: "turn-end", end, ...optional("turnId", turnId), ...optional("error", error) };
}

function turnAborted(event: Json): RecordMeaning {
  const end: TurnEnd = event["reason"] === "replaced" ? "replaced" : "interrupted";
  return { kind: "turn-end", end, ...optional("turnId", asName(event["turn_id"])) };
}

function userMessage(event: Json): RecordMeaning {
  const attachments: Attachment[] = [];
  for (const image of asList(event["images"]) ?? [])
    attachments.push(attachedUrl(asText(image) ?? ""));
  for (const image of asList(event["local_images"]) ?? []) {
    const path = asName(image) ?? asName(asObject(image)?.["path"]);
    if (path !== undefined) attachments.push({ mediaType: "image/*", uri: path });
  }
  return promptOf(asText(event["message"]) ?? "", attachments);
}

function promptOf(text: string, attachments: Attachment[]): RecordMeaning {
  const editor = optional("editor", editorPromptIn(text));
  return { kind: "prompt", text: textOf(text), ...editor, attachments };
}

function answer(text: string | undefined): RecordMeaning | undefined {
  return text === undefined ? undefined : { kind: "answer", text: textOf(text) };
}

function thought(texts: readonly (string | undefined)[]): RecordMeaning {
  return {
    kind: "thought",
    texts: texts.flatMap((text) => (text === undefined || text === "" ? [] : [textOf(text)])),
  };
}

function notice(text: string | undefined): RecordMeaning | undefined {
  return text === undefined ? undefined : { kind: "error", text: textOf(text) };
}

function rollback(event: Json): RecordMeaning {
  const turns = event["num_turns"];
  const isCount = Number.isSafeInteger(turns) && (turns as number) > 0;
  return { kind: "rollback", turns: isCount ? (turns as number) : 0 };
}

function agentStart(activity: Json, callId: unknown): RecordMeaning | undefined {
  const agentId = asName(activity["agent_thread_id"]);
  const call = asName(callId);
  if (agentId === undefined || call === undefined || activity["kind"] !== "started")
    return undefined;
  return { kind: "agent", callId: call, agentId };
}

/** `{"type": "item_completed", "turn_id": "…", "item": {"type": "UserMessage", …}}` (0.147+) */
function readCompleted(event: Json, cwd: string | undefined): ReadEvent {
  const item = asObject(event["item"]) ?? {};
  const type = asText(item["type"]) ?? "";
  switch (type) {
    case "UserMessage": {
      const { parts, attachments } = readContent(item["content"]);
      return promptOf(parts.map(({ text }) => text).join(""), attachments);
    }
    case "AgentMessage":
      return answer(
        readContent(item["content"])
          .parts.map(({ text }) => text)
          .join(""),
      );
    case "Reasoning":
      return thought((asList(item["summary_text"]) ?? []).map(asText));
    case "EnteredReviewMode":
      return { kind: "review", mode: "entered" };
    case "ExitedReviewMode":
      return { kind: "review", mode: "exited" };
    case "SubAgentActivity":
      return agentStart(item, item["id"]);
    default:
      return readInner(event, cwd);
  }
}
