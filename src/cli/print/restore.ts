import { basename, join } from "node:path";
import type { RestoreAnswer } from "../../library/restore.ts";
import { counted } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import type { Style } from "./style.ts";
import { fieldLines, marked, wrap } from "./width.ts";

interface View {
  style: Style;
  columns: number;
}

const HEADS: Readonly<Record<RestoreAnswer["outcome"], string>> = {
  written: "Restored.",
  replaced: "Restored; what was there is in the archive.",
  unchanged: "It is there, unchanged. Nothing was restored.",
  exists: "Another state of this session is there, and stays. Nothing was restored.",
  "would-write": "This would be restored:",
  "would-replace": "This would replace what is there; the archive would keep it first:",
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
    ...(outcome === "exists"
      ? existsLines(view)
      : [`Go on with it:  ${style.cyan(safeLine(line))}`]),
    ...warningLines(answer, view),
    ...stayLines(answer, view),
  ];
}

function projectOf({ projectPath, isProjectThere }: RestoreAnswer): string {
  return homePath(projectPath) + (isProjectThere ? "" : " (not there)");
}

function existsLines({ columns }: View): string[] {
  return [
    "--replace puts the requested state in its place; the archive keeps the other one first.",
    "--new-id puts it beside it, as a session of its own.",
  ].flatMap((text) => wrap(text, columns));
}

function warningLines(answer: RestoreAnswer, view: View): string[] {
  const { agent, siblings, stubs, isProjectThere } = answer;
  const warnings = siblings.map((path) => {
    return `${safeLine(basename(path))} has the same ending: what deletes it deletes both.`;
  });
  for (const path of stubs) {
    const name = safeLine(basename(path));
    warnings.push(
      `${name} was left behind by a resume: because of it, newer versions of ${agent} delete ` +
        "the session at their next start. --replace takes it away.",
    );
  }
  if (!isProjectThere) {
    warnings.push(`The project's directory is not there; ${agent} has to be started in it.`);
  }
  return warnings.flatMap((item) => marked(view.style.yellow("!"), item, view.columns));
}

/** Agents delete sessions by themselves, so this says how to keep the restored one. */
function stayLines(answer: RestoreAnswer, { style, columns }: View): string[] {
  const { agent, outcome, retention } = answer;
  if (outcome === "exists") return [];
  if (!retention.isEnabled || retention.isSubagentsOnly) {
    return ["", style.dim(`${agent} deletes no sessions there: it stays.`)];
  }
  return [
    "",
    style.dim("So that it is not deleted again:"),
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
      : [`It is set to keep ${counted(maxSessions, "session")} of a project, and no more.`];
  const keep =
    "`pollux keep` keeps every state of it, whatever happens; `pollux restore` brings it back.";
  return [
    ...paragraph(`${agent} deletes sessions ${days} after their last use.${more}`),
    ...limit.flatMap(paragraph),
    ...(advice
      ? [
          ...paragraph(`In ${homePath(join(root, advice.settings.file))}, this ends all of that:`),
          // On one line, so that it can be copied.
          `  ${advice.settings.text}`,
        ]
      : []),
    ...paragraph(keep),
  ];
}
