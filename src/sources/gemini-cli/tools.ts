import type { ToolCall } from "../../core/session/tool-call.ts";
import type { ToolDescription } from "../decoding/tool-families.ts";
import {
  AGENT,
  ASK,
  COMPLETE,
  DELETE,
  DOCS,
  EDIT,
  GLOB,
  GREP,
  INVESTIGATOR,
  LIST,
  MEMORY,
  PLAN,
  PROCESS,
  READ,
  RESOURCE,
  SHELL,
  SKILL,
  TASK,
  TODO,
  TOPIC,
  WEB_FETCH,
  WEB_SEARCH,
  WRITE,
  describeUnknown,
  tableOf,
} from "../decoding/tool-families.ts";
import type { ToolTable } from "../source.ts";

/** Every built-in tool of every version, and other names used for them in documentation. */
export const toolTable: ToolTable = tableOf([
  ["read_file", READ],
  ["ReadFile", READ],
  ["read_many_files", READ],
  ["ReadManyFiles", READ],
  ["get_internal_docs", DOCS],
  ["write_file", WRITE],
  ["create_file", WRITE],
  ["WriteFile", WRITE],
  ["replace", EDIT],
  ["edit_file", EDIT],
  ["EditFile", EDIT],
  ["Edit", EDIT],
  ["delete_file", DELETE],
  ["list_directory", LIST],
  ["list_dir", LIST],
  ["ListDir", LIST],
  ["ReadFolder", LIST],
  ["grep_search", GREP],
  ["search_file_content", GREP],
  ["search_files", GREP],
  ["SearchText", GREP],
  ["glob", GLOB],
  ["find_files", GLOB],
  ["FindFiles", GLOB],
  ["run_shell_command", SHELL],
  ["run_command", SHELL],
  ["Shell", SHELL],
  ["list_background_processes", PROCESS],
  ["read_background_output", PROCESS],
  ["web_fetch", WEB_FETCH],
  ["WebFetch", WEB_FETCH],
  ["google_web_search", WEB_SEARCH],
  ["web_search", WEB_SEARCH],
  ["GoogleSearch", WEB_SEARCH],
  ["save_memory", MEMORY],
  ["SaveMemory", MEMORY],
  ["write_todos", TODO],
  ["write_todos_list", TODO],
  ["WriteTodos", TODO],
  ["enter_plan_mode", PLAN],
  ["exit_plan_mode", PLAN],
  ["update_topic", TOPIC],
  ["tracker_create_task", TASK],
  ["tracker_update_task", TASK],
  ["tracker_get_task", TASK],
  ["tracker_list_tasks", TASK],
  ["tracker_add_dependency", TASK],
  ["tracker_visualize", TASK],
  ["activate_skill", SKILL],
  ["ask_user", ASK],
  ["codebase_investigator", INVESTIGATOR],
  ["delegate_to_agent", AGENT],
  ["invoke_agent", AGENT],
  ["introspection_agent", AGENT],
  ["cli_help", AGENT],
  ["generalist", AGENT],
  ["browser_agent", AGENT],
  ["complete_task", COMPLETE],
  ["list_mcp_resources", RESOURCE],
  ["read_mcp_resource", RESOURCE],
]);

/** `displayName` identifies MCP tools of old versions, whose names do not contain their server. */
export function describeTool(name: string, displayName: string | undefined): ToolDescription {
  return toolTable.find(name) ?? describeUnknown(name, mcpName(name, displayName));
}

/**
 * 0.33+: `mcp_<server>_<tool>`; earlier: the plain tool name, or `server__tool` on a collision. In
 * all versions the display name ends with "(server MCP Server)", which shows where the server's
 * name ends.
 */
function mcpName(name: string, displayName: string | undefined): ToolCall["mcp"] {
  const server = /\(([^()]+) MCP Server\)$/.exec(displayName ?? "")?.[1];
  if (server !== undefined) return { server, tool: toolOf(name, server) };
  const prefixed = /^mcp_([^_]+)_(.+)$/.exec(name);
  if (prefixed) return { server: prefixed[1] ?? "", tool: prefixed[2] ?? "" };
  const doubled = /^([A-Za-z0-9.-]+)__(.+)$/.exec(name);
  return doubled ? { server: doubled[1] ?? "", tool: doubled[2] ?? "" } : undefined;
}

function toolOf(name: string, server: string): string {
  const safe = server.replace(/[^A-Za-z0-9_.-]/g, "_");
  for (const prefix of [`mcp_${server}_`, `mcp_${safe}_`, `${server}__`, `${safe}__`]) {
    if (name.startsWith(prefix)) return name.slice(prefix.length);
  }
  return name;
}
