import { basename, join } from "node:path";
import type { RestoreAnswer } from "../../desks/restore-desk.ts";
import { counted } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import type { Style } from "./style.ts";

const HEADS: Readonly<Record<RestoreAnswer["outcome"], string>> = {
  written: "Restored.",
  replaced: "Restored; what was there is in the archive.",
  unchanged: "It is there, unchanged. Nothing was restored.",
  exists: "Another state of this session is there, and stays. Nothing was restored.",
  "would-write": "This would be restored:",
  "would-replace": "This would replace what is there; the archive would keep it first:",
};

/** What was put back, how to go on, and how it stays there. */
export function restoreLines(answer: RestoreAnswer, line: string, style: Style): string[] {
  const { outcome, alsoWritten, removed } = answer;
  const isPlaced = outcome !== "unchanged" && outcome !== "exists";
  const rows: [string, string][] = [
    ["session", safeLine(answer.sessionId)],
    ["project", projectOf(answer)],
    ["file", homePath(answer.file)],
    ...alsoWritten.map((path): [string, string] => ["with it", homePath(path)]),
    ...removed.map((path): [string, string] => ["instead of", homePath(path)]),
  ];
  if (isPlaced)
    rows.push(["messages", `${answer.messages} (${counted(answer.sizeBytes, "byte")})`]);
  return [
    style.bold(HEADS[outcome]),
    ...rows.map(([name, value]) => `  ${style.dim(name.padEnd(10))}  ${value}`),
    "",
    ...(outcome === "exists" ? existsLines() : [`Go on with it:  ${style.cyan(safeLine(line))}`]),
    ...warningLines(answer, style),
    ...stayLines(answer, style),
  ];
}

function projectOf({ projectPath, isProjectThere }: RestoreAnswer): string {
  return homePath(projectPath) + (isProjectThere ? "" : " (not there)");
}

function existsLines(): string[] {
  return [
    "--replace puts the wished state in its place, and keeps the other one in the archive first.",
    "--new-id puts it beside it, as a session of its own.",
  ];
}

function warningLines({ siblings, stubs, isProjectThere }: RestoreAnswer, style: Style): string[] {
  const warnings = siblings.map((path) => {
    return `${safeLine(basename(path))} has the same ending: what deletes it deletes both.`;
  });
  for (const path of stubs) {
    const name = safeLine(basename(path));
    warnings.push(
      `${name} was left behind by a resume: because of it, newer versions of Gemini CLI delete ` +
        "the session at their next start. --replace takes it away.",
    );
  }
  if (!isProjectThere) {
    warnings.push("The project's directory is not there; Gemini CLI has to be started in it.");
  }
  return warnings.map((warning) => `${style.yellow("!")} ${warning}`);
}

/** Gemini CLI deletes by itself; whoever restores something wants it to stay. */
function stayLines({ outcome, retention, root }: RestoreAnswer, style: Style): string[] {
  if (outcome === "exists") return [];
  if (!retention.isEnabled) {
    return ["", style.dim("Gemini CLI is set not to delete sessions there: it stays.")];
  }
  const days = Math.floor(retention.maxAgeDays ?? 30);
  const { maxSessions } = retention;
  const settings = homePath(join(root, "settings.json"));
  return [
    "",
    style.dim("So that it is not deleted again:"),
    ...[
      `- Gemini CLI deletes sessions ${counted(days, "day")} after their last use, at any start in`,
      "  the same project. 0.42, 0.43 and all from 0.47 on delete one at the start after it was",
      "  resumed, however young it is.",
      ...(maxSessions === undefined
        ? []
        : [`  It is set to keep ${counted(maxSessions, "session")} of a project, and no more.`]),
      `- In ${settings},`,
      '  {"general": {"sessionRetention": {"enabled": false}}} ends all of that.',
      "- `pollux keep` keeps every state of it, whatever happens; `pollux restore` brings it back.",
    ].map((text) => style.dim(text)),
  ];
}
