import type { MessageForm, NativeLayout, NativeNames, NativeObject } from "../native.ts";
import { fileActOf } from "./file-acts.ts";
import { asList, asName, asObject } from "../decoding/fields.ts";
import { nativeLines, recoverRecords, vendorOfModel } from "../decoding/native-lines.ts";
import { GRAMMAR } from "./formats/append-jsonl.ts";
import { readMessage } from "./formats/message.ts";
import { readToolCall } from "./formats/tool-call-record.ts";

/**
 * Field names in documents and in the lines of newer files:
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

const messageForm: MessageForm = {
  kind: "messages",
  cliName: "gemini-cli",
  vendor: "google",
  vendorOf: vendorOfModel,
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
  lines: nativeLines,
  layoutOf,
  idOf: (message, place) =>
    asName(message["id"]) ?? readMessage({ ...message }, place, () => undefined).id,
  recover: (line) => recoverRecords(line, GRAMMAR),
  isCut: (call) => readToolCall({ ...call }, 0).isCut === true,
  fileActOf,
};

/** `{"history": [{"role": "user", "parts": [{"text": "…"}]}]}` */
const history: MessageForm = {
  ...messageForm,
  names: {
    ...names,
    session: { ...names.session, messages: "history" },
    message: { ...names.message, type: "role", content: "parts" },
    types: { user: "user", assistant: "model" },
  },
  shapeOf: (format) => (format === "saved-chat" ? "document" : undefined),
};

export const native: MessageForm = { ...messageForm, others: new Map([["saved-chat", history]]) };

/** Checks kinds of lines in the same order as the reader. */
function layoutOf(value: NativeObject): NativeLayout {
  if (typeof value["$rewindTo"] === "string") return { isMessage: false };
  if (typeof value["id"] === "string") return { isMessage: true };
  const patch = asObject(value["$set"]);
  if (patch) return { isMessage: false, facts: ["$set"], ...listAt(patch, ["$set"]) };
  // A whole document may be on one line, even one without a session id.
  if (asName(value["sessionId"]) !== undefined || asList(value["messages"])) {
    return { isMessage: false, facts: [], ...listAt(value, []) };
  }
  return { isMessage: asName(value["type"]) !== undefined && "content" in value };
}

function listAt(holder: NativeObject, path: readonly string[]): Pick<NativeLayout, "list"> {
  return asList(holder["messages"]) ? { list: [...path, "messages"] } : {};
}
