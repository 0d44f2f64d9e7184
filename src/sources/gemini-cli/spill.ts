import { basename, join } from "node:path";
import type { SpilledOutput, ToolCall } from "../../core/session/tool-call.ts";
import type { View } from "../view.ts";

/**
 * Finds the file with the full text of a long output that is cut in the record. The record contains
 * its name or path. Its location changed between versions; only folders of the same project are
 * searched, so that a recorded path cannot point elsewhere.
 */
export function findSpill(
  call: ToolCall,
  place: { root: string; folder: string; sessionId: string; view: View },
): SpilledOutput | undefined {
  if (call.isCut !== true) return undefined;
  const project = join(place.root, "tmp", place.folder);
  const folders = [
    join(project, "tool-outputs", `session-${safeName(place.sessionId)}`),
    join(project, "tool_output"),
    project,
  ];
  const recorded = recordedName(call.output ?? "");
  for (const folder of folders) {
    const name = nameIn(namesIn(folder, place.view), call, recorded);
    if (name === undefined) continue;
    const path = join(folder, name);
    const size = place.view.sizeOf(path);
    if (size !== undefined) return { path, sizeBytes: size, isFound: true };
  }
  return recorded === undefined ? undefined : { path: recorded, isFound: false };
}

/** Returns the name of the file that the cut text mentions, without its folder. */
function recordedName(output: string): string | undefined {
  const match = /([^\s"'<>]+\.(?:txt|output))/.exec(output);
  return match?.[1] === undefined ? undefined : basename(match[1].replaceAll("\\", "/"));
}

function nameIn(
  names: readonly string[],
  call: ToolCall,
  recorded: string | undefined,
): string | undefined {
  if (recorded !== undefined && names.includes(recorded)) return recorded;
  const id = safeName(call.id).toLowerCase();
  return names.find((name) => isSpillName(name) && name.toLowerCase().includes(id));
}

function namesIn(folder: string, view: View): string[] {
  try {
    return view.list(folder).toSorted();
  } catch {
    // Most sessions have no such folder.
    return [];
  }
}

export function isSpillName(name: string): boolean {
  return /\.(txt|output)$/.test(name);
}

function safeName(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, "_");
}
