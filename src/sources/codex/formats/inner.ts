import { optional } from "../../../core/optional.ts";
import type { ToolOutcome } from "../../../core/session/tool-call.ts";
import type { TouchedFile } from "../../../core/rows/touched-file.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import { filesOfChanges, pathOf, resolved } from "../patch.ts";
import type { RecordMeaning, InnerCall } from "../content.ts";
import { shellLineOf } from "./call.ts";

/**
 * Reads what Codex records about a tool that it ran: an event up to 0.147, later an item.
 *
 *     {"type":"patch_apply_end","call_id":"call_4","success":true,"changes":{…}}
 *     {"type":"mcp_tool_call_end","call_id":"call_2","result":{"Ok":{"isError":true,…}}}
 *     {"type":"CommandExecution","id":"exec-…","command":[…],"status":"failed","exit_code":3}
 */
export function readInner(event: Json, cwd: string | undefined): RecordMeaning | undefined {
  const item = asObject(event["item"]) ?? event;
  const inner = innerOf(item, cwd);
  const id = asName(event["call_id"]) ?? asName(item["id"]);
  if (!inner || id === undefined) return undefined;
  const turnId = asName(event["turn_id"]);
  return { kind: "inner", inner: { id, ...optional("turnId", turnId), ...inner } };
}

type Body = Omit<InnerCall, "id" | "turnId">;

function innerOf(item: Json, cwd: string | undefined): Body | undefined {
  switch (asText(item["type"]) ?? "") {
    case "CommandExecution":
    case "exec_command_end":
      return commandOf(item, cwd);
    case "FileChange":
    case "patch_apply_end": {
      const isDone = item["success"] ?? item["status"] === "completed";
      const files = filesOfChanges(item["changes"], cwd);
      return { outcome: isDone === true ? "success" : outcomeBy(item), files };
    }
    case "McpToolCall":
    case "mcp_tool_call_end":
      return mcpCall(item);
    case "ImageView": {
      const path = asName(item["path"]);
      return path === undefined
        ? undefined
        : { files: [{ path: resolved(path, cwd), how: "read" }] };
    }
    default:
      // Web searches, plans and agents are read from items of the history.
      return undefined;
  }
}

function outcomeBy(item: Json): ToolOutcome {
  return item["status"] === "declined" ? "cancelled" : "error";
}

function commandOf(item: Json, turnCwd: string | undefined): Body {
  const words = (asList(item["command"]) ?? []).map((word) => asText(word) ?? "");
  const place = asName(item["cwd"]);
  const cwd = place === undefined ? turnCwd : pathOf(place);
  const code = item["exit_code"];
  const isDone = typeof code === "number" ? code === 0 : item["status"] === "completed";
  return {
    outcome: isDone ? "success" : outcomeBy(item),
    ...optional("shellLine", shellLineOf(words)),
    ...optional("files", filesRead(item["parsed_cmd"], cwd)),
  };
}

/** `[{"type": "read", "cmd": "cat notes.md", "name": "notes.md", "path": "notes.md"}]` */
function filesRead(parsed: unknown, cwd: string | undefined): TouchedFile[] | undefined {
  const files = (asList(parsed) ?? []).flatMap((element): TouchedFile[] => {
    const part = asObject(element);
    const path = part?.["type"] === "read" ? asName(part["path"]) : undefined;
    return path === undefined ? [] : [{ path: resolved(path, cwd), how: "read" }];
  });
  return files.length === 0 ? undefined : files;
}

function mcpCall(item: Json): Body {
  const call = asObject(item["invocation"]) ?? item;
  const result = asObject(item["result"]);
  const ok = asObject(result?.["Ok"]) ?? result;
  const hasFailed =
    result?.["Err"] !== undefined || ok?.["isError"] === true || item["status"] === "failed";
  const server = asName(call["server"]);
  const tool = asName(call["tool"]);
  return {
    outcome: hasFailed ? "error" : "success",
    ...(server !== undefined && tool !== undefined ? { mcp: { server, tool } } : {}),
  };
}
