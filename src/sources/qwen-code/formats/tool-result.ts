import type { ToolDisplay, ToolOutcome } from "../../../core/session/tool-call.ts";
import type { Content } from "../../decoding/content.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import { isAbsolute, linesOfDiff } from "../../decoding/tool-effects.ts";
import { readDisplay } from "../../decoding/tool-display.ts";
import type { CallResult } from "../content.ts";

/**
 * `{"callId": "…", "status": "success", "resultDisplay": …, "errorType": "…"}`, beside the response
 * sent to the model. Records of subagents have no status: the response decides.
 */
export function readCallResult(recorded: unknown, content: Content): CallResult {
  const given: Json = asObject(recorded) ?? {};
  const [response] = content.results;
  const result: CallResult = {};
  const callId = asName(given["callId"]) ?? response?.callId;
  const status = asName(given["status"]);
  const display = readQwenDisplay(given["resultDisplay"]);
  const outcome = outcomeOf(status, response);
  if (callId !== undefined) result.callId = callId;
  if (status !== undefined) result.status = status;
  if (outcome !== undefined) result.outcome = outcome;
  if (display !== undefined) result.display = display;
  if (display?.kind === "diff" && isAbsolute(display.file)) {
    result.change = { path: display.file, ...linesOfDiff(display) };
  } else if (display?.kind === "diff") result.change = { path: "", ...linesOfDiff(display) };
  if (isCut(given["resultDisplay"], response?.output)) result.isCut = true;
  return result;
}

/** Up to 0.15 failed commands were recorded as success: the exit code decides in all versions. */
function outcomeOf(
  status: string | undefined,
  response: Content["results"][number] | undefined,
): ToolOutcome | undefined {
  const recorded = isOutcome(status) ? status : response?.outcome;
  if (recorded !== "success") return recorded;
  return isFailedCommand(response) ? "error" : "success";
}

function isOutcome(status: string | undefined): status is ToolOutcome {
  return status === "success" || status === "error" || status === "cancelled";
}

const SHELL = "run_shell_command";
/** Written by Qwen Code after the output of a command. */
const EXIT_CODE = /^Exit Code: (\d+)$/gm;

function isFailedCommand(response: Content["results"][number] | undefined): boolean {
  if (response?.name !== SHELL) return false;
  const code = [...response.output.matchAll(EXIT_CODE)].at(-1)?.[1];
  return code !== undefined && Number(code) !== 0;
}

/** Reads the forms of Qwen Code, and those that it shares with Gemini CLI. */
function readQwenDisplay(recorded: unknown): ToolDisplay | undefined {
  const shown = asObject(recorded);
  if (!shown) return readDisplay(recorded);
  switch (shown["type"]) {
    case "todo_list":
      return { kind: "todos", todos: (asList(shown["todos"]) ?? []).map(readTodo) };
    case "task_execution":
      return readAgent(shown);
    case "shell_result":
      return { kind: "text", text: asText(shown["text"]) ?? asText(shown["output"]) ?? "" };
    default:
      return shown["ansiOutput"] === undefined
        ? readDisplay(shown)
        : readDisplay(shown["ansiOutput"]);
  }
}

function readTodo(recorded: unknown): { description: string; status: string } {
  const todo: Json = asObject(recorded) ?? {};
  return {
    description: asText(todo["content"]) ?? asText(todo["description"]) ?? "",
    status: asText(todo["status"]) ?? "unknown",
  };
}

function readAgent(shown: Json): ToolDisplay {
  const state = asText(shown["status"]);
  const result = asText(shown["result"]);
  return {
    kind: "agent",
    name: asText(shown["subagentName"]) ?? "agent",
    ...(state === undefined ? {} : { state }),
    ...(result === undefined ? {} : { result }),
    activity: asList(shown["toolCalls"])?.length ?? 0,
  };
}

const CUT_OPENING = "Tool output was too large and has been truncated";

function isCut(display: unknown, output: string | undefined): boolean {
  const shown = asObject(display);
  if (shown?.["truncated"] === true) return true;
  return output?.slice(0, 400).includes(CUT_OPENING) === true;
}
