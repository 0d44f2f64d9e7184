import type { ToolCall, ToolCategory } from "../../core/tool-call.ts";
import type { ToolTable } from "../source.ts";

/** label (short family name), canonical (source-independent name), category */
type Row = readonly [label: string, canonical: string, category: ToolCategory];

const SHELL: Row = ["Bash", "shell_exec", "Execute"];
const PROCESS: Row = ["Process", "shell_exec", "Execute"];
const CODE: Row = ["Code", "code_exec", "Execute"];
const READ: Row = ["Read", "file_read", "Read"];
const LIST: Row = ["LS", "file_read", "Read"];
const GREP: Row = ["Grep", "file_search", "Search"];
const EDIT: Row = ["Edit", "file_edit", "Edit"];
const SEARCH: Row = ["WebSearch", "web_access", "Fetch"];
const PLAN: Row = ["Plan", "planning", "Plan"];
const AGENT: Row = ["Agent", "agent", "Agent"];
const ASK: Row = ["Ask", "ask_user", "Ask"];
const RESOURCE: Row = ["Resource", "mcp_resource", "Mcp"];
const SKILL: Row = ["Skill", "skill", "Other"];
const TOOL: Row = ["ToolSearch", "tool_search", "Other"];
const IMAGE: Row = ["Image", "image_generation", "Other"];
const MEMORY: Row = ["Memory", "memory", "Think"];

/** The tools of every version; which of them a model gets depends on the model, too. */
const TOOLS: ReadonlyMap<string, Row> = new Map<string, Row>([
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
  ["web_search", SEARCH],
  ["web_search_call", SEARCH],
  ["update_plan", PLAN],
  ["create_goal", PLAN],
  ["update_goal", PLAN],
  ["get_goal", PLAN],
  ["spawn_agent", AGENT],
  ["wait_agent", AGENT],
  ["send_input", AGENT],
  ["send_message", AGENT],
  ["followup_task", AGENT],
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
  ["tool_search", TOOL],
  ["tool_search_call", TOOL],
  ["tool_suggest", TOOL],
  ["image_generation", IMAGE],
  ["image_generation_call", IMAGE],
  ["memory", MEMORY],
]);

export const toolTable: ToolTable = {
  find(name) {
    const row = TOOLS.get(name);
    return row && { label: row[0], canonical: row[1], category: row[2] };
  },
};

export type ToolDescription = Pick<ToolCall, "label" | "canonical" | "category" | "mcp">;

/**
 * The family of a tool. MCP tools have been called `abacus__add` (up to 0.36), `mcp__abacus__add`
 * (0.50+) and `add` in the namespace `mcp__abacus__` (0.130).
 */
export function describeTool(name: string, namespace?: string): ToolDescription {
  const mcp = mcpOf(name, namespace);
  if (mcp) return { label: name, canonical: name, category: "Mcp", mcp };
  const row = TOOLS.get(name);
  if (!row) return { label: name, canonical: name, category: "Other" };
  return { label: row[0], canonical: row[1], category: row[2] };
}

function mcpOf(name: string, namespace: string | undefined): ToolCall["mcp"] {
  const server = /^mcp__(.+?)(?:__)?$/.exec(namespace ?? "")?.[1];
  if (server !== undefined) return { server, tool: name };
  const match = /^(?:mcp__)?(.+?)__(.+)$/.exec(name);
  return match ? { server: match[1] ?? "", tool: match[2] ?? "" } : undefined;
}

const INNER = /\btools\s*(?:\.\s*([A-Za-z_$][\w$]*)|\[\s*["'`]([\w$.-]+)["'`]\s*\])\s*\(/g;

/** Names of the tools that a script of code mode calls: `await tools.exec_command({…})`. */
export function innerTools(script: string): string[] {
  const names = [...script.matchAll(INNER)].map((match) => match[1] ?? match[2] ?? "");
  return [...new Set(names)];
}

/** A script that uses one tool only is a call of that tool to those who look at reports. */
export function describeScript(script: string): ToolDescription {
  const [only, ...others] = innerTools(script);
  return only !== undefined && others.length === 0 ? describeTool(only) : describeTool("exec");
}
