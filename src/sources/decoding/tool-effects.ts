import type { ToolCall, ToolDisplay } from "../../core/session/tool-call.ts";
import type { TouchedFile } from "../../core/rows/touched-file.ts";
import type { Json } from "./fields.ts";
import { asList, asName, asObject, asText } from "./fields.ts";

type Effects = Pick<ToolCall, "shellLine" | "files">;

/**
 * Returns the command line or the files of a call, from its arguments and its displayed result.
 */
export function effectsOf(label: string, args: unknown, display: ToolDisplay | undefined): Effects {
  if (label === "Bash") {
    const shellLine = shellLineOf(args);
    return shellLine === undefined ? {} : { shellLine };
  }
  const how = HOW.get(label);
  if (how === undefined) return {};
  const paths = pathsOf(args, display);
  if (paths.length === 0) return {};
  const lines = how === "read" ? {} : linesOf(args, display);
  const files: TouchedFile[] = [];
  for (const path of paths) files.push({ path, how, ...lines });
  return { files };
}

/** What each tool family does to files. */
export const HOW: ReadonlyMap<string, TouchedFile["how"]> = new Map([
  ["Read", "read"],
  ["Write", "written"],
  ["Edit", "edited"],
]);

/** `{"command": "npm test"}`, `{"cmd": "npm test"}`, `{"command": ["npm", "test"]}`, `npm test`. */
function shellLineOf(args: unknown): string | undefined {
  const given = asObject(args);
  const line = given ? (given["command"] ?? given["cmd"]) : args;
  const words = asList(line);
  return words ? asName(words.map((word) => asText(word) ?? "").join(" ")) : asName(line);
}

export const MAX_PATH = 4096;
const PATH_KEYS = ["file_path", "absolute_path", "path", "target_file"];

function pathsOf(args: unknown, display: ToolDisplay | undefined): string[] {
  const given = asObject(args);
  if (!given) return [];
  const named = namedPath(given);
  if (named === undefined) return (asList(given["paths"]) ?? []).filter(isPath);
  const path = display?.kind === "diff" && isAbsolute(display.file) ? display.file : named;
  return isPath(path) ? [path] : [];
}

function namedPath(given: Json): string | undefined {
  for (const key of PATH_KEYS) {
    const path = asName(given[key]);
    if (path !== undefined) return path;
  }
  return undefined;
}

// `src/**/*.ts` is a pattern, not a path.
function isPath(path: unknown): path is string {
  const name = asName(path);
  return name !== undefined && name.length <= MAX_PATH && !/[*?[\]{}]/.test(name);
}

export function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?[\\/]/.test(path);
}

export type Lines = Pick<TouchedFile, "addedLines" | "removedLines">;

/**
 * Returns the recorded line counts, otherwise those of the recorded diff or of the replaced text.
 */
function linesOf(args: unknown, display: ToolDisplay | undefined): Lines {
  if (display?.kind === "diff") return linesOfDiff(display);
  const given = asObject(args);
  const before = asText(given?.["old_string"]);
  const after = asText(given?.["new_string"]);
  return before === undefined || after === undefined ? {} : countReplacedLines(before, after);
}

/** Returns the number of lines that a displayed change added and removed. */
export function linesOfDiff({ diff, stat }: Extract<ToolDisplay, { kind: "diff" }>): Lines {
  if (!stat) return countDiff(diff);
  return {
    addedLines: stat.addedLines + stat.byUser.addedLines,
    removedLines: stat.removedLines + stat.byUser.removedLines,
  };
}

/** Counts the changed lines of a unified diff; the lines before the first hunk are file names. */
export function countDiff(diff: string): Lines {
  let addedLines = 0;
  let removedLines = 0;
  let from = diff.startsWith("@@") ? 0 : diff.indexOf("\n@@") + 1;
  while (from > 0 || diff.startsWith("@@")) {
    if (diff[from] === "+") addedLines += 1;
    else if (diff[from] === "-") removedLines += 1;
    const next = diff.indexOf("\n", from);
    if (next === -1) break;
    from = next + 1;
  }
  return { addedLines, removedLines };
}

/** Common lines at the start and the end are not counted: they only locate the change. */
export function countReplacedLines(before: string, after: string): Lines {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return { addedLines: fresh.length - head - tail, removedLines: old.length - head - tail };
}

export function splitLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
