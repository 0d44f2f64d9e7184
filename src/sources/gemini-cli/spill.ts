import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { SpilledOutput, ToolCall } from "../../model/tool-call.ts";

/**
 * Long outputs are cut in the record; the whole text lies in a file whose name or path the record
 * tells. Where that file lies has changed with the versions; only folders of the same project are
 * looked at, so that a recorded path leads nowhere else.
 */
export function findSpill(
  call: ToolCall,
  around: { root: string; folder: string; sessionId: string },
): SpilledOutput | undefined {
  if (call.isCut !== true) return undefined;
  const project = join(around.root, "tmp", around.folder);
  const folders = [
    join(project, "tool-outputs", `session-${safeName(around.sessionId)}`),
    join(project, "tool_output"),
    project,
  ];
  const told = toldName(call.output ?? "");
  for (const folder of folders) {
    const name = nameIn(folder, call, told);
    if (name === undefined) continue;
    const path = join(folder, name);
    const size = sizeOf(path);
    if (size !== undefined) return { path, sizeBytes: size, isFound: true };
  }
  return told === undefined ? undefined : { path: told, isFound: false };
}

/** The file that the cut text names, without its folder. */
function toldName(output: string): string | undefined {
  const match = /([^\s"'<>]+\.(?:txt|output))/.exec(output);
  return match?.[1] === undefined ? undefined : basename(match[1].replaceAll("\\", "/"));
}

function nameIn(folder: string, call: ToolCall, told: string | undefined): string | undefined {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // Most sessions have no such folder.
    return undefined;
  }
  if (told !== undefined && names.includes(told)) return told;
  const id = safeName(call.id).toLowerCase();
  return names.find((name) => /\.(txt|output)$/.test(name) && name.toLowerCase().includes(id));
}

function safeName(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, "_");
}

function sizeOf(path: string): number | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    // Gone between listing and looking.
    return undefined;
  }
}
