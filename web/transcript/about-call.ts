import { createContext } from "preact";
import type { ToolCallAnswer } from "../../src/index.ts";
import { counted, exact } from "../figures.ts";
import { safeText } from "../safe-text.ts";

/** The project's folder; paths inside it are shown relative to it. */
export const Folder = createContext<string | null>(null);

const LONGEST = 140;
/** Arguments that describe a call best, in this order. */
const TELLING = [
  "file_path",
  "absolute_path",
  "path",
  "dir_path",
  "pattern",
  "query",
  "url",
  "title",
];
/** The task of a subagent; versions name the arguments differently. */
const TASK = ["prompt", "objective", "task", "message", "question", "query", "request"];
const AGENT = ["agent_name", "agentName", "subagent_type", "task_name"];

/** What the call is about, on one line: the command, the file, the pattern. */
export function aboutCall(call: ToolCallAnswer, folder: string | null): string {
  const line = safeText(textOf(call, folder) ?? call.description ?? "").replace(/\s+/g, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function textOf(call: ToolCallAnswer, folder: string | null): string | undefined {
  const { args, display, files, shellLine } = call;
  if (call.category === "Agent") {
    const task = argument(args, TASK);
    return [argument(args, AGENT) ?? call.name, ...(task === undefined ? [] : [task])].join(": ");
  }
  if (display?.kind === "todos") {
    const done = display.todos.filter(({ status }) => status === "completed").length;
    return `${counted(display.todos.length, "todo")}, ${exact(done)} done`;
  }
  const changed = files.filter(({ how }) => how !== "read");
  if (changed.length > 0) return changed.map(({ path }) => inFolder(path, folder)).join(", ");
  const text = shellLine ?? argument(args, TELLING);
  return text === undefined ? undefined : inFolder(text, folder);
}

/** A path relative to the project's folder, if it is inside. */
export function inFolder(path: string, folder: string | null): string {
  const base = folder?.replace(/[\\/]$/, "");
  if (base === undefined || base === "" || !path.startsWith(base)) return path;
  const inside = path.slice(base.length);
  return inside === "" ? "." : /^[\\/]/.test(inside) ? inside.slice(1) : path;
}

/** The name of a tool; for one of an MCP server, its name there. */
export function toolName({ label, mcp }: ToolCallAnswer): string {
  return mcp?.tool ?? label;
}

/** The first of these arguments that is text. */
function argument(args: unknown, names: readonly string[]): string | undefined {
  const values = new Map(typeof args === "object" && args !== null ? Object.entries(args) : []);
  return names.map((item) => values.get(item)).find((value) => typeof value === "string");
}
