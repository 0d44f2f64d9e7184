import { safeText } from "../safe-text.ts";
import type { DiffLine } from "./diff-lines.ts";

export interface PatchedFile {
  path: string;
  isNew: boolean;
  lines: DiffLine[];
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVED = /^\*\*\* Move to: (.+)$/;
const KINDS = { "+": "added", "-": "removed", " ": "same" } as const;

/**
 * The files of a patch that identifies places by their content instead of line numbers:
 *
 *     *** Begin Patch
 *     *** Update File: src/total.ts
 *     @@ export function total
 *     -  return 1;
 *     +  return 2;
 *     *** End Patch
 */
export function patchedFiles(text: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  for (const line of text.split("\n")) {
    const named = FILE.exec(line);
    if (named) files.push({ path: named[2] ?? "", isNew: named[1] === "Add", lines: [] });
    const file = files.at(-1);
    const moved = MOVED.exec(line)?.[1];
    if (file && moved !== undefined) file.path = moved;
    const lines = file?.lines;
    if (!lines || line.startsWith("*** ")) continue;
    const kind = KINDS[(line[0] ?? "") as keyof typeof KINDS];
    if (kind) lines.push({ kind, text: safeText(line.slice(1)) });
    else if (line.startsWith("@@")) lines.push({ kind: "place", text: safeText(line) });
  }
  return files;
}
