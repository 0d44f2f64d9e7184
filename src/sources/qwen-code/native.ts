import { asList, asObject } from "../decoding/fields.ts";
import { nativeLines, recoverRecords, renamed, vendorOfModel } from "../decoding/native-lines.ts";
import type { LineEntry, LineFacts, LineForm, NativeObject } from "../native.ts";
import { actReader } from "./file-acts.ts";
import { GRAMMAR } from "./formats/records.ts";
import { RECORDS } from "./read.ts";

/**
 * A line of 0.4 and later:
 *
 *     {"uuid": "a1", "parentUuid": "u1", "sessionId": "S", "timestamp": "T", "type": "assistant",
 *      "model": "M", "message": {"role": "model", "parts": [{"functionCall": {…}}]},
 *      "usageMetadata": {"promptTokenCount": 1, …}, …}
 *
 * The draft does not cover Qwen Code: the mapping follows those of other agents.
 */
export const native: LineForm = {
  kind: "lines",
  cliName: "qwen-code",
  vendor: "alibaba",
  isInDraft: false,
  vendorOf: vendorOfModel,
  shapeOf: (format) => (format === RECORDS ? "lines" : undefined),
  isWrapped: () => false,
  lines: nativeLines,
  recover: (line) => recoverRecords(line, GRAMMAR),
  factsOf,
  entryOf,
  lineOf,
  actReader,
  unseeded: new Set(),
};

function factsOf(line: NativeObject): LineFacts {
  return {
    sessionId: line["sessionId"],
    at: line["timestamp"],
    workingDir: line["cwd"],
    cliVersion: line["version"],
    branch: line["gitBranch"],
    model: line["type"] === "assistant" ? line["model"] : undefined,
  };
}

const ROLES: ReadonlyMap<unknown, string> = new Map([
  ["user", "user"],
  ["model", "assistant"],
]);

const COUNTS: ReadonlyMap<string, string> = new Map([
  ["promptTokenCount", "input"],
  ["candidatesTokenCount", "output"],
  ["cachedContentTokenCount", "cached"],
  ["thoughtsTokenCount", "reasoning"],
  ["totalTokenCount", "total"],
]);

function entryOf(line: NativeObject): LineEntry {
  const { type, uuid, parentUuid, timestamp, ...outer } = line;
  const shared = { id: uuid, "parent-id": parentUuid, timestamp };
  const recorded = asObject(line["message"]);
  const speaker = ROLES.get(recorded?.["role"]);
  if (!recorded || speaker === undefined) {
    const name = line["subtype"] ?? type;
    return {
      entry: { ...shared, type: "system-event", "event-type": name, data: outer },
      rest: {},
    };
  }
  const { message: _message, model, usageMetadata, ...others } = outer;
  const { role: _role, parts, ...within } = recorded;
  const usage = asObject(usageMetadata);
  const children = (asList(parts) ?? []).flatMap((part) => childOf(asObject(part) ?? {}));
  const entry = {
    ...shared,
    type: speaker,
    content: parts,
    "model-id": model,
    "token-usage": usage && renamed(usage, COUNTS),
    children: children.length > 0 ? children : undefined,
  };
  const message = Object.keys(within).length > 0 ? within : undefined;
  return { entry, rest: { ...others, message, "x-native-type": type } };
}

function childOf(part: NativeObject): NativeObject[] {
  const call = asObject(part["functionCall"]);
  if (call) {
    return [{ type: "tool-call", name: call["name"], input: call["args"], "call-id": call["id"] }];
  }
  const result = asObject(part["functionResponse"]);
  if (result) {
    return [{ type: "tool-result", output: result["response"], "call-id": result["id"] }];
  }
  return part["thought"] === true ? [{ type: "reasoning", content: part["text"] }] : [];
}

function lineOf(entry: NativeObject): NativeObject {
  const { type, id, timestamp, "parent-id": parentUuid, children: _, ...members } = entry;
  const shared = { uuid: id, parentUuid, timestamp };
  if (type === "system-event") {
    const data = asObject(entry["data"]);
    const isSystem = data?.["subtype"] !== undefined;
    return { ...data, ...shared, type: isSystem ? "system" : entry["event-type"] };
  }
  const { content, "model-id": model, "token-usage": usage, message, ...others } = members;
  const own = Object.entries(others).filter(([key]) => !key.startsWith("x-"));
  const counts = asObject(usage);
  const back = new Map([...COUNTS].map(([from, to]) => [to, from]));
  const role = type === "assistant" ? "model" : "user";
  return {
    ...Object.fromEntries(own),
    ...shared,
    type: entry["x-native-type"],
    model,
    message: { ...asObject(message), role, parts: content },
    usageMetadata: counts && renamed(counts, back),
  };
}
