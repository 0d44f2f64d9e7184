import type { ToolCall } from "../../core/session/tool-call.ts";
import type { Authorship, EditedPart } from "../../core/session/file-edit.ts";
import { actOfArguments } from "../decoding/file-edits.ts";
import type { FileAct, NativeObject } from "../native.ts";
import type { Json } from "../decoding/fields.ts";
import { asName, asObject, asText } from "../decoding/fields.ts";
import { readToolCall } from "./formats/tool-call-record.ts";

/**
 * Returns what a call did to a file. Since 0.25 a change is recorded with both whole texts; before
 * that, only with the text to replace:
 *
 *     {"name": "replace", "args": {"file_path": "a.c", "old_string": "x", "new_string": "y"},
 *      "resultDisplay": {"originalContent": "x\n", "newContent": "y\n", "isNewFile": false, …}}
 */
export function fileActOf(recorded: NativeObject): FileAct | undefined {
  const call = readToolCall({ ...recorded }, 0);
  if (call.outcome !== "success") return undefined;
  if (call.category === "Execute") return { kind: "shell" };
  const args = asObject(call.args) ?? {};
  const path = call.files?.[0]?.path ?? asName(args["file_path"]) ?? asName(args["absolute_path"]);
  if (path === undefined) return undefined;
  if (call.label === "Read") return readOf(call, path);
  if (call.label !== "Write" && call.label !== "Edit") return undefined;
  return exchangeOf(recorded, path, args) ?? changeOf(call, path, args);
}

const PART_KEYS = ["offset", "limit", "start_line", "end_line"];
const NOT_ALL = /^\s*IMPORTANT: The file content has been truncated/;
/** Text that newer versions append to a file's content. */
const ADDED = /<hook_context>|\n--- Newly Discovered Project Context ---/;

/** Only a read of the whole file shows at which line numbers its lines are. */
function readOf(call: ToolCall, path: string): FileAct | undefined {
  const args = asObject(call.args) ?? {};
  const isPart = PART_KEYS.some((key) => args[key] !== undefined && args[key] !== null);
  const { output, name } = call;
  if (isPart || output === undefined || call.isCut === true || name !== "read_file")
    return undefined;
  return NOT_ALL.test(output) || ADDED.test(output)
    ? undefined
    : { kind: "read", path, text: output };
}

function exchangeOf(recorded: NativeObject, path: string, args: Json): FileAct | undefined {
  const shown = asObject(recorded["resultDisplay"]);
  const after = asText(shown?.["newContent"]);
  const before = shown?.["originalContent"];
  if (!shown || after === undefined) return undefined;
  const isNew = shown["isNewFile"] === true || before === null;
  const old = isNew ? "" : asText(before);
  if (old === undefined) return undefined;
  const parts: EditedPart[] = [{ extent: "whole", before: old, after }];
  return { kind: "edit", path, parts, hand: handOf(args, shown) };
}

const NEW_FILE = "Successfully created and wrote to new file";

/** For versions before 0.25, and for tools that do not display the texts. */
function changeOf(call: ToolCall, path: string, args: Json): FileAct {
  const hand = handOf(args, undefined);
  const after = asText(args["content"]);
  if (after === undefined) return actOfArguments(path, args, hand);
  if (hand === "mixed") return { kind: "unclear", path, why: "the user changed what was written" };
  const isNew = (call.output ?? "").startsWith(NEW_FILE);
  return {
    kind: "edit",
    path,
    parts: [{ extent: "whole", ...(isNew ? { before: "" } : {}), after }],
    hand,
  };
}

function handOf(args: Json, shown: Json | undefined): Authorship {
  if (args["modified_by_user"] === true) return "mixed";
  const proposed = asText(args["ai_proposed_content"]);
  const after = asText(shown?.["newContent"]);
  return proposed !== undefined && after !== undefined && proposed !== after ? "mixed" : "ai";
}
