import type { Use, UsesAnswer } from "../../queries/search/uses.ts";
import { counted, exact } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { headOf } from "./search.ts";
import { shownIds } from "./session-list.ts";
import type { Style } from "./style.ts";
import { fit } from "./width.ts";
import type { DatedView } from "./view.ts";

/** By session: each prompt that led to a use, and below it the calls. */
export function usesLines(answer: UsesAnswer, view: DatedView): string[] {
  if (answer.total === 0) return ["No uses found."];
  const { style } = view;
  const ids = shownIds(answer.sessions.map(({ session }) => session.id));
  const lines =
    answer.paths.length > 1 ? answer.paths.map((path) => style.dim(homePath(path))) : [];
  if (lines.length > 0) lines.push("");
  for (const { session, uses } of answer.sessions) {
    lines.push(headOf(session, ids.get(session.id) ?? session.id, view));
    lines.push(...usesOf(uses, view), "");
  }
  const shown = answer.sessions.length;
  const more = answer.total > shown ? ` of ${exact(answer.total)}: --limit shows more` : "";
  return [...lines, style.dim(`${counted(shown, "session")}${more}`)];
}

function usesOf(uses: readonly Use[], { columns, style }: DatedView): string[] {
  const lines: string[] = [];
  let before: string | undefined;
  for (const use of uses) {
    const { prompt } = use;
    if (prompt?.messageId !== before || lines.length === 0) {
      const text = prompt ? safeLine(prompt.text) : "(before the first prompt)";
      lines.push(`  ${style.green("›")} ${fit(text, Math.max(20, columns - 4))}`);
      before = prompt?.messageId;
    }
    lines.push(`    ${useLine(use, columns - 4, style)}`);
  }
  return lines;
}

function useLine(use: Use, room: number, style: Style): string {
  const what = use.shellLine ?? use.label;
  const did = use.files.length === 0 ? what : use.files.map(fileText).join(", ");
  const taken = use.standing === "live" ? "" : ` (${use.standing})`;
  const failed = use.outcome === "error" ? ` – ${use.error ?? "failed"}` : "";
  const text = safeLine(`${did}${taken}${failed}`);
  const line = fit(text, Math.max(20, room));
  return use.outcome === "error" ? style.red(line) : style.dim(line);
}

function fileText({ path, how, addedLines, removedLines }: Use["files"][number]): string {
  const lines = addedLines === null ? "" : ` +${addedLines} -${removedLines ?? 0}`;
  return `${how} ${homePath(path)}${lines}`;
}
