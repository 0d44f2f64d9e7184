import type { ToolCall, ToolCategory } from "../../core/tool-call.ts";
import type { ToolTable } from "../source.ts";

/** label (short family name), canonical (source-independent name), category */
type Row = readonly [label: string, canonical: string, category: ToolCategory];

const READ: Row = ["Read", "file_read", "Read"];
const WRITE: Row = ["Write", "file_write", "Edit"];
const EDIT: Row = ["Edit", "file_edit", "Edit"];
const LIST: Row = ["LS", "file_read", "Read"];
const GREP: Row = ["Grep", "file_search", "Search"];
const GLOB: Row = ["Glob", "file_search", "Search"];
const SHELL: Row = ["Bash", "shell_exec", "Execute"];
const PROCESS: Row = ["Process", "shell_exec", "Execute"];
const WEB_FETCH: Row = ["WebFetch", "web_access", "Fetch"];
const WEB_SEARCH: Row = ["WebSearch", "web_access", "Fetch"];
const MEMORY: Row = ["Memory", "memory", "Think"];
const TODO: Row = ["Todo", "planning", "Plan"];
const PLAN: Row = ["Plan", "planning", "Plan"];
const TASK: Row = ["Task", "planning", "Plan"];
const GOAL: Row = ["Goal", "planning", "Plan"];
const SKILL: Row = ["Skill", "skill", "Other"];
const AGENT: Row = ["Agent", "agent", "Agent"];
const MESSAGE: Row = ["AgentMessage", "agent", "Agent"];
const ASK: Row = ["Ask", "ask_user", "Ask"];
const RESOURCE: Row = ["Resource", "mcp_resource", "Mcp"];
const TOOL_SEARCH: Row = ["ToolSearch", "tool_search", "Search"];
const SCHEDULE: Row = ["Schedule", "schedule", "Other"];
const WORKTREE: Row = ["Worktree", "worktree", "Other"];
const ARTIFACT: Row = ["Artifact", "artifact", "Other"];
const IMAGE: Row = ["Image", "image", "Read"];

/** Every built-in tool of every version. */
const TOOLS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["read_file", READ],
  ["read_many_files", READ],
  ["write_file", WRITE],
  ["edit", EDIT],
  ["replace", EDIT],
  ["notebook_edit", EDIT],
  ["list_directory", LIST],
  ["grep_search", GREP],
  ["search_file_content", GREP],
  ["glob", GLOB],
  ["lsp", ["Lsp", "file_search", "Search"]],
  ["run_shell_command", SHELL],
  ["monitor", PROCESS],
  ["task_stop", PROCESS],
  ["task_output", PROCESS],
  ["web_fetch", WEB_FETCH],
  ["web_search", WEB_SEARCH],
  ["google_web_search", WEB_SEARCH],
  ["save_memory", MEMORY],
  ["todo_write", TODO],
  ["enter_plan_mode", PLAN],
  ["exit_plan_mode", PLAN],
  ["task_create", TASK],
  ["task_get", TASK],
  ["task_list", TASK],
  ["task_update", TASK],
  ["get_goal", GOAL],
  ["propose_goal", GOAL],
  ["update_goal", GOAL],
  ["skill", SKILL],
  ["task", AGENT],
  ["agent", AGENT],
  ["workflow", AGENT],
  ["list_agents", MESSAGE],
  ["send_message", MESSAGE],
  ["ask_user_question", ASK],
  ["list_mcp_resources", RESOURCE],
  ["read_mcp_resource", RESOURCE],
  ["tool_search", TOOL_SEARCH],
  ["cron_create", SCHEDULE],
  ["cron_delete", SCHEDULE],
  ["cron_list", SCHEDULE],
  ["loop_wakeup", SCHEDULE],
  ["enter_worktree", WORKTREE],
  ["exit_worktree", WORKTREE],
  ["artifact", ARTIFACT],
  ["record_artifact", ARTIFACT],
  ["report_findings", ARTIFACT],
  ["display_image", IMAGE],
  ["zoom_image", IMAGE],
]);

export const toolTable: ToolTable = {
  find(name) {
    const row = TOOLS.get(name);
    return row && { label: row[0], canonical: row[1], category: row[2] };
  },
};

export function describeTool(
  name: string,
): Pick<ToolCall, "label" | "canonical" | "category" | "mcp"> {
  const row = TOOLS.get(name);
  if (row) return { label: row[0], canonical: row[1], category: row[2] };
  const mcp = mcpName(name);
  const category: ToolCategory = mcp ? "Mcp" : "Other";
  return { label: name, canonical: name, category, ...(mcp ? { mcp } : {}) };
}

/** `mcp__<server>__<tool>`. */
function mcpName(name: string): ToolCall["mcp"] {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}
