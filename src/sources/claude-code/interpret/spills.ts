import { basename, dirname, join } from "node:path";
import type { SessionContent } from "../../../core/session/session.ts";
import type { SpilledOutput } from "../../../core/session/tool-call.ts";
import type { TranscriptFile } from "./conversations.ts";
import { sessionIdOfPath } from "./conversations.ts";

/** Locates the files of long outputs: by their recorded name in the folder of the session. */
export function findSpills(
  sessions: readonly SessionContent[],
  files: readonly TranscriptFile[],
): void {
  for (const { messages } of sessions) {
    for (const { toolCalls } of messages) {
      for (const call of toolCalls) {
        if (call.spill) call.spill = located(call.spill, files);
      }
    }
  }
}

function located(spill: SpilledOutput, files: readonly TranscriptFile[]): SpilledOutput {
  const name = basename(spill.path);
  for (const { file, home } of files) {
    if (file.role === "subagent") continue;
    const path = file.replaced?.path ?? file.path;
    const beside = join(dirname(path), sessionIdOfPath(path), "tool-results", name);
    const sizeBytes = home.view.sizeOf(beside);
    if (sizeBytes !== undefined) return { path: beside, sizeBytes, isFound: true };
  }
  return { ...spill, isFound: false };
}
