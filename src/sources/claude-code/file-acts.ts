import { optional } from "../../core/optional.ts";
import type { Authorship, EditedPart } from "../../core/session/file-edit.ts";
import type { Json } from "../decoding/fields.ts";
import { asList, asName, asObject, asText, objectsIn } from "../decoding/fields.ts";
import { actOfArguments } from "../decoding/file-edits.ts";
import type { ActReader, FileAct, NativeObject, CallActs } from "../native.ts";
import { toolTable } from "./tools.ts";

interface Call {
  name: string;
  input: Json;
  model?: string;
}

/**
 * Reads what calls did to files. The result of a change holds the whole text from before it:
 *
 *     {"toolUseResult": {"filePath": "/a.c", "oldString": "x", "newString": "y",
 *      "originalFile": "x\n", "userModified": false, "replaceAll": false, …}, …}
 */
export function actReader(): ActReader {
  const calls = new Map<string, Call>();
  return (line) => {
    const message = asObject(line["message"]);
    const blocks = objectsIn(message?.["content"]);
    for (const block of blocks) {
      if (block["type"] === "tool_use") remember(calls, block, asName(message?.["model"]));
    }
    return blocks.flatMap((block) => {
      return block["type"] === "tool_result" ? actsOf(calls, block, line) : [];
    });
  };
}

function remember(calls: Map<string, Call>, block: Json, model: string | undefined): void {
  const id = asName(block["id"]);
  const name = asName(block["name"]);
  if (id === undefined || name === undefined) return;
  const input = asObject(block["input"]) ?? {};
  calls.set(id, { name, input, ...(model === undefined ? {} : { model }) });
}

function actsOf(calls: ReadonlyMap<string, Call>, block: Json, line: NativeObject): CallActs[] {
  const callId = asName(block["tool_use_id"]) ?? "";
  const call = calls.get(callId);
  if (!call) return [];
  // A failed command may still have changed files.
  const isShell = toolTable.find(call.name)?.category === "Execute";
  if (isShell) return [{ callId, acts: [{ kind: "shell" }] }];
  if (block["is_error"] === true) return [];
  const acts = fileActs(call, asObject(line["toolUseResult"]) ?? {});
  if (acts.length === 0) return [];
  return [{ callId, acts, ...(call.model === undefined ? {} : { model: call.model }) }];
}

function fileActs({ name, input }: Call, made: Json): FileAct[] {
  const label = toolTable.find(name)?.label;
  const path = asName(made["filePath"]) ?? asName(input["file_path"]);
  if (label === "Read") return readOf(asObject(made["file"]));
  if (path === undefined) return [];
  const hand: Authorship = made["userModified"] === true ? "mixed" : "ai";
  if (label === "Write") return writeOf(path, { input, made, hand });
  return label === "Edit" ? editsOf(path, { input, made, hand }) : [];
}

/** Only a read of the whole file gives the position of its lines. */
function readOf(file: Json | undefined): FileAct[] {
  const path = asName(file?.["filePath"]);
  const text = asText(file?.["content"]);
  const isWhole = file?.["startLine"] === 1 && file["numLines"] === file["totalLines"];
  return path === undefined || text === undefined || !isWhole ? [] : [{ kind: "read", path, text }];
}

interface Change {
  input: Json;
  made: Json;
  hand: Authorship;
}

function writeOf(path: string, { input, made, hand }: Change): FileAct[] {
  const after = asText(made["content"]) ?? asText(input["content"]);
  if (after === undefined) return [actOfArguments(path, input, hand)];
  const before = made["type"] === "create" ? "" : asText(made["originalFile"]);
  const parts: EditedPart[] = [{ extent: "whole", ...optional("before", before), after }];
  return [{ kind: "edit", path, parts, hand }];
}

/** `MultiEdit` (1.0) names its fields differently: `"originalFileContents": "x", "edits": [{…}]` */
function editsOf(path: string, { input, made, hand }: Change): FileAct[] {
  const before = asText(made["originalFile"] ?? made["originalFileContents"]);
  const seen: FileAct[] = before === undefined ? [] : [{ kind: "read", path, text: before }];
  return [...seen, actOfArguments(path, { ...input, ...changed(made) }, hand)];
}

/** Takes the edit from the result: the user may have changed the proposed one. */
function changed(made: Json): Json {
  const { edits } = made;
  if (asList(edits)) return { edits };
  const old = asText(made["oldString"]);
  const fresh = asText(made["newString"]);
  return old === undefined || fresh === undefined ? {} : { old_string: old, new_string: fresh };
}
