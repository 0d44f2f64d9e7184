import type { InjectionKind } from "../../../core/session/message.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import type { Depth } from "../../source.ts";
import { notice } from "./message.ts";
import { injectionKindOf, readNotification } from "./user-text.ts";
import type { ContextNode, NodeBase } from "../content.ts";

/** Attachment types that have an injection kind. */
const KINDS: ReadonlyMap<string, InjectionKind> = new Map<string, InjectionKind>([
  ["environment", "environment"],
  ["model", "environment"],
  ["date", "environment"],
  ["session_context", "session-context"],
  ["instructions", "instructions"],
  ["nested_memory", "instructions"],
  ["hook_success", "hook-context"],
  ["hook_additional_context", "hook-context"],
  ["hook_blocking_error", "hook-context"],
  ["plan_mode", "plan-mode"],
  ["plan_mode_exit", "plan-mode"],
  ["plan_mode_reentry", "plan-mode"],
  ["skill_listing", "environment"],
  ["agent_listing_delta", "environment"],
  ["deferred_tools_delta", "environment"],
  ["deferred_tools_record", "environment"],
  ["auto_mode", "environment"],
  ["command_permissions", "environment"],
  ["remote_session_change", "environment"],
  ["selected_lines_in_ide", "editor-context"],
  ["opened_file_in_ide", "editor-context"],
  ["diagnostics", "editor-context"],
  ["task_notification", "task-notification"],
]);
/** Internal notes: they repeat the request and are not part of it. */
const SILENT: ReadonlySet<string> = new Set(["prompt_snapshot"]);

/** `{"type": "attachment", "attachment": {"type": "date", …}, "rendered": [{"content": "…"}]}` */
export function readContext(record: Json, base: NodeBase, depth: Depth): ContextNode {
  const node: ContextNode = { kind: "context", ...base };
  const attachment = asObject(record["attachment"]) ?? {};
  const type = asName(attachment["type"]) ?? "";
  if (depth === "usage" || SILENT.has(type)) return node;
  if (type === "max_turns_reached") {
    node.notice = notice("The limit of turns was reached.", { level: "warning" });
    return node;
  }
  if (type === "queued_command") {
    const words = queuedText(attachment);
    const isPrompt = (asText(attachment["commandMode"]) ?? "prompt") === "prompt";
    if (isPrompt && words !== undefined) return { ...node, queued: words };
    if (words !== undefined && injectionKindOf(words) === "task-notification")
      node.notification = readNotification(words);
  }
  const text = renderedText(record) ?? attachedText(attachment);
  const path = type === "file" ? asName(attachment["filename"]) : undefined;
  if (path !== undefined) {
    node.reference = {
      path,
      content: depth === "full" ? (fileText(attachment) ?? text ?? "") : "",
    };
  } else if (text !== undefined) {
    const kind = KINDS.get(type) ?? "reminder";
    node.injection = { kind, text: depth === "full" ? text : "" };
  }
  return node;
}

/** What waited while Claude Code was busy: a typed prompt, or the end of a background task. */
function queuedText(attachment: Json): string | undefined {
  const prompt = attachment["prompt"];
  if (typeof prompt === "string") return prompt;
  const texts = (asList(prompt) ?? []).flatMap((block) => asText(asObject(block)?.["text"]) ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** The text as sent to the model (2.1.325). */
function renderedText(record: Json): string | undefined {
  const parts = (asList(record["rendered"]) ?? []).flatMap((item) => {
    const content = asObject(item)?.["content"];
    return typeof content === "string" ? [content] : blockTexts(content);
  });
  return parts.length === 0 ? undefined : parts.join("\n");
}

function blockTexts(content: unknown): string[] {
  return (asList(content) ?? []).flatMap((block) => asText(asObject(block)?.["text"]) ?? []);
}

const TEXT_KEYS = ["content", "text", "stdout", "message", "planContent"] as const;

function attachedText(attachment: Json): string | undefined {
  for (const key of TEXT_KEYS) {
    const value = attachment[key];
    if (typeof value === "string" && value !== "") return value;
    const lines = (asList(value) ?? []).flatMap((line) => asText(line) ?? []);
    if (lines.length > 0) return lines.join("\n");
  }
  return undefined;
}

/** `{"type": "file", "filename": "/a", "content": {"type": "text", "file": {"content": "…"}}}` */
function fileText(attachment: Json): string | undefined {
  return asText(asObject(asObject(attachment["content"])?.["file"])?.["content"]);
}
