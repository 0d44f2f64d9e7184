import { basename, join } from "node:path";
import type { RestoreAnswer } from "../../library/restore.ts";
import { counted } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { fieldLines, marked, wrap } from "./width.ts";
import type { View } from "./view.ts";

const HEADS: Readonly<Record<RestoreAnswer["outcome"], string>> = {
  written: "Restored.",
  replaced: "Restored. The previous file was archived first.",
  unchanged: "The agent already has this session in this state. Nothing was restored.",
  exists: "The agent has this session in another state. Nothing was restored.",
  "would-write": "Would restore:",
  "would-replace": "Would replace the existing file, after archiving it:",
};

/** What was restored, how to continue, and how to keep the agent from deleting it. */
export function restoreLines(answer: RestoreAnswer, line: string, view: View): string[] {
  const { style } = view;
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
    ...wrap(HEADS[outcome], view.columns).map((text) => style.bold(text)),
    ...rows.flatMap(([name, value]) => fieldLines(name, value, view)),
    "",
    ...(outcome === "exists" ? existsLines(view) : [`Resume it:  ${style.cyan(safeLine(line))}`]),
    ...warningLines(answer, view),
    ...stayLines(answer, view),
  ];
}

function projectOf({ projectPath, isProjectThere }: RestoreAnswer): string {
  return homePath(projectPath) + (isProjectThere ? "" : " (does not exist)");
}

function existsLines({ columns }: View): string[] {
  return [
    "Use --replace to replace it with the requested state; it is archived first.",
    "Use --new-id to restore a copy as a separate session.",
  ].flatMap((text) => wrap(text, columns));
}

function warningLines(answer: RestoreAnswer, view: View): string[] {
  const { agent, siblings, stubs, isProjectThere } = answer;
  const warnings = siblings.map((path) => {
    const name = safeLine(basename(path));
    return `${name} has the same name ending: when ${agent} deletes one, it deletes both.`;
  });
  for (const path of stubs) {
    const name = safeLine(basename(path));
    warnings.push(
      `${name} was left behind by a resume: because of it, newer versions of ${agent} delete ` +
        "the session at their next start. --replace removes it.",
    );
  }
  if (!isProjectThere) {
    warnings.push(`The project's directory does not exist; ${agent} must be started in it.`);
  }
  return warnings.flatMap((item) => marked(view.style.yellow("!"), item, view.columns));
}

/** Agents delete sessions by themselves, so this says how to keep the restored one. */
function stayLines(answer: RestoreAnswer, { style, columns }: View): string[] {
  const { agent, outcome, retention } = answer;
  if (outcome === "exists") return [];
  if (!retention.isEnabled || retention.isSubagentsOnly) {
    return ["", style.dim(`${agent} is set to delete no sessions, so it will stay.`)];
  }
  return [
    "",
    style.dim("To prevent it from being deleted again:"),
    ...adviceLines(answer, columns).map((text) => style.dim(text)),
  ];
}

function adviceLines({ agent, retention, advice, root }: RestoreAnswer, columns: number): string[] {
  const { maxAgeDays, maxSessions } = retention;
  const paragraph = (text: string): string[] => marked("-", text, columns);
  const days = counted(Math.floor(maxAgeDays ?? 30), "day");
  const more = advice?.remark === undefined ? "" : ` ${advice.remark}`;
  const limit =
    maxSessions === undefined
      ? []
      : [`It keeps at most ${counted(maxSessions, "session")} per project.`];
  const keep = "`pollux keep` archives every state of it, and `pollux restore` restores it.";
  return [
    ...paragraph(`${agent} deletes sessions ${days} after their last use.${more}`),
    ...limit.flatMap(paragraph),
    ...(advice
      ? [
          ...paragraph(
            `In ${homePath(join(root, advice.settings.file))}, this setting turns deletion off:`,
          ),
          // On one line, so that it can be copied.
          `  ${advice.settings.text}`,
        ]
      : []),
    ...paragraph(keep),
  ];
}
