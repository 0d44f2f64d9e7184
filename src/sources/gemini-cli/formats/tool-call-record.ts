import { addAll } from "../../../core/lists.ts";
import type { Attachment } from "../../../core/session/attachment.ts";
import type { ToolResult } from "../../../core/session/message.ts";
import type { ToolCall, ToolDisplay, ToolOutcome } from "../../../core/session/tool-call.ts";
import { readArgs, readContent } from "../../decoding/content.ts";
import { effectsOf } from "../../decoding/tool-effects.ts";
import { describeTool } from "../tools.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText, asTime } from "../../decoding/fields.ts";
import { readDisplay } from "../../decoding/tool-display.ts";

/**
 * One element of `toolCalls`:
 *
 *     {"id": "read_file_1_0", "name": "read_file", "args": {"file_path": "a.txt"},
 *      "result": [{"functionResponse": {"id": "read_file_1_0", "response": {"output": "hi"}}}],
 *      "status": "success", "timestamp": "…", "displayName": "ReadFile", "resultDisplay": "…"}
 */
export function readToolCall(recorded: Json, index: number): ToolCall {
  const name = asName(recorded["name"]) ?? "unknown";
  const id = asName(recorded["id"]) ?? `${name}#${index}`;
  const displayName = asName(recorded["displayName"]);
  const result = ownResult(recorded["result"], id);
  const outcome = outcomeOf(asText(recorded["status"]), result);
  const display = readDisplay(recorded["resultDisplay"]);
  const call = begin({ id, name, args: readArgs(recorded["args"]), displayName, display });
  const status = asName(recorded["status"]);
  const asked = askedAt(id);
  const at = asTime(recorded["timestamp"]);
  const output = result?.output;
  const description = asName(recorded["description"]);
  const agentId = asName(recorded["agentId"]);
  if (outcome !== undefined) call.outcome = outcome;
  if (status !== undefined) call.status = status;
  if (asked !== undefined) call.askedAt = asked;
  if (at !== undefined) call.at = at;
  if (output !== undefined) call.output = output;
  if (isCut(output)) call.isCut = true;
  if (display !== undefined) call.display = display;
  if (displayName !== undefined) call.displayName = displayName;
  if (description !== undefined) call.description = description;
  if (agentId !== undefined) call.agentId = agentId;
  const attachments = ownAttachments(recorded["result"], id);
  if (attachments.length > 0) call.attachments = attachments;
  return call;
}

interface Asked {
  id: string;
  name: string;
  args: unknown;
  displayName?: string | undefined;
  display?: ToolDisplay | undefined;
}

/** Creates a call with the fields that every call has, and its effects. */
function begin({ id, name, args, displayName, display }: Asked): ToolCall {
  const { label, canonical, category, mcp } = describeTool(name, displayName);
  const call: ToolCall = { id, name, label, canonical, category, args };
  const { shellLine, files } = effectsOf(label, args, display);
  if (mcp !== undefined) call.mcp = mcp;
  if (shellLine !== undefined) call.shellLine = shellLine;
  if (files !== undefined) call.files = files;
  return call;
}

/**
 * Ids that the API did not assign contain the time of the call: `read_file-1794730136934-5c02`.
 */
function askedAt(id: string): string | undefined {
  const moment = /[-_](\d{13})[-_]/.exec(id)?.[1];
  return moment === undefined ? undefined : new Date(Number(moment)).toISOString();
}

/** Returns a call that is known only from the content of the message that made it. */
export function inferredCall(
  call: { id?: string; name: string; args: unknown },
  index: number,
): ToolCall {
  const { name } = call;
  return begin({ id: call.id ?? `${name}#${index}`, name, args: readArgs(call.args) });
}

/** Since 0.44 a call may list the results of all calls of its turn: returns its own. */
function ownResult(recorded: unknown, id: string): ToolResult | undefined {
  if (recorded === undefined || recorded === null) return undefined;
  const content = readContent(recorded);
  const own = content.results.find((result) => result.callId === id);
  if (own) return withSiblings(own, content.texts);
  if (content.results.length === 1) return withSiblings(content.results[0], content.texts);
  if (content.results.length > 1) return undefined;
  const text = content.texts.join("\n");
  return text === "" ? undefined : { output: text, outcome: "success" };
}

/**
 * Images are inside the response (`functionResponse.parts`) or between it and the next response.
 */
function ownAttachments(recorded: unknown, id: string): Attachment[] {
  const own: Attachment[] = [];
  let isOwn = true;
  for (const part of asList(recorded) ?? []) {
    const response = asObject(asObject(part)?.["functionResponse"]);
    if (response) isOwn = (asName(response["id"]) ?? id) === id;
    if (isOwn) addAll(own, readContent([part, ...(asList(response?.["parts"]) ?? [])]).attachments);
  }
  return own;
}

/** Up to 0.21 several tools put a placeholder into the result, and their text beside it. */
function withSiblings(
  result: ToolResult | undefined,
  texts: readonly string[],
): ToolResult | undefined {
  if (!result || texts.length === 0 || !/^Tool execution succeeded\.?$/.test(result.output)) {
    return result;
  }
  return { ...result, output: texts.join("\n") };
}

function outcomeOf(
  status: string | undefined,
  result: ToolResult | undefined,
): ToolOutcome | undefined {
  if (status === "success" || status === "error" || status === "cancelled") return status;
  return result?.outcome;
}

const MASKED = "<tool_output_masked>";
const CUT_OPENINGS = [
  "Tool output was too large and has been truncated.",
  "Output too large. Showing first ",
];

function isCut(output: string | undefined): boolean {
  if (output === undefined) return false;
  const head = output.slice(0, 400);
  return head.includes(MASKED) || CUT_OPENINGS.some((opening) => head.includes(opening));
}
