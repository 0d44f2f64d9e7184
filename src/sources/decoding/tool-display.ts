import type { DiffStat, ToolDisplay } from "../../core/session/tool-call.ts";
import type { Json } from "./fields.ts";
import { asList, asObject, asText } from "./fields.ts";

/** Reads `resultDisplay` in the forms that Gemini CLI and its descendants share. */
export function readDisplay(recorded: unknown): ToolDisplay | undefined {
  if (recorded === undefined || recorded === null) return undefined;
  if (typeof recorded === "string") return { kind: "text", text: recorded };
  const lines = asList(recorded);
  if (lines) return { kind: "terminal", text: terminalText(lines) };
  const shown = asObject(recorded);
  if (!shown) return { kind: "unknown", keys: [] };
  return (
    readDiff(shown) ??
    readTodos(shown) ??
    readAgent(shown) ??
    readSummary(shown) ?? { kind: "unknown", keys: Object.keys(shown).slice(0, 20) }
  );
}

/** Each line of terminal output is a list of styled runs: `[{"text": "ok", "bold": true}]`. */
function terminalText(lines: readonly unknown[]): string {
  return lines
    .map((line) =>
      (asList(line) ?? []).map((run) => asText(asObject(run)?.["text"]) ?? "").join(""),
    )
    .join("\n")
    .trimEnd();
}

function readDiff(shown: Json): ToolDisplay | undefined {
  const diff = asText(shown["fileDiff"]);
  if (diff === undefined) return undefined;
  const stat = readStat(asObject(shown["diffStat"]));
  return {
    kind: "diff",
    file: asText(shown["filePath"]) ?? asText(shown["fileName"]) ?? "",
    diff,
    isNewFile: shown["isNewFile"] === true || shown["originalContent"] === null,
    ...(stat ? { stat } : {}),
  };
}

function readStat(stat: Json | undefined): DiffStat | undefined {
  if (!stat) return undefined;
  const count = (key: string): number => {
    const value = stat[key];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
  };
  return {
    addedLines: count("model_added_lines"),
    removedLines: count("model_removed_lines"),
    byUser: { addedLines: count("user_added_lines"), removedLines: count("user_removed_lines") },
  };
}

function readTodos(shown: Json): ToolDisplay | undefined {
  const recorded = asList(shown["todos"]);
  if (!recorded) return undefined;
  const todos = recorded.map((todo) => ({
    description: asText(asObject(todo)?.["description"]) ?? "",
    status: asText(asObject(todo)?.["status"]) ?? "unknown",
  }));
  return { kind: "todos", todos };
}

function readAgent(shown: Json): ToolDisplay | undefined {
  if (shown["isSubagentProgress"] !== true) return undefined;
  const state = asText(shown["state"]);
  const result = asText(shown["result"]);
  return {
    kind: "agent",
    name: asText(shown["agentName"]) ?? "agent",
    ...(state === undefined ? {} : { state }),
    ...(result === undefined ? {} : { result }),
    activity: asList(shown["recentActivity"])?.length ?? 0,
  };
}

function readSummary(shown: Json): ToolDisplay | undefined {
  const summary = asText(shown["summary"]);
  if (summary === undefined) return undefined;
  const items = asList(shown["matches"]) ?? asList(shown["files"]);
  return { kind: "summary", summary, items: items?.length ?? 0 };
}
