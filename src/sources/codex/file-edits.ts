import type { EditedPart, FileEdit } from "../../core/session/file-edit.ts";
import { diffHunks } from "../../core/session/file-edit.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import { asObject, asText } from "../decoding/fields.ts";
import { patchIn } from "./patch.ts";

/**
 * Returns the edits of a patch. The files of the call are those of the patch, in its order, as
 * absolute paths.
 */
export function fileEditsOf(call: ToolCall): FileEdit[] {
  if (call.outcome !== "success") return [];
  const files = (call.files ?? []).filter(({ how }) => how !== "read");
  const sections = [...sectionsOfPatches(call.args), ...sectionsOfChanges(call.args)];
  return sections.flatMap((parts, at) => {
    const path = files[at]?.path;
    return path === undefined || parts.length === 0 ? [] : [{ path, parts }];
  });
}

function sectionsOfPatches(args: unknown): EditedPart[][] {
  return textsIn(args).flatMap((text) => {
    const patch = patchIn(text) ?? patchIn(unquoted(text));
    return patch === undefined ? [] : sectionsOf(patch);
  });
}

/** In a script, the patch is a quoted string. */
function unquoted(text: string): string {
  return text.replace(/\\n/g, "\n").replace(/\\(["'`\\])/g, "$1");
}

const MOST_DEPTH = 4;

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

/** Returns a list of parts for each file of a patch; an empty one for a deleted file. */
function sectionsOf(patch: string): EditedPart[][] {
  const sections = patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m).slice(1);
  return sections.map((section) => {
    const lines = section.split("\n");
    const body = lines.slice(1).filter((line) => !line.startsWith("*** "));
    if (section.startsWith("Delete")) return [];
    if (section.startsWith("Update")) return diffHunks(["@@", ...body].join("\n"));
    const added = body.flatMap((line) => (line.startsWith("+") ? [line.slice(1)] : []));
    return [{ extent: "whole", before: "", after: added.join("\n") }];
  });
}

/** `{"changes": {"/a.js": {"type": "add", "content": "…"}, "/b.js": {"unified_diff": "…"}}}` */
function sectionsOfChanges(args: unknown): EditedPart[][] {
  const changes = asObject(asObject(args)?.["changes"]) ?? {};
  return Object.values(changes).map((value): EditedPart[] => {
    const change = asObject(value);
    const content = asText(change?.["content"]);
    if (change?.["type"] === "add" && content !== undefined) {
      return [{ extent: "whole", before: "", after: content }];
    }
    return diffHunks(asText(change?.["unified_diff"]) ?? "");
  });
}
