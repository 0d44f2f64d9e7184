import { addAll } from "../../core/lists.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { MessageAnswer } from "../../queries/transcript.ts";
import { counted, exact, size } from "./figures.ts";
import type { MarkdownLines } from "./markdown.ts";
import { safeBlock, safeLine } from "./safe.ts";
import type { Style } from "./style.ts";
import { callDetail, callLine } from "./tool-call.ts";
import { fit, wrap } from "./width.ts";
import type { View } from "./view.ts";

/** Parts that are folded to a line or left out by default. */
export type Unfolded = "thoughts" | "tools" | "context" | "taken-back";

/** `columns` is infinite if the output is not a terminal. */
export interface MessageView extends View {
  unfolded: ReadonlySet<Unfolded>;
  /** Renders answers; without it they are printed as they are. */
  markdown?: MarkdownLines;
  session: Pick<SessionSummary, "kind" | "project">;
}

const MARGIN = "  ";
const DETAIL = "    ";
/** Limit for the line of a folded call, even if the width is unlimited. */
const CALL_COLUMNS = 160;

/** The lines of one message, without the heading that names the speaker. */
export function messageLines(message: MessageAnswer, view: MessageView): string[] {
  const inner = { ...view, columns: view.columns - MARGIN.length };
  const lines =
    message.author === "notice"
      ? noticeLines(message, inner)
      : message.author === "user"
        ? userLines(message, inner)
        : modelLines(message, inner);
  return lines.map((line) => (MARGIN + line).trimEnd());
}

function noticeLines({ text, level }: MessageAnswer, { columns, style }: MessageView): string[] {
  const lines = block(text, columns - 2);
  const paint = (line: string): string => {
    if (level === "error") return style.red(line);
    return level === "warning" ? style.yellow(line) : style.dim(line);
  };
  return lines.map((line, at) => paint(at === 0 ? `· ${line}` : `  ${line}`));
}

function userLines(message: MessageAnswer, view: MessageView): string[] {
  const lines: string[] = [];
  const { isPrompt, typed, text, injections } = message;
  if (isPrompt) addAll(lines, block(typed ?? text, view.columns));
  else if (injections.length === 0) addAll(lines, block(text, view.columns));
  for (const { path, content } of message.references) {
    addAll(lines, folded({ what: `file ${path}`, content }, view));
  }
  for (const { mediaType, sizeBytes, uri } of message.attachments) {
    const details = [mediaType, uri ?? "", sizeBytes === null ? "" : size(sizeBytes)];
    const line = details
      .filter((detail) => detail !== "")
      .map(safeLine)
      .join(", ");
    lines.push(view.style.dim(fit(`· ${line}`, view.columns)));
  }
  const texts = injections.filter(({ kind }) => PLAIN_CONTEXT.has(kind));
  const areJoined = texts.length > 2 && !view.unfolded.has("context");
  for (const injection of injections) {
    if (!areJoined || !texts.includes(injection)) addAll(lines, injectionLines(injection, view));
  }
  if (areJoined) {
    const content = texts.map(({ text: given }) => given).join("\n");
    addAll(lines, folded({ what: `context in ${exact(texts.length)} parts`, content }, view));
  }
  return lines;
}

/** Texts that agents add to prompts; many of them are summed up in one line. */
const PLAIN_CONTEXT: ReadonlySet<string> = new Set([
  "environment",
  "instructions",
  "reminder",
  "session-context",
]);

function injectionLines(
  { kind, text }: MessageAnswer["injections"][number],
  view: MessageView,
): string[] {
  // Results are shown with their calls.
  if (kind === "tool-response") return [];
  // The task is the prompt of a subagent's session.
  if (kind === "delegation" && view.session.kind === "subagent") return block(text, view.columns);
  const what = kind.replaceAll("-", " ");
  const command = kind === "shell-run" ? /```\w*\n(.*)/.exec(text)?.[1] : undefined;
  return folded(
    { what: command === undefined ? what : `${what}: ${command}`, content: text },
    view,
  );
}

function modelLines(message: MessageAnswer, view: MessageView): string[] {
  const { style, columns, unfolded } = view;
  const room = Math.min(columns, CALL_COLUMNS);
  const calls = { style, columns: room };
  const detailed = { ...calls, columns: columns - DETAIL.length };
  return [
    ...message.thoughts.flatMap((thought) => thoughtLines(thought, view)),
    ...(view.markdown?.(message.text, columns) ?? block(message.text, columns)),
    ...message.toolCalls.flatMap((call) => [
      callLine(call, calls),
      ...(unfolded.has("tools") ? callDetail(call, detailed).map((line) => DETAIL + line) : []),
    ]),
  ];
}

function thoughtLines(
  { subject, description }: MessageAnswer["thoughts"][number],
  { style, columns, unfolded }: MessageView,
): string[] {
  const gist = subject.trim() === "" ? description : subject;
  const head = style.dim(fit(`∴ ${safeLine(gist.slice(0, 400))}`, columns));
  if (!unfolded.has("thoughts") || subject.trim() === "") {
    return unfolded.has("thoughts") ? dimBlock(`∴ ${gist}`, columns, style) : [head];
  }
  return [head, ...dimBlock(description, columns - 2, style).map((line) => `  ${line}`)];
}

/** Text that no person typed: one line with its kind and length, or all of it. */
function folded(
  { what, content }: { what: string; content: string },
  { style, columns, unfolded }: MessageView,
): string[] {
  const lines = content.trim() === "" ? 0 : content.trim().split("\n").length;
  const head = style.dim(fit(`· ${safeLine(what)}, ${counted(lines, "line")}`, columns));
  if (!unfolded.has("context")) return [head];
  return [head, ...dimBlock(content, columns - 2, style).map((line) => `  ${line}`)];
}

function dimBlock(text: string, columns: number, style: Style): string[] {
  return block(text, columns).map((line) => style.dim(line));
}

function block(text: string, columns: number): string[] {
  const safe = safeBlock(text)
    .replace(/^(\s*\n)+/, "")
    .trimEnd();
  return safe === "" ? [] : wrap(safe, columns);
}
