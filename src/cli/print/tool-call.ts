import { addAll } from "../../core/lists.ts";
import type { ToolCallAnswer } from "../../queries/transcript.ts";
import { counted, exact } from "./figures.ts";
import { briefJson } from "./json.ts";
import { safeBlock, safeLine } from "./safe.ts";
import { shortId } from "./session-list.ts";
import type { Style } from "./style.ts";
import { fit, widthOf, wrap } from "./width.ts";

export interface CallView {
  columns: number;
  style: Style;
  /** The project's folder; paths inside it are shown relative to it. */
  projectPath: string | null;
}

/** Arguments that describe a call best, in this order. */
const TELLING = [
  "command",
  "file_path",
  "absolute_path",
  "path",
  "dir_path",
  "pattern",
  "query",
  "url",
  "objective",
  "name",
  "title",
  "prompt",
];

const NAME_LENGTH = 60;
const TARGET_LENGTH = 400;

/** A call on one line: `▸ Bash npm test  ✗ exit code 1`. */
export function callLine(call: ToolCallAnswer, view: CallView): string {
  const { style, columns } = view;
  const name = fit(safeLine(nameOf(call)), NAME_LENGTH);
  const end = endingOf(call);
  const used = widthOf(`▸ ${name} `) + (end.text === "" ? 0 : 2 + end.least);
  const target = fit(targetOf(call, view), Math.max(columns - used, 12));
  const room = columns - widthOf(`▸ ${name} ${target}  `);
  const tail = end.text === "" ? "" : `  ${end.paint(fit(end.text, room), style)}`;
  return `${style.dim("▸")} ${style.bold(name)}${target === "" ? "" : ` ${target}`}${tail}`;
}

/** All arguments and the output of a call. */
export function callDetail(call: ToolCallAnswer, view: CallView): string[] {
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

function targetOf(call: ToolCallAnswer, { projectPath }: CallView): string {
  const { args, display, files, shellLine } = call;
  if (display?.kind === "todos") return todoCounts(display.todos);
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  const given = new Map<string, unknown>(isObject ? Object.entries(args) : []);
  const key = TELLING.find((name) => typeof given.get(name) === "string");
  const changed = files.filter(({ how }) => how !== "read");
  // A patch contains the names of its files.
  if (key === undefined && changed.length > 0) {
    return changed.map(({ path }) => inProject(cutLine(path), projectPath)).join(", ");
  }
  const first = key ?? [...given.keys()].find((name) => typeof given.get(name) === "string");
  const text = shellLine ?? (first === undefined ? undefined : String(given.get(first)));
  if (text !== undefined) return inProject(cutLine(text), projectPath);
  return given.size === 0 ? "" : safeLine(briefJson(args, TARGET_LENGTH));
}

function cutLine(text: string): string {
  return safeLine(text.slice(0, TARGET_LENGTH));
}

function inProject(path: string, projectPath: string | null): string {
  if (projectPath === null || !path.startsWith(projectPath)) return path;
  const inside = path.slice(projectPath.length);
  if (inside === "") return ".";
  return /^[\\/]/.test(inside) ? inside.slice(1) : path;
}

function todoCounts(todos: readonly { status: string }[]): string {
  const done = todos.filter(({ status }) => status === "completed").length;
  return `${counted(todos.length, "todo")}, ${exact(done)} done`;
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
  if (outcome === "error") return ending(`✗ ${firstLine(call.output)}`, "red");
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

function firstLine(output: string | null): string {
  const text = (output ?? "").slice(0, 2000);
  return safeLine(text.split("\n").find((line) => line.trim() !== "") ?? "failed");
}

function argumentLines(args: unknown, { style, columns }: CallView): string[] {
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
function diffLines(diff: string, { style, columns }: CallView): string[] {
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
