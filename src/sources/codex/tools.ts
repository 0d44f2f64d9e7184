import type { ToolCall } from "../../core/session/tool-call.ts";
import type { ToolDescription } from "../decoding/tool-families.ts";
import {
  AGENT,
  ASK,
  CODE,
  EDIT,
  GOAL,
  GREP,
  IMAGE,
  LIST,
  MEMORY,
  MESSAGE,
  PLAN,
  PROCESS,
  READ,
  RESOURCE,
  SHELL,
  SKILL,
  TOOL_SEARCH,
  WEB_SEARCH,
  describeUnknown,
  tableOf,
} from "../decoding/tool-families.ts";
import type { ToolTable } from "../source.ts";

/** The tools of every version; the model determines which of them are available. */
export const toolTable: ToolTable = tableOf([
  ["shell", SHELL],
  ["shell_command", SHELL],
  ["exec_command", SHELL],
  ["local_shell", SHELL],
  ["local_shell_call", SHELL],
  ["container.exec", SHELL],
  ["unified_exec", SHELL],
  ["write_stdin", PROCESS],
  ["wait", PROCESS],
  ["exec", CODE],
  ["js_repl", CODE],
  ["js_repl_reset", CODE],
  ["apply_patch", EDIT],
  ["read_file", READ],
  ["view_image", READ],
  ["list_dir", LIST],
  ["grep_files", GREP],
  ["web_search", WEB_SEARCH],
  ["web_search_call", WEB_SEARCH],
  ["update_plan", PLAN],
  ["create_goal", GOAL],
  ["update_goal", GOAL],
  ["get_goal", GOAL],
  ["spawn_agent", AGENT],
  ["wait_agent", AGENT],
  ["send_input", MESSAGE],
  ["send_message", MESSAGE],
  ["followup_task", MESSAGE],
  ["resume_agent", AGENT],
  ["interrupt_agent", AGENT],
  ["close_agent", AGENT],
  ["list_agents", AGENT],
  ["spawn_agents_on_csv", AGENT],
  ["report_agent_job_result", AGENT],
  ["request_user_input", ASK],
  ["request_permissions", ASK],
  ["list_mcp_resources", RESOURCE],
  ["list_mcp_resource_templates", RESOURCE],
  ["read_mcp_resource", RESOURCE],
  ["skill", SKILL],
  ["tool_search", TOOL_SEARCH],
  ["tool_search_call", TOOL_SEARCH],
  ["tool_suggest", TOOL_SEARCH],
  ["image_generation", IMAGE],
  ["image_generation_call", IMAGE],
  ["memory", MEMORY],
]);

/**
 * Describes a tool. MCP tools have been named `abacus__add` (up to 0.36), `mcp__abacus__add`
 * (0.50+) and `add` in the namespace `mcp__abacus__` (0.130).
 */
export function describeTool(name: string, namespace?: string): ToolDescription {
  const mcp = mcpOf(name, namespace);
  return (mcp ? undefined : toolTable.find(name)) ?? describeUnknown(name, mcp);
}

function mcpOf(name: string, namespace: string | undefined): ToolCall["mcp"] {
  const server = /^mcp__(.+?)(?:__)?$/.exec(namespace ?? "")?.[1];
  if (server !== undefined) return { server, tool: name };
  const match = /^(?:mcp__)?(.+?)__(.+)$/.exec(name);
  return match ? { server: match[1] ?? "", tool: match[2] ?? "" } : undefined;
}

const INNER = /\btools\s*(?:\.\s*([A-Za-z_$][\w$]*)|\[\s*["'`]([\w$.-]+)["'`]\s*\])\s*\(/g;

/** Names of the tools that a script of code mode calls: `await tools.exec_command({…})`. */
function innerTools(script: string): string[] {
  const names = [...script.matchAll(INNER)].map((match) => match[1] ?? match[2] ?? "");
  return [...new Set(names)];
}

/** Reports treat a script that uses only one tool as a call of that tool. */
export function describeScript(script: string): ToolDescription {
  const [only, ...others] = innerTools(script);
  return only !== undefined && others.length === 0 ? describeTool(only) : describeTool("exec");
}
