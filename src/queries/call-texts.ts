import type { ToolCall } from "../core/session/tool-call.ts";
import { isObject } from "../core/json.ts";

/** Arguments that describe a call best, in this order. */
const DESCRIBING = [
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
/** The subagent and its task; versions name the arguments differently. */
const AGENT = ["agent_name", "agentName", "subagent_type", "task_name"];
const TASK = ["prompt", "objective", "task", "message", "question", "query", "request"];

const LONGEST = 400;

/**
 * What a call is about, on one line: its command, files, pattern or task. Paths are relative to the
 * project's folder.
 */
export function callTarget(call: ToolCall, folder: string | undefined): string | undefined {
  const text = textOf(call, folder)?.replace(/\s+/g, " ").trim() ?? "";
  return text === "" ? undefined : cut(text);
}

/** Cut between words: half a secret would not be recognised as one. */
function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  const end = text.lastIndexOf(" ", LONGEST);
  return end === -1 ? text : `${text.slice(0, end)} …`;
}

function textOf(call: ToolCall, folder: string | undefined): string | undefined {
  const { args, display, files = [], shellLine } = call;
  if (call.category === "Agent") {
    const parts = [argument(args, AGENT), argument(args, TASK) ?? call.description];
    const known = parts.filter((part) => part !== undefined);
    if (known.length > 0) return known.join(": ");
  }
  if (display?.kind === "todos") {
    const { length } = display.todos;
    const done = display.todos.filter(({ status }) => status === "completed").length;
    return `${length} ${length === 1 ? "todo" : "todos"}, ${done} done`;
  }
  // A patch contains the names of its files.
  const changed = files.filter(({ how }) => how !== "read");
  if (changed.length > 0) return changed.map(({ path }) => pathWithin(path, folder)).join(", ");
  const text = shellLine ?? argument(args, DESCRIBING) ?? call.description ?? argument(args);
  if (text !== undefined) return pathWithin(text, folder);
  return Object.entries(isObject(args) ? args : {})
    .filter(([, value]) => typeof value === "number" || typeof value === "boolean")
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(", ");
}

/** A path relative to a folder, if it is inside. */
function pathWithin(path: string, folder: string | undefined): string {
  const base = folder?.replace(/[\\/]$/, "") ?? "";
  if (base === "" || !path.startsWith(base)) return path;
  const inside = path.slice(base.length);
  return inside === "" ? "." : /^[\\/]/.test(inside) ? inside.slice(1) : path;
}

/** The first of these arguments that is text; of all, if none are named. */
function argument(args: unknown, names?: readonly string[]): string | undefined {
  const given = new Map(isObject(args) ? Object.entries(args) : []);
  return (names ?? [...given.keys()])
    .map((name) => given.get(name))
    .find((value): value is string => typeof value === "string");
}

const MOST_ERROR = 300;

/** The beginning of what a failed call said. */
export function callError({ outcome, error, output }: ToolCall): string | null {
  const text = outcome === "error" ? (error ?? output)?.trim() : undefined;
  if (text === undefined) return null;
  return text.length > MOST_ERROR ? `${text.slice(0, MOST_ERROR)}…` : text;
}
