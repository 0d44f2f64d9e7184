import type { ToolDisplay } from "../../core/session/tool-call.ts";
import type { TouchedFile } from "../../core/rows/touched-file.ts";
import { asObject, asText } from "../decoding/fields.ts";
import { countDiff, splitLines } from "../decoding/tool-effects.ts";

/** Limit on the number of files, whatever the length of the patch. */
const MAX_FILES = 1000;

/**
 * Returns the files of a patch in Codex's own format:
 *
 *     *** Begin Patch
 *     *** Update File: src/ledger.js
 *     *** Move to: src/book.js
 *     @@
 *     -// TODO: subtract
 *     +export function sub(a, b) {
 *     *** Add File: src/new.js
 *     +export const zero = 0;
 *     *** End Patch
 */
export function filesOfPatch(patch: string, cwd: string | undefined): TouchedFile[] {
  const files: TouchedFile[] = [];
  let current: TouchedFile | undefined;
  for (const line of linesOf(patch)) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line);
    const moved = /^\*\*\* Move to: (.+?)\s*$/.exec(line)?.[1];
    if (heading && files.length < MAX_FILES) {
      const how = heading[1] === "Add" ? "written" : "edited";
      current = { path: resolved(heading[2] ?? "", cwd), how, addedLines: 0, removedLines: 0 };
      // The length of a deleted file is unknown.
      if (heading[1] === "Delete") delete current.removedLines;
      files.push(current);
    } else if (moved !== undefined && current) current.path = resolved(moved, cwd);
    else if (line.startsWith("*** End Patch")) break;
    else if (current) count(current, line);
  }
  return files;
}

/** Returns the diff of a patch that changes one file. */
export function displayOfPatch(
  patch: string,
  files: readonly TouchedFile[],
): ToolDisplay | undefined {
  const [file, ...others] = files;
  if (!file || others.length > 0) return undefined;
  const body = patch.split("\n").filter((line) => !line.startsWith("***"));
  const { path, how, addedLines = 0, removedLines = 0 } = file;
  const stat = { addedLines, removedLines, byUser: { addedLines: 0, removedLines: 0 } };
  const isNewFile = how === "written";
  return { kind: "diff", file: path, diff: body.join("\n"), isNewFile, stat };
}

function count(file: TouchedFile, line: string): void {
  if (line.startsWith("+")) file.addedLines = (file.addedLines ?? 0) + 1;
  else if (line.startsWith("-") && file.removedLines !== undefined) file.removedLines += 1;
}

function* linesOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    yield text.slice(from, end === -1 ? undefined : end);
    if (end === -1) return;
    from = end + 1;
  }
}

const PATCH = /\*\*\* Begin Patch\n[\s\S]*?(?:\n\*\*\* End Patch|$)/;

/** Extracts the patch inside a shell line or script. */
export function patchIn(text: string): string | undefined {
  return PATCH.exec(text)?.[0];
}

/**
 * Returns the files that a patch changed, as Codex records them:
 *
 *     {"/home/ada/a.js": {"type": "add", "content": "…"},
 *      "/home/ada/b.js": {"type": "update", "unified_diff": "@@ …", "move_path": null}}
 */
export function filesOfChanges(recorded: unknown, cwd: string | undefined): TouchedFile[] {
  const entries = Object.entries(asObject(recorded) ?? {}).slice(0, MAX_FILES);
  return entries.map(([path, value]) => {
    const change = asObject(value);
    const moved = asText(change?.["move_path"]);
    const content = asText(change?.["content"]);
    const diff = asText(change?.["unified_diff"]);
    const how = change?.["type"] === "add" ? "written" : "edited";
    const file: TouchedFile = { path: resolved(moved ?? path, cwd), how };
    if (diff !== undefined) return { ...file, ...countDiff(diff) };
    if (content === undefined) return file;
    const lines = splitLines(content).length;
    return how === "written"
      ? { ...file, addedLines: lines, removedLines: 0 }
      : { ...file, addedLines: 0, removedLines: lines };
  });
}

/** Resolves recorded paths: relative to the directory of the turn, or `file://` URLs. */
export function resolved(path: string, cwd: string | undefined): string {
  const plain = pathOf(path);
  if (cwd === undefined || /^(?:[A-Za-z]:)?[\\/]/.test(plain)) return plain;
  const separator = cwd.includes("\\") && !cwd.includes("/") ? "\\" : "/";
  return `${cwd.replace(/[\\/]$/, "")}${separator}${plain.replace(/^\.[\\/]/, "")}`;
}

/** `file:///home/ada/a%20b` → `/home/ada/a b` */
export function pathOf(address: string): string {
  if (!address.startsWith("file://")) return address;
  const path = address.slice("file://".length).replace(/^\/([A-Za-z]:)/, "$1");
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone percent sign: the path was not encoded.
    return path;
  }
}
