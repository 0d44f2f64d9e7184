import { optional } from "../../../core/optional.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject } from "../../decoding/fields.ts";
import { describeUnknown } from "../../decoding/tool-families.ts";
import type { Report } from "../../source.ts";
import type { PaidRequest, RecordMeaning, ToolEvent } from "../content.ts";
import type { Dialect } from "./usage.ts";
import { dialectOf, readCounts, TELEMETRY } from "./usage.ts";
import { isBefore } from "./facts.ts";
import type { Frame } from "./message.ts";
import { callOf, noticeMessage } from "./message.ts";

/**
 * Reads an event of Qwen Code's own statistics. Only here every request of the process is recorded:
 *
 *     {"uiEvent": {"event.name": "qwen-code.api_response", "model": "M",
 *      "input_token_count": 11016,
 *      "output_token_count": 54, "total_token_count": 11070, "prompt_id": "S########0", …}}
 *
 * Its `response_text` repeats the answer and is left out.
 */
export function readEvent(
  record: Json,
  frame: Omit<Frame, "author">,
  report: Report,
): RecordMeaning {
  const event: Json = asObject(asObject(record["systemPayload"])?.["uiEvent"]) ?? {};
  switch (event["event.name"]) {
    case "qwen-code.api_response":
      return readRequest(event, { record, frame }, report);
    case "qwen-code.tool_call":
      return { kind: "tool-event", event: readToolEvent(event, frame) };
    case "qwen-code.api_error": {
      const text =
        asName(event["error_message"]) ?? asName(event["error"]) ?? "The request failed.";
      const own: Frame = { ...frame, author: "notice" };
      const message = noticeMessage(own, text, "error");
      return { kind: "message", message, ...optional("failedModel", asName(event["model"])) };
    }
    default:
      return { kind: "link" };
  }
}

function readRequest(
  event: Json,
  { record, frame }: { record: Json; frame: Omit<Frame, "author"> },
  report: Report,
): RecordMeaning {
  const dialect = dialectOf(event["auth_type"]);
  const counts = readCounts(event, TELEMETRY, { dialect, place: frame.place, report });
  if (!counts) return { kind: "link" };
  const request: PaidRequest = { counts };
  const model = asName(event["model"]);
  const promptId = asName(event["prompt_id"]);
  const agentName = asName(event["subagent_name"]);
  const agentId = asName(event["subagent_id"]);
  if (model !== undefined) request.model = model;
  if (promptId !== undefined) request.promptId = promptId;
  if (agentName !== undefined) request.agentName = agentName;
  if (agentId !== undefined) request.agentId = agentId;
  if (losesWrites(dialect, asName(record["version"]))) request.isAtLeast = true;
  return { kind: "request", request };
}

/** Before this minor version, tokens written to Anthropic's cache are not counted. */
const WRITES_SINCE = 21;

export function losesWrites(dialect: Dialect, version: string | undefined): boolean {
  return dialect === "anthropic" && isBefore(version, WRITES_SINCE);
}

const OUTCOMES = new Map([
  ["success", "success"],
  ["error", "error"],
  ["cancelled", "cancelled"],
] as const);

function readToolEvent(event: Json, frame: Omit<Frame, "author">): ToolEvent {
  const callId = asName(event["call_id"]);
  const name = asName(event["function_name"]) ?? "unknown";
  const call = callOf({ name, args: event["function_args"] ?? {} }, callId ?? `${frame.id}#0`);
  // The names of MCP tools lack their server in old versions (0.5.0).
  const server = asName(event["mcp_server_name"]);
  if (server !== undefined && !call.mcp) {
    Object.assign(call, describeUnknown(name, { server, tool: name }));
  }
  const status = asName(event["status"]);
  const outcome = OUTCOMES.get(status as "success");
  if (status !== undefined) call.status = status;
  if (outcome !== undefined) call.outcome = outcome;
  if (frame.at !== undefined) call.at = frame.at;
  const promptId = asName(event["prompt_id"]);
  return {
    call,
    hasCallId: callId !== undefined,
    ...(promptId === undefined ? {} : { promptId }),
  };
}
