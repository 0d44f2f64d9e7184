import type { BlameAnswer, BlamedEdit } from "../../queries/blame/blame.ts";
import { counted, exact } from "./figures.ts";
import { safeBlock, safeLine } from "./safe.ts";
import { shownIds } from "./session-list.ts";
import { fit, pad, wrap } from "./width.ts";
import type { View } from "./view.ts";

export interface BlameView extends View {
  isTerminal: boolean;
}

/** Like `git blame`: who, when, which line. Lines without a known edit have a dot. */
export function blameLines(
  answer: BlameAnswer,
  form: "lines" | "summary",
  view: BlameView,
): string[] {
  const { style } = view;
  const ids = shownIds(answer.edits.map(({ session }) => session.id));
  const heads = answer.edits.map((edit) => headOf(edit, ids));
  const body = form === "lines" ? everyLine(answer, heads, view) : [];
  const total = answer.lines.length;
  const sum = `${exact(answer.explained)} of ${counted(total, "line")} written by agents`;
  const rest = `${exact(answer.unknown)} not by an agent, or unknown`;
  const looked = `based on ${counted(answer.editsLookedAt, "recorded edit")}`;
  const gone = "The file does not exist: these are its lines after the last recorded edit.";
  return [
    ...(answer.textFrom === "record" ? [...wrap(gone, view.columns), ""] : []),
    ...body,
    ...(body.length > 0 && answer.edits.length > 0 ? [""] : []),
    ...answer.edits.flatMap((edit, at) => editLines(edit, heads[at] ?? "", view)),
    style.dim(`${sum}, ${rest}; ${looked}`),
  ];
}

const HEAD_WIDTH = 38;
const MODEL_WIDTH = 18;

function headOf({ session, model, at, by }: BlamedEdit, ids: ReadonlyMap<string, string>): string {
  const who = fit(safeLine(model ?? "unknown model"), MODEL_WIDTH);
  const day = at === null ? "no date" : at.slice(0, 10);
  const mark = by === "mixed" ? "*" : " ";
  return `${ids.get(session.id) ?? ""} ${pad(who, MODEL_WIDTH)}${mark}${day}`;
}

function everyLine({ lines }: BlameAnswer, heads: readonly string[], view: BlameView): string[] {
  const { style, columns, isTerminal } = view;
  const digits = String(lines.length).length;
  let before: number | null = -1;
  return lines.map(({ number, text, edit }) => {
    const head = edit === null ? "·" : edit === before ? "│" : (heads[edit] ?? "");
    before = edit;
    const room = isTerminal ? Math.max(20, columns - HEAD_WIDTH - digits - 2) : Infinity;
    const line = safeBlock(text).replaceAll("\n", " ");
    const shown = isTerminal ? fit(line, room) : line;
    const place = style.dim(String(number).padStart(digits));
    return `${style.cyan(pad(fit(head, HEAD_WIDTH), HEAD_WIDTH))} ${place} ${shown}`.trimEnd();
  });
}

function editLines(edit: BlamedEdit, head: string, { style, columns }: BlameView): string[] {
  const { prompt, lines, session } = edit;
  const text = prompt === null ? safeLine(session.title ?? "–") : safeLine(prompt.text);
  const many = counted(lines, "line").padEnd(10);
  const first = `${style.cyan(head)}  ${many} `;
  return [`${first}${fit(text, Math.max(20, columns - HEAD_WIDTH - 14))}`];
}
