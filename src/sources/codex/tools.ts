import type { ToolCall } from "../../core/session/tool-call.ts";
import type { ToolDescription } from "../decoding/tool-families.ts";
import { describeUnknown, tableOf } from "../decoding/tool-families.ts";
import type { ToolTable } from "../source.ts";

/** The tools of every version; the model determines which of them are available. */
export const toolTable: ToolTable = tableOf({
  shell: [
    "shell",
    "shell_command",
    "exec_command",
    "local_shell",
    "local_shell_call",
    "container.exec",
    "unified_exec",
  ],
  process: ["write_stdin", "wait", "sleep", "clock__sleep", "clock__curr_time"],
  code: ["exec", "js_repl", "js_repl_reset"],
  edit: ["apply_patch"],
  read: ["read_file", "view_image"],
  list: ["list_dir"],
  grep: ["grep_files"],
  webSearch: ["web_search", "web_search_call", "web__run"],
  plan: ["update_plan"],
  goal: ["create_goal", "update_goal", "get_goal"],
  agent: [
    "spawn_agent",
    "wait_agent",
    "resume_agent",
    "interrupt_agent",
    "close_agent",
    "list_agents",
    "spawn_agents_on_csv",
    "report_agent_job_result",
  ],
  message: ["send_input", "send_message", "followup_task"],
  ask: ["request_user_input", "request_user_input_async", "request_permissions"],
  resource: ["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"],
  skill: ["skill"],
  toolSearch: ["tool_search", "tool_search_call", "tool_suggest"],
  image: ["image_generation", "image_generation_call"],
  memory: ["memory"],
});

/**
 * Describes a tool. MCP tools have been named `abacus__add` (up to 0.36), `mcp__abacus__add`
 * (0.50+) and `add` in the namespace `mcp__abacus__` (0.130). Scripts call some built-in tools in
 * the same way (`web__run`).
 */
export function describeTool(name: string, namespace?: string): ToolDescription {
  const mcp = mcpOf(name, namespace);
  return (mcp ? undefined : toolTable.find(name)) ?? describeUnknown(name, mcp);
}

function mcpOf(name: string, namespace: string | undefined): ToolCall["mcp"] {
  const server = /^mcp__(.+?)(?:__)?$/.exec(namespace ?? "")?.[1];
  if (server !== undefined) return { server, tool: name };
  if (toolTable.find(name)) return undefined;
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
