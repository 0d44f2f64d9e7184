import type { Attachment } from "../../core/session/attachment.ts";
import type { ToolResult, Thought } from "../../core/session/message.ts";
import type { Json } from "./fields.ts";
import { asList, asName, asObject, asText, isTooDeep } from "./fields.ts";

/**
 * The content of a message in any of its recorded forms:
 *
 *     "text"    {"text": "…"}    ["text", {"text": "…"}, {"functionCall": {…}}]
 */
export interface Content {
  /** Text parts in order, without thoughts. */
  texts: string[];
  thoughts: string[];
  calls: { id?: string; name: string; args: unknown }[];
  results: ToolResult[];
  attachments: Attachment[];
}

export function readContent(recorded: unknown): Content {
  const content: Content = { texts: [], thoughts: [], calls: [], results: [], attachments: [] };
  const parts = asList(recorded) ?? [recorded];
  for (const part of parts) {
    if (typeof part === "string") content.texts.push(part);
    else readPart(asObject(part), content);
  }
  return content;
}

function readPart(part: Json | undefined, content: Content): void {
  if (!part) return;
  const { text } = part;
  if (typeof text === "string")
    (part["thought"] === true ? content.thoughts : content.texts).push(text);
  const call = asObject(part["functionCall"]);
  if (call) {
    const id = asName(call["id"]);
    const name = asName(call["name"]) ?? "unknown";
    const args = call["args"] ?? {};
    content.calls.push(id === undefined ? { name, args } : { id, name, args });
  }
  const response = asObject(part["functionResponse"]);
  if (response) content.results.push(readFunctionResponse(response));
  const attachment = readAttachment(part);
  if (attachment) content.attachments.push(attachment);
}

function readAttachment(part: Json): Attachment | undefined {
  const inline = asObject(part["inlineData"]);
  if (inline) {
    const encoded = asText(inline["data"]);
    return {
      mediaType: asName(inline["mimeType"]) ?? "application/octet-stream",
      ...(encoded === undefined
        ? {}
        : { sizeBytes: Math.floor((encoded.length * 3) / 4), data: encoded }),
    };
  }
  const file = asObject(part["fileData"]);
  if (!file) return undefined;
  const uri = asName(file["fileUri"]);
  return {
    mediaType: asName(file["mimeType"]) ?? "application/octet-stream",
    ...(uri === undefined ? {} : { uri }),
  };
}

const CANCELLED = "[Operation Cancelled]";

/** `{"id": "…", "name": "…", "response": {"output": "…"} or {"error": "…"}}` */
function readFunctionResponse(recorded: Json): ToolResult {
  const result: ToolResult = readResponse(recorded["response"]);
  const callId = asName(recorded["id"]);
  const name = asName(recorded["name"]);
  if (callId !== undefined) result.callId = callId;
  if (name !== undefined) result.name = name;
  return result;
}

function readResponse(recorded: unknown): Pick<ToolResult, "output" | "outcome"> {
  const response = asObject(recorded);
  if (!response) return { output: asText(recorded) ?? "", outcome: "success" };
  // Older documents put errors into a `content` object.
  const error = response["error"] ?? asObject(response["content"])?.["error"];
  if (error !== undefined && error !== null && error !== false) {
    const output = textOf(error);
    return { output, outcome: output.startsWith(CANCELLED) ? "cancelled" : "error" };
  }
  const output = response["output"] ?? response["content"] ?? response["result"];
  if (output !== undefined) return { output: textOf(output), outcome: "success" };
  const isEmpty = Object.keys(response).length === 0;
  return { output: isEmpty ? "" : textOf(response), outcome: "success" };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const message = asText(asObject(value)?.["message"]);
  if (message !== undefined) return message;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Nested too deeply to be serialised.
    return "";
  }
}

/** Joins parts into one text, with line breaks between parts that have none. */
export function joinTexts(texts: readonly string[]): string {
  let joined = "";
  for (const text of texts) {
    const needsBreak = joined !== "" && !joined.endsWith("\n") && !text.startsWith("\n");
    joined += needsBreak ? `\n${text}` : text;
  }
  return joined;
}

/** Splits a thought recorded as one text: `**Subject** Description`. */
export function splitThought(text: string): Thought {
  const match = /^\*\*([^*]+)\*\*\s*([\s\S]*)$/.exec(text.trim());
  if (!match) return { subject: "", description: text };
  return { subject: match[1] ?? "", description: match[2] ?? "" };
}

/** Arguments are objects; some tools record them as JSON text. */
export function readArgs(recorded: unknown): unknown {
  if (isTooDeep(recorded)) return { note: "nested too deeply to be shown" };
  if (typeof recorded === "string" && recorded.trimStart().startsWith("{")) {
    try {
      return asObject(JSON.parse(recorded)) ?? recorded;
    } catch {
      // Not JSON after all: keep the text.
      return recorded;
    }
  }
  return recorded ?? {};
}
