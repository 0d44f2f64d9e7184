import { asList, asObject } from "../decoding/fields.ts";
import { nativeLines, recoverRecords, renamed, vendorOfModel } from "../decoding/native-lines.ts";
import type { LineEntry, LineFacts, LineForm, LineMapping, NativeObject } from "../native.ts";
import { actReader } from "./file-acts.ts";
import { GRAMMAR } from "./formats/transcript.ts";

/** The model name of messages that Claude Code writes itself. */
const NO_MODEL = "<synthetic>";

/**
 * A line of a transcript:
 *
 *     {"type": "assistant", "uuid": "u2", "parentUuid": "u1", "timestamp": "T", "sessionId": "S",
 *      "message": {"role": "assistant", "model": "…", "content": [{"type": "tool_use", …}],
 *                  "usage": {"input_tokens": 1, …}}, …}
 */
export const native: LineForm = {
  kind: "lines",
  cliName: "claude-code",
  vendor: "anthropic",
  isInDraft: true,
  vendorOf: vendorOfModel,
  shapeOf: (format) => (format === "transcript" ? "lines" : undefined),
  isWrapped: () => false,
  lines: nativeLines,
  recover: (line) => recoverRecords(line, GRAMMAR),
  factsOf,
  entryOf(line, mapping) {
    const message = asObject(line["message"]);
    const role = message?.["role"];
    if (!message || (role !== "user" && role !== "assistant")) return eventOf(line, mapping);
    return saidOf(line, { ...message, role }, mapping);
  },
  lineOf,
  actReader,
  unseeded: new Set(["token-usage"]),
};

function factsOf(line: NativeObject): LineFacts {
  const model = asObject(line["message"])?.["model"];
  return {
    sessionId: line["sessionId"],
    at: line["timestamp"],
    workingDir: line["cwd"],
    cliVersion: line["version"],
    branch: line["gitBranch"],
    ...(model === NO_MODEL ? {} : { model }),
  };
}

interface RecordedMessage extends NativeObject {
  role: "user" | "assistant";
}

function saidOf(line: NativeObject, recorded: RecordedMessage, mapping: LineMapping): LineEntry {
  const { type, uuid, parentUuid, timestamp, message: _, ...outer } = line;
  const { role, content, model, usage, ...within } = recorded;
  const children = childrenOf(content, mapping);
  const entry = {
    type: role,
    id: uuid,
    "parent-id": parentUuid,
    timestamp,
    content,
    "model-id": model,
    "token-usage": asObject(usage) && usageOf(usage as NativeObject),
    children: children.length > 0 ? children : undefined,
  };
  if (mapping === "reference") return { entry, rest: { ...kept(outer), ...answerOf(within) } };
  const isOdd = type !== role;
  const others = Object.keys(within).length > 0 ? { message: within } : {};
  return { entry, rest: { ...outer, ...others, ...(isOdd ? { "x-native-type": type } : {}) } };
}

/** Removes the fields that the draft's scripts drop from a line. */
function kept(line: NativeObject): NativeObject {
  const { cwd: _cwd, sessionId: _id, version: _version, gitBranch: _branch, ...rest } = line;
  return rest;
}

function answerOf(message: NativeObject): NativeObject {
  const { id: _id, type: _type, ...rest } = message;
  return rest;
}

/** Maps lines that are no messages: internal state, and unknown types. */
function eventOf(line: NativeObject, mapping: LineMapping): LineEntry {
  const { type, uuid, parentUuid, timestamp, ...data } = line;
  const entry = {
    type: "system-event",
    "event-type": type,
    id: uuid,
    "parent-id": parentUuid,
    timestamp,
  };
  return { entry: mapping === "reference" ? entry : { ...entry, data }, rest: {} };
}

const COUNTS: readonly (readonly [string, string])[] = [
  ["input_tokens", "input"],
  ["output_tokens", "output"],
  ["cache_read_input_tokens", "cached"],
];

function usageOf(usage: NativeObject): NativeObject {
  return renamed(usage, new Map(COUNTS));
}

function childrenOf(content: unknown, mapping: LineMapping): NativeObject[] {
  return (asList(content) ?? []).flatMap((item) => {
    const block = asObject(item);
    return block ? childOf(block, mapping) : [];
  });
}

function childOf(block: NativeObject, mapping: LineMapping): NativeObject[] {
  const { type } = block;
  if (type === "tool_use") {
    const { name, input, id } = block;
    return [{ type: "tool-call", name, input, "call-id": id }];
  }
  if (type === "thinking") {
    return [{ type: "reasoning", content: block["thinking"] }];
  }
  if (type !== "tool_result") return [];
  const isError = block["is_error"] === true;
  const result = {
    type: "tool-result",
    "call-id": block["tool_use_id"],
    output: block["content"],
    status: isError ? "error" : "success",
  };
  return [isError && mapping === "lossless" ? { ...result, "is-error": true } : result];
}

function lineOf(entry: NativeObject): NativeObject {
  const { type, id, timestamp, "parent-id": parentUuid } = entry;
  const shared = { uuid: id, parentUuid, timestamp };
  if (type === "system-event") {
    return { ...asObject(entry["data"]), type: entry["event-type"], ...shared };
  }
  const { content, "model-id": model, "token-usage": usage, message, ...others } = entry;
  const counts = asObject(usage);
  const back = new Map(COUNTS.map(([from, to]) => [to, from]));
  return {
    ...withoutMarks(others),
    ...shared,
    type: entry["x-native-type"] ?? type,
    message: {
      ...asObject(message),
      role: type,
      content,
      model,
      usage: counts && renamed(counts, back),
    },
  };
}

/** Removes members that only entries have. */
function withoutMarks(entry: NativeObject): NativeObject {
  const { id: _id, "parent-id": _parent, children: _children, ...rest } = entry;
  const own = Object.entries(rest).filter(([key]) => !key.startsWith("x-"));
  return Object.fromEntries(own);
}
