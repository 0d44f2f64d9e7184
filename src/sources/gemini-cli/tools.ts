import type { ToolCall, ToolCategory } from "../../core/tool-call.ts";
import type { ToolTable } from "../source.ts";

/** label (short family name), canonical (source-independent name), category */
type Row = readonly [label: string, canonical: string, category: ToolCategory];

const READ: Row = ["Read", "file_read", "Read"];
const WRITE: Row = ["Write", "file_write", "Edit"];
const EDIT: Row = ["Edit", "file_edit", "Edit"];
const DELETE: Row = ["Delete", "file_delete", "Edit"];
const LIST: Row = ["LS", "file_read", "Read"];
const GREP: Row = ["Grep", "file_search", "Search"];
const GLOB: Row = ["Glob", "file_search", "Search"];
const SHELL: Row = ["Bash", "shell_exec", "Execute"];
const FETCH: Row = ["WebFetch", "web_access", "Fetch"];
const SEARCH: Row = ["WebSearch", "web_access", "Fetch"];
const MEMORY: Row = ["Memory", "memory", "Think"];
const TODO: Row = ["Todo", "planning", "Plan"];
const PLAN: Row = ["Plan", "planning", "Plan"];
const TASK: Row = ["Task", "planning", "Plan"];
const SKILL: Row = ["Skill", "skill", "Other"];
const AGENT: Row = ["Agent", "agent", "Agent"];
const ASK: Row = ["Ask", "ask_user", "Ask"];
const RESOURCE: Row = ["Resource", "mcp_resource", "Mcp"];
const PROCESS: Row = ["Process", "shell_exec", "Execute"];

/** Every built-in tool of every version, and the names that other documents use for them. */
const TOOLS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["read_file", READ],
  ["ReadFile", READ],
  ["read_many_files", READ],
  ["ReadManyFiles", READ],
  ["get_internal_docs", ["Docs", "file_read", "Read"]],
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
  ["web_fetch", FETCH],
  ["WebFetch", FETCH],
  ["google_web_search", SEARCH],
  ["web_search", SEARCH],
  ["GoogleSearch", SEARCH],
  ["save_memory", MEMORY],
  ["SaveMemory", MEMORY],
  ["write_todos", TODO],
  ["write_todos_list", TODO],
  ["WriteTodos", TODO],
  ["enter_plan_mode", PLAN],
  ["exit_plan_mode", PLAN],
  ["update_topic", ["Topic", "planning", "Plan"]],
  ["tracker_create_task", TASK],
  ["tracker_update_task", TASK],
  ["tracker_get_task", TASK],
  ["tracker_list_tasks", TASK],
  ["tracker_add_dependency", TASK],
  ["tracker_visualize", TASK],
  ["activate_skill", SKILL],
  ["ask_user", ASK],
  ["codebase_investigator", ["Agent", "file_search", "Search"]],
  ["delegate_to_agent", AGENT],
  ["invoke_agent", AGENT],
  ["introspection_agent", AGENT],
  ["cli_help", AGENT],
  ["generalist", AGENT],
  ["browser_agent", AGENT],
  ["complete_task", ["Complete", "agent_result", "Agent"]],
  ["list_mcp_resources", RESOURCE],
  ["read_mcp_resource", RESOURCE],
]);

export const toolTable: ToolTable = {
  find(name) {
    const row = TOOLS.get(name);
    return row && { label: row[0], canonical: row[1], category: row[2] };
  },
};

export type ToolDescription = Pick<ToolCall, "label" | "canonical" | "category" | "mcp">;

/** `displayName` helps with MCP tools of old versions, whose names do not show their server. */
export function describeTool(name: string, displayName: string | undefined): ToolDescription {
  const row = TOOLS.get(name);
  if (row) return { label: row[0], canonical: row[1], category: row[2] };
  const mcp = mcpName(name, displayName);
  const category: ToolCategory = mcp ? "Mcp" : "Other";
  return { label: name, canonical: name, category, ...(mcp ? { mcp } : {}) };
}

/**
 * 0.33+: `mcp_<server>_<tool>`; before: the plain tool name, or `server__tool` on a collision. The
 * display name ends with "(server MCP Server)" in all versions and settles where the server ends.
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
