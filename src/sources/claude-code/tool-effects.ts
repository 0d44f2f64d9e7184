import type { ToolCall, ToolDisplay } from "../../core/session/tool-call.ts";
import type { Json } from "../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../decoding/fields.ts";
import type { Lines } from "../decoding/tool-effects.ts";
import { countReplacedLines, HOW, MAX_PATH, splitLines } from "../decoding/tool-effects.ts";
import type { ResultRecord } from "./content.ts";

/** Returns the command that a call runs or the file that it touches, from its arguments. */
export function callEffects({
  label,
  args,
}: Pick<ToolCall, "label" | "args">): Pick<ToolCall, "shellLine" | "files"> {
  const given = asObject(args) ?? {};
  if (label === "Bash") {
    const shellLine = asName(given["command"]);
    return shellLine === undefined ? {} : { shellLine };
  }
  const how = HOW.get(label);
  const path = asName(given["file_path"]) ?? asName(given["notebook_path"]);
  if (how === undefined || path === undefined || path.length > MAX_PATH) return {};
  const lines = how === "read" ? {} : linesOfArguments(given);
  return { files: [{ path, how, ...lines }] };
}

/** Counts changed lines from the arguments, until a result has exact numbers. */
function linesOfArguments(given: Json): Lines {
  const edits = asList(given["edits"])?.map(asObject) ?? [given];
  let lines: Lines | undefined;
  for (const edit of edits) {
    const before = asText(edit?.["old_string"]);
    const after = asText(edit?.["new_string"]);
    if (before === undefined || after === undefined) return {};
    lines = plus(lines, countReplacedLines(before, after));
  }
  return lines ?? {};
}

function plus(sum: Lines | undefined, more: Lines): Lines {
  return {
    addedLines: (sum?.addedLines ?? 0) + (more.addedLines ?? 0),
    removedLines: (sum?.removedLines ?? 0) + (more.removedLines ?? 0),
  };
}

interface Hunk {
  lines: string[];
  header: string;
}

/** `[{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2, "lines": ["-a", "+b", " c"]}]` */
function hunksOf(patch: unknown): Hunk[] | undefined {
  return asList(patch)?.map((item) => {
    const hunk = asObject(item) ?? {};
    const lines = (asList(hunk["lines"]) ?? []).flatMap((line) => asText(line) ?? []);
    const range = (start: unknown, count: unknown): string => `${Number(start)},${Number(count)}`;
    const old = range(hunk["oldStart"], hunk["oldLines"]);
    const fresh = range(hunk["newStart"], hunk["newLines"]);
    return { lines, header: `@@ -${old} +${fresh} @@` };
  });
}

/** Returns the file that a successful call changed, with its recorded line counts. */
export function touchedBy(made: Json): ResultRecord["touched"] {
  const hunks = hunksOf(made["structuredPatch"]);
  if (!hunks) return undefined;
  const path = asName(made["filePath"]);
  const named = path === undefined || path.length > MAX_PATH ? {} : { path };
  if (made["type"] === "create") {
    return {
      ...named,
      addedLines: splitLines(asText(made["content"]) ?? "").length,
      removedLines: 0,
    };
  }
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { addedLines: count("+"), removedLines: count("-"), ...named };
}

/** Returns what the user saw of a result. */
export function displayOf(made: Json): ToolDisplay | undefined {
  const todos = asList(made["newTodos"]);
  if (todos) {
    const list = todos.flatMap((item) => {
      const todo = asObject(item);
      const description = asText(todo?.["content"]);
      return description === undefined
        ? []
        : [{ description, status: asText(todo?.["status"]) ?? "" }];
    });
    return { kind: "todos", todos: list };
  }
  const hunks = hunksOf(made["structuredPatch"]);
  const file = asName(made["filePath"]);
  if (!hunks || file === undefined) return undefined;
  const diff = hunks.map(({ header, lines }) => [header, ...lines].join("\n")).join("\n");
  const { addedLines = 0, removedLines = 0 } = touchedBy(made) ?? {};
  const stat = { addedLines, removedLines, byUser: { addedLines: 0, removedLines: 0 } };
  return { kind: "diff", file, diff, isNewFile: made["type"] === "create", stat };
}
