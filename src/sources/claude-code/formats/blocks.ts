import type { Attachment } from "../../../core/session/attachment.ts";
import type { Thought } from "../../../core/session/message.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText, isTooDeep } from "../../decoding/fields.ts";
import { callEffects } from "../tool-effects.ts";
import { describeTool } from "../tools.ts";

/** The blocks of a message by kind, each in order. */
export interface Blocks {
  texts: string[];
  thoughts: Thought[];
  toolCalls: ToolCall[];
  /** Raw `tool_result` blocks, and those of tools that the API ran. */
  results: Json[];
  attachments: Attachment[];
  form: "text" | "parts";
}

export interface BlockContext {
  at: string | undefined;
  /** Prefix of the id of calls without one. */
  fallbackId: string;
}

/** Content is a text or a list of blocks; anything else is ignored. */
export function readBlocks(content: unknown, context: BlockContext): Blocks {
  const blocks: Blocks = {
    texts: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
    form: "parts",
  };
  const text = asText(content);
  if (text !== undefined) return { ...blocks, texts: [text], form: "text" };
  for (const item of asList(content) ?? []) {
    const block = asObject(item);
    if (block) readBlock(block, blocks, context);
    else if (typeof item === "string") blocks.texts.push(item);
  }
  return blocks;
}

function readBlock(block: Json, blocks: Blocks, context: BlockContext): void {
  const type = asText(block["type"]) ?? "";
  if (type === "text") {
    const text = asText(block["text"]);
    if (text !== undefined) blocks.texts.push(text);
  } else if (type === "thinking") {
    blocks.thoughts.push(readThought(asText(block["thinking"]) ?? "", context));
  } else if (type === "redacted_thinking") {
    blocks.thoughts.push({ ...readThought("", context), isEncrypted: true });
  } else if (type === "tool_result") {
    blocks.results.push(block);
    for (const item of asList(block["content"]) ?? []) {
      const inner = asObject(item);
      if (inner?.["type"] === "image") blocks.attachments.push(readAttachment(inner));
    }
  } else if (type.endsWith("_tool_result")) blocks.results.push(readServerResult(block));
  else if (type.endsWith("tool_use")) blocks.toolCalls.push(readCall(block, blocks, context));
  else if (type === "image" || type === "document") blocks.attachments.push(readAttachment(block));
}

/**
 * The result of a tool that the API ran itself; it is a block of the answer:
 *
 *     {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"title":"A",…}]}
 *     {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1",
 *      "content":{"type":"web_search_tool_result_error","error_code":"unavailable"}}
 */
function readServerResult(block: Json): Json {
  const content = asObject(block["content"]);
  if (!content) return block;
  const isError = asText(content["type"])?.endsWith("_error") ?? false;
  return { ...block, content: [content], is_error: isError || block["is_error"] === true };
}

/** An empty thought was withheld; only its signature is recorded. */
function readThought(text: string, { at }: BlockContext): Thought {
  const thought: Thought = { subject: "", description: text };
  if (at !== undefined) thought.at = at;
  if (text === "") thought.isEncrypted = true;
  return thought;
}

/** `{"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "/a"}}` */
function readCall(block: Json, blocks: Blocks, { at, fallbackId }: BlockContext): ToolCall {
  const name = asName(block["name"]) ?? "unknown";
  const args = isTooDeep(block["input"]) ? {} : (block["input"] ?? {});
  const call: ToolCall = {
    id: asName(block["id"]) ?? `${fallbackId}:call-${blocks.toolCalls.length + 1}`,
    name,
    ...describeTool(name),
    args,
  };
  Object.assign(call, callEffects(call));
  const description = asName(asObject(args)?.["description"]);
  if (description !== undefined) call.description = description;
  if (at !== undefined) call.askedAt = at;
  return call;
}

/** `{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "…"}}` */
function readAttachment(block: Json): Attachment {
  const source = asObject(block["source"]) ?? {};
  const mediaType = asName(source["media_type"]) ?? "application/octet-stream";
  const data = asName(source["data"]);
  const uri = asName(source["url"]);
  return {
    mediaType,
    ...(data === undefined ? {} : { sizeBytes: decodedSize(data), data }),
    ...(uri === undefined ? {} : { uri }),
  };
}

function decodedSize(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : Number(base64.endsWith("="));
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/**
 * Returns the text of a tool result: a string, or a list of blocks, of which the texts are joined.
 */
export function resultText(content: unknown): string {
  const text = asText(content);
  if (text !== undefined) return text;
  return (asList(content) ?? [])
    .flatMap((item) => {
      const block = asObject(item);
      const keys = ["text", "tool_name", "title", "error_code"];
      return keys.map((key) => asText(block?.[key])).find((value) => value !== undefined) ?? [];
    })
    .join("\n");
}
