import { addAll } from "../../core/lists.ts";
import type { ToolCallAnswer } from "../../queries/transcript.ts";
import { briefJson } from "./json.ts";
import { safeBlock, safeLine } from "./safe.ts";
import { shortId } from "./session-list.ts";
import type { Style } from "./style.ts";
import { fit, widthOf, wrap } from "./width.ts";
import type { View } from "./view.ts";

const NAME_LENGTH = 60;

/** A call on one line: `▸ Bash npm test  ✗ exit code 1`. */
export function callLine(call: ToolCallAnswer, view: View): string {
  const { style, columns } = view;
  const name = fit(safeLine(nameOf(call)), NAME_LENGTH);
  const end = endingOf(call);
  const used = widthOf(`▸ ${name} `) + (end.text === "" ? 0 : 2 + end.least);
  const target = fit(safeLine(call.target ?? ""), Math.max(columns - used, 12));
  const room = columns - widthOf(`▸ ${name} ${target}  `);
  const tail = end.text === "" ? "" : `  ${end.paint(fit(end.text, room), style)}`;
  return `${style.dim("▸")} ${style.bold(name)}${target === "" ? "" : ` ${target}`}${tail}`;
}

/** All arguments and the output of a call. */
export function callDetail(call: ToolCallAnswer, view: View): string[] {
  const { style, columns } = view;
  const { display } = call;
  const diff = display?.kind === "diff" ? display.diff : "";
  const isShown = diff.trim() !== "";
  const lines = argumentLines(isShown ? withoutTexts(call.args) : call.args, view);
  if (isShown) addAll(lines, diffLines(diff, view));
  else if (call.output !== null) {
    const output = safeBlock(call.output).trimEnd();
    lines.push(style.dim("returned:"), ...wrap(output, columns).map((line) => style.dim(line)));
  }
  if (call.isCut) {
    const where = call.outputFile === null ? "not archived" : safeLine(call.outputFile);
    lines.push(style.yellow(`Only a part of the output was recorded. Full output: ${where}`));
  }
  return lines;
}

function nameOf({ label, mcp }: ToolCallAnswer): string {
  return mcp ? `${mcp.server}/${mcp.tool}` : label;
}

interface Ending {
  text: string;
  /** Columns of the ending for which the target may be cut. */
  least: number;
  paint: (text: string, style: Style) => string;
}

/** The outcome of a call; empty for plain success. */
function endingOf(call: ToolCallAnswer): Ending {
  const { agentId, outcome, display } = call;
  const agent = agentId === null ? "" : `agent ${shortId(agentId)}`;
  if (outcome === "error") return ending(`✗ ${firstLine(call.error)}`, "red");
  if (outcome === "cancelled") return ending("cancelled", "yellow");
  if (outcome === null) return ending(agent === "" ? "no result" : `${agent}, no result`, "yellow");
  if (agent !== "") return ending(agent, "cyan");
  if (display?.kind !== "diff" || !display.stat) return ending("", "dim");
  return ending(`+${display.stat.addedLines} −${display.stat.removedLines}`, "dim");
}

function ending(text: string, colour: "red" | "yellow" | "cyan" | "dim"): Ending {
  const least = Math.min(widthOf(text), 30);
  return { text, least, paint: (shown, style) => style[colour](shown) };
}

function firstLine(error: string | null): string {
  return safeLine(error?.split("\n").find((line) => line.trim() !== "") ?? "failed");
}

function argumentLines(args: unknown, { style, columns }: View): string[] {
  if (typeof args !== "object" || args === null) return [];
  return Object.entries(args).flatMap(([key, value]: [string, unknown]) => {
    const text = typeof value === "string" ? value : briefJson(value, 10_000);
    const lines = wrap(safeBlock(text).trimEnd(), columns - 2);
    const name = style.cyan(`${safeLine(key)}:`);
    const [only = ""] = lines;
    const isShort = lines.length === 1 && widthOf(`${safeLine(key)}: ${only}`) <= columns;
    return isShort ? [`${name} ${only}`] : [name, ...lines.map((line) => `  ${line}`)];
  });
}

const TEXT_KEYS = new Set(["content", "old_string", "new_string", "edits", "input", "patch"]);

/** The diff already shows the written text. */
function withoutTexts(args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([key]) => !TEXT_KEYS.has(key)));
}

/** Lines that are too long continue below, in the column where they began. */
function diffLines(diff: string, { style, columns }: View): string[] {
  return safeBlock(diff)
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const paint = painterOf(line, style);
      const pieces = wrap(line.slice(1), columns - 1);
      return pieces.map((piece, at) => paint(`${at === 0 ? line.slice(0, 1) : " "}${piece}`));
    });
}

function painterOf(line: string, style: Style): (text: string) => string {
  if (line.startsWith("@@")) return (text) => style.cyan(text);
  if (line.startsWith("+")) return (text) => style.green(text);
  return line.startsWith("-") ? (text) => style.red(text) : (text) => style.dim(text);
}
