import type { NativeForm, NativeLayout, NativeLine, NativeNames, NativeObject } from "../native.ts";
import { fileActOf } from "./file-acts.ts";
import { asList, asName, asObject } from "../decoding/fields.ts";
import { splitGlued } from "../decoding/glued.ts";
import { linesOf } from "../decoding/lines.ts";
import { GRAMMAR } from "./formats/append-jsonl.ts";
import { readMessage } from "./formats/message.ts";
import { parseJsonText, stripBom } from "../decoding/parse.ts";
import { readToolCall } from "./formats/tool-call-record.ts";

/**
 * What a document and the lines of a newer file are made of:
 *
 *     {"sessionId": "S", "startTime": "T0", "lastUpdated": "T1", "messages": [
 *       {"id": "g1", "timestamp": "T1", "type": "gemini", "content": "", "model": "…",
 *        "thoughts": [{"subject": "…", "description": "…", "timestamp": "…"}],
 *        "tokens": {"input": 1, "output": 2, "cached": 0, "thoughts": 3, "tool": 0, "total": 6},
 *        "toolCalls": [{"id": "c1", "name": "read_file", "args": {}, "result": [],
 *                       "status": "success", "timestamp": "…"}]}]}
 */
const names: NativeNames = {
  session: { id: "sessionId", start: "startTime", end: "lastUpdated", messages: "messages" },
  message: {
    id: "id",
    timestamp: "timestamp",
    type: "type",
    content: "content",
    model: "model",
    tokens: "tokens",
    thoughts: "thoughts",
    calls: "toolCalls",
  },
  types: { user: "user", assistant: "gemini" },
  thought: { content: "description", subject: "subject", timestamp: "timestamp" },
  call: {
    id: "id",
    name: "name",
    input: "args",
    result: "result",
    status: "status",
    timestamp: "timestamp",
  },
  failed: "error",
  counts: new Map([["thoughts", "reasoning"]]),
  otherCounts: new Map([
    ["inputTokens", "input"],
    ["outputTokens", "output"],
  ]),
  shown: new Set(["resultDisplay", "displayName", "description", "renderOutputAsMarkdown"]),
};

/** Beginnings of model names, as the draft's scripts know them. */
const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^claude/, "anthropic"],
  [/^gemini/, "google"],
  [/^(gpt|o3|o4)/, "openai"],
];

export const native: NativeForm = {
  cliName: "gemini-cli",
  vendor: "google",
  vendorOf: (model) => VENDORS.find(([opening]) => opening.test(model))?.[1] ?? "unknown",
  speakers: new Map([
    ["user", "user"],
    ["human", "user"],
    ["gemini", "assistant"],
    ["model", "assistant"],
    ["assistant", "assistant"],
  ]),
  names,
  shapeOf(format) {
    if (format === "append-jsonl") return "lines";
    return format === "single-json" ? "document" : undefined;
  },
  *lines(bytes) {
    for (const { number, start, length, ...line } of linesOf(bytes)) {
      const place = { file: bytes.path, line: number, start, end: start + length };
      yield { ...line, place };
    }
  },
  layoutOf,
  idOf: (message, place) =>
    asName(message["id"]) ?? readMessage({ ...message }, place, () => undefined).id,
  recover,
  isCut: (call) => readToolCall({ ...call }, 0).isCut === true,
  fileActOf,
};

/** Kinds of lines in the order in which the reader tells them apart. */
function layoutOf(value: NativeObject): NativeLayout {
  if (typeof value["$rewindTo"] === "string") return { isMessage: false };
  if (typeof value["id"] === "string") return { isMessage: true };
  const patch = asObject(value["$set"]);
  if (patch) return { isMessage: false, facts: ["$set"], ...listAt(patch, ["$set"]) };
  if (asName(value["sessionId"]) !== undefined) {
    return { isMessage: false, facts: [], ...listAt(value, []) };
  }
  return { isMessage: asName(value["type"]) !== undefined && "content" in value };
}

function listAt(holder: NativeObject, path: readonly string[]): Pick<NativeLayout, "list"> {
  return asList(holder["messages"]) ? { list: [...path, "messages"] } : {};
}

/** The same that the reader salvages, see `append-jsonl.ts`. */
function recover({ bytes, isTerminated }: NativeLine): unknown[] {
  const text = stripBom(bytes.toString("utf8")).replaceAll("\0", "");
  const parsed = parseJsonText(text);
  if (parsed.isJson) return [parsed.value];
  return splitGlued(text, isTerminated ? "ended" : "open", GRAMMAR).values;
}
