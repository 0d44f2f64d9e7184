import type { EditedPart, FileEdit } from "../../core/session/file-edit.ts";
import { diffHunks } from "../../core/session/file-edit.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import { asName, asObject, asText } from "../decoding/fields.ts";
import { patchIn } from "./patch.ts";

/**
 * Returns the edits of a patch. The files of the call are those of the patch, in its order, as
 * absolute paths.
 */
export function fileEditsOf(call: ToolCall): FileEdit[] {
  if (call.outcome !== "success") return [];
  const files = (call.files ?? []).filter(({ how }) => how !== "read");
  const sections = [
    ...textsIn(call.args).flatMap((text) => {
      return sectionsOfPatch(patchIn(text) ?? patchIn(unquoted(text)) ?? "");
    }),
    ...sectionsOfChanges(asObject(call.args)?.["changes"]),
  ];
  return sections.flatMap(({ parts }, at) => {
    const path = files[at]?.path;
    return path === undefined || parts.length === 0 ? [] : [{ path, parts }];
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

/** What a patch does to one file. */
export interface PatchSection {
  /** As recorded, before a move. */
  path: string;
  /** The file was deleted or moved. */
  isGone: boolean;
  parts: EditedPart[];
}

/** `*** Add File: a`, `*** Update File: b`, each with its lines. */
export function sectionsOfPatch(patch: string): PatchSection[] {
  const sections = patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m).slice(1);
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    const [, how, path = ""] = /^(Add|Update|Delete) File: (.+?)\s*$/.exec(heading) ?? [];
    const isGone = how === "Delete" || lines[0]?.startsWith("*** Move to: ") === true;
    const body = lines.filter((line) => !line.startsWith("***"));
    if (how === "Delete") return { path, isGone, parts: [] };
    if (how !== "Add") return { path, isGone, parts: diffHunks(["@@", ...body].join("\n")) };
    const added = body.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return { path, isGone, parts: [{ extent: "whole", before: "", after: added.join("") }] };
  });
}

/** `{"/a.js": {"type": "add", "content": "…"}, "/b.js": {"unified_diff": "…"}}` */
export function sectionsOfChanges(changes: unknown): PatchSection[] {
  return Object.entries(asObject(changes) ?? {}).map(([path, value]) => {
    const change = asObject(value) ?? {};
    const after = asText(change["content"]);
    const isGone = change["type"] === "delete" || asName(change["move_path"]) !== undefined;
    const isAdded = change["type"] === "add" && after !== undefined;
    const parts = isAdded
      ? [{ extent: "whole" as const, before: "", after }]
      : diffHunks(asText(change["unified_diff"]) ?? "");
    return { path, isGone, parts };
  });
}
