import type { Json } from "../decoding/fields.ts";
import { asName, asObject, asText, objectsIn } from "../decoding/fields.ts";
import { actOfArguments } from "../decoding/file-edits.ts";
import type { ActReader, FileAct, NativeObject, CallActs } from "../native.ts";
import { toolTable } from "./tools.ts";

interface Call {
  name: string;
  args: Json;
  model?: string;
}

/**
 * Reads what calls did to files. The result of a change holds both whole texts:
 *
 *     {"type": "tool_result", "toolCallResult": {"callId": "c1", "status": "success",
 *      "resultDisplay": {"originalContent": "x\n", "newContent": "y\n", …}}, …}
 */
export function actReader(): ActReader {
  const calls = new Map<string, Call>();
  return (line) => {
    for (const part of partsOf(line)) remember(calls, asObject(part["functionCall"]), line);
    return partsOf(line).flatMap((part) => {
      const response = asObject(part["functionResponse"]);
      return response ? actsOf(calls, response, line) : [];
    });
  };
}

function partsOf(line: NativeObject): Json[] {
  return objectsIn(asObject(line["message"])?.["parts"]);
}

function remember(calls: Map<string, Call>, call: Json | undefined, line: NativeObject): void {
  const id = asName(call?.["id"]);
  const name = asName(call?.["name"]);
  if (id === undefined || name === undefined) return;
  const model = asName(line["model"]);
  const args = asObject(call?.["args"]) ?? {};
  calls.set(id, { name, args, ...(model === undefined ? {} : { model }) });
}

function actsOf(calls: ReadonlyMap<string, Call>, response: Json, line: NativeObject): CallActs[] {
  const callId = asName(response["id"]) ?? "";
  const call = calls.get(callId);
  const result = asObject(line["toolCallResult"]);
  const answer = asObject(response["response"]);
  const isDone = (result?.["status"] ?? "success") === "success" && answer?.["error"] === undefined;
  if (!call) return [];
  // A failed command may still have changed files.
  const isShell = toolTable.find(call.name)?.category === "Execute";
  if (isShell) return [{ callId, acts: [{ kind: "shell" }] }];
  if (!isDone) return [];
  const act = fileAct(call, {
    shown: asObject(result?.["resultDisplay"]),
    output: asText(answer?.["output"]),
  });
  return act
    ? [{ callId, acts: [act], ...(call.model === undefined ? {} : { model: call.model }) }]
    : [];
}

const PART_KEYS = ["offset", "limit"];
const NOT_ALL = /^(?:Showing lines|\s*IMPORTANT: The file content has been truncated)/;

function fileAct(
  { name, args }: Call,
  { shown, output }: { shown: Json | undefined; output: string | undefined },
): FileAct | undefined {
  const label = toolTable.find(name)?.label;
  const path = asName(args["file_path"]) ?? asName(args["absolute_path"]);
  if (path === undefined) return undefined;
  if (name === "read_file") {
    const isPart = PART_KEYS.some((key) => args[key] !== undefined && args[key] !== null);
    const isWhole = output !== undefined && !isPart && !NOT_ALL.test(output);
    return isWhole ? { kind: "read", path, text: output } : undefined;
  }
  if (label !== "Write" && label !== "Edit") return undefined;
  return exchangeOf(path, args, shown) ?? actOfArguments(path, args, "ai");
}

/**
 * Returns undefined for texts of over a hundred thousand characters, which are recorded shortened.
 */
function exchangeOf(path: string, args: Json, shown: Json | undefined): FileAct | undefined {
  const after = asText(shown?.["newContent"]);
  const before = asText(shown?.["originalContent"] ?? "");
  if (after === undefined || before === undefined || shown?.["truncatedForSession"] === true) {
    return undefined;
  }
  const hand = args["modified_by_user"] === true ? "mixed" : "ai";
  return { kind: "edit", path, parts: [{ extent: "whole", before, after }], hand };
}
