import { applyPatch, parsePatch, reversePatch } from "diff";
import type { Authorship, EditedPart, FileEdit } from "../../core/session/file-edit.ts";
import { diffHunks } from "../../core/session/file-edit.ts";
import { optional } from "../../core/optional.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import type { Json } from "./fields.ts";
import { asList, asObject, asText } from "./fields.ts";
import type { FileAct } from "../native.ts";

/**
 * Returns what a call changed, from its arguments and its displayed result:
 *
 *     {"file_path": "a.c", "content": "…"}
 *     {"file_path": "a.c", "old_string": "x", "new_string": "y", "replace_all": true}
 *     {"file_path": "a.c", "edits": [{"old_string": "x", "new_string": "y"}]}
 */
export function fileEditsOf(call: ToolCall): FileEdit[] {
  const file = call.files?.find(({ how }) => how !== "read");
  if (call.outcome !== "success" || !file) return [];
  const parts = partsOf(call, asObject(call.args) ?? {});
  return parts.length === 0 ? [] : [{ path: file.path, parts }];
}

function partsOf(call: ToolCall, args: Json): EditedPart[] {
  const { display } = call;
  const shown = display?.kind === "diff" ? display : undefined;
  const isByPerson = shown?.stat !== undefined && shown.stat.byUser.addedLines > 0;
  const given = partsOfArguments(args);
  const written = given.find(({ before }) => before === undefined);
  if (written && !isByPerson) {
    const before = shown?.isNewFile === true ? "" : textBefore(written.after, shown?.diff);
    return [{ ...written, ...optional("before", before) }];
  }
  // In some versions the displayed diff has spaces instead of tabs.
  const isFaithful =
    shown &&
    !given.some(({ before, after }) => {
      return before !== undefined && /\t/.test(before + after);
    });
  const parts = isFaithful ? diffHunks(shown.diff) : [];
  return parts.length > 0 || isByPerson ? parts : given;
}

/** The text before is not in the arguments of a call that writes the whole file. */
function partsOfArguments(args: Json): EditedPart[] {
  const content = asText(args["content"]);
  if (content !== undefined) return [{ extent: "whole", after: content }];
  const edits = asList(args["edits"])?.map(asObject) ?? [args];
  return edits.flatMap((edit): EditedPart[] => {
    const before = asText(edit?.["old_string"]);
    const after = asText(edit?.["new_string"]);
    if (before === undefined || after === undefined) return [];
    if (before === "") return [{ extent: "whole", before, after }];
    return [{ extent: "part", before, after, ...optional("times", timesOf(edit)) }];
  });
}

function timesOf(edit: Json | undefined): EditedPart["times"] {
  if (edit?.["replace_all"] === true || edit?.["allow_multiple"] === true) return "all";
  const expected = edit?.["expected_replacements"];
  return typeof expected === "number" && Number.isSafeInteger(expected) ? expected : undefined;
}

/** Returns the edit that the arguments of a call describe. */
export function actOfArguments(path: string, args: Json, hand: Authorship): FileAct {
  const parts = partsOfArguments(args);
  if (parts.length > 0) return { kind: "edit", path, parts, hand };
  return { kind: "unclear", path, why: "the call does not record what it changed" };
}

/** Returns the overwritten text, by reverting the displayed diff. */
function textBefore(content: string, diff: string | undefined): string | undefined {
  if (diff === undefined || !/^@@/m.test(diff)) return undefined;
  try {
    const [patch] = parsePatch(diff.slice(diff.search(/^@@/m)));
    const before = patch ? applyPatch(content, reversePatch(patch)) : false;
    return before === false ? undefined : before;
  } catch {
    // Not a complete diff: the previous text is unknown.
    return undefined;
  }
}
