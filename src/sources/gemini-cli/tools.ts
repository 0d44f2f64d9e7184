import type { ToolCall } from "../../core/session/tool-call.ts";
import type { ToolDescription } from "../decoding/tool-families.ts";
import { describeUnknown, tableOf } from "../decoding/tool-families.ts";
import type { ToolTable } from "../source.ts";

/** Every built-in tool of every version, and other names used for them in documentation. */
export const toolTable: ToolTable = tableOf({
  read: ["read_file", "ReadFile", "read_many_files", "ReadManyFiles"],
  docs: ["get_internal_docs"],
  write: ["write_file", "create_file", "WriteFile"],
  edit: ["replace", "edit_file", "EditFile", "Edit"],
  delete: ["delete_file"],
  list: ["list_directory", "list_dir", "ListDir", "ReadFolder"],
  grep: ["grep_search", "search_file_content", "search_files", "SearchText"],
  glob: ["glob", "find_files", "FindFiles"],
  shell: ["run_shell_command", "run_command", "Shell"],
  process: ["list_background_processes", "read_background_output"],
  webFetch: ["web_fetch", "WebFetch"],
  webSearch: ["google_web_search", "web_search", "GoogleSearch"],
  memory: ["save_memory", "SaveMemory"],
  todo: ["write_todos", "write_todos_list", "WriteTodos"],
  plan: ["enter_plan_mode", "exit_plan_mode"],
  topic: ["update_topic"],
  task: [
    "tracker_create_task",
    "tracker_update_task",
    "tracker_get_task",
    "tracker_list_tasks",
    "tracker_add_dependency",
    "tracker_visualize",
  ],
  skill: ["activate_skill"],
  ask: ["ask_user"],
  investigator: ["codebase_investigator"],
  agent: [
    "delegate_to_agent",
    "invoke_agent",
    "introspection_agent",
    "cli_help",
    "generalist",
    "browser_agent",
  ],
  complete: ["complete_task"],
  resource: ["list_mcp_resources", "read_mcp_resource"],
});

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
