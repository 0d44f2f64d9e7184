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
const FETCH: Row = ["WebFetch", "web_access", "Fetch"];
const SEARCH: Row = ["WebSearch", "web_access", "Fetch"];
const MEMORY: Row = ["Memory", "memory", "Think"];
const THINK: Row = ["Think", "thinking", "Think"];
const TODO: Row = ["Todo", "planning", "Plan"];
const PLAN: Row = ["Plan", "planning", "Plan"];
const TASK: Row = ["Task", "planning", "Plan"];
const SKILL: Row = ["Skill", "skill", "Other"];
const AGENT: Row = ["Agent", "agent", "Agent"];
const MESSAGE: Row = ["Message", "agent", "Agent"];
const ASK: Row = ["Ask", "ask_user", "Ask"];
const RESOURCE: Row = ["Resource", "mcp_resource", "Mcp"];
const TOOL_SEARCH: Row = ["ToolSearch", "tool_search", "Search"];
const SCHEDULE: Row = ["Schedule", "scheduling", "Other"];
const WORKTREE: Row = ["Worktree", "worktree", "Other"];

/** Every built-in tool of every version, 0.2 to 2.1; names come and go. */
const TOOLS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["Read", READ],
  ["View", READ],
  ["NotebookRead", READ],
  ["ReadNotebook", READ],
  ["Write", WRITE],
  ["Replace", WRITE],
  ["Edit", EDIT],
  ["MultiEdit", EDIT],
  ["NotebookEdit", EDIT],
  ["NotebookEditCell", EDIT],
  ["LS", LIST],
  ["Grep", GREP],
  ["GrepTool", GREP],
  ["Glob", GLOB],
  ["GlobTool", GLOB],
  ["LSP", ["LSP", "code_search", "Search"]],
  ["Bash", SHELL],
  ["PowerShell", SHELL],
  ["REPL", SHELL],
  ["BashOutput", PROCESS],
  ["KillBash", PROCESS],
  ["KillShell", PROCESS],
  ["TaskOutput", PROCESS],
  ["TaskStop", PROCESS],
  ["Monitor", PROCESS],
  ["Sleep", PROCESS],
  ["WebFetch", FETCH],
  ["WebFetchTool", FETCH],
  ["web_fetch", FETCH],
  ["WebSearch", SEARCH],
  ["web_search", SEARCH],
  ["MemoryRead", MEMORY],
  ["MemoryWrite", MEMORY],
  ["Think", THINK],
  ["think", THINK],
  ["Architect", THINK],
  ["advisor", THINK],
  ["TodoRead", TODO],
  ["TodoWrite", TODO],
  ["TaskCreate", TASK],
  ["TaskUpdate", TASK],
  ["TaskGet", TASK],
  ["TaskList", TASK],
  ["EnterPlanMode", PLAN],
  ["ExitPlanMode", PLAN],
  ["exit_plan_mode", PLAN],
  ["Task", AGENT],
  ["Agent", AGENT],
  ["dispatch_agent", AGENT],
  ["BatchTool", AGENT],
  ["Workflow", AGENT],
  ["AgentOutputTool", AGENT],
  ["SendMessage", MESSAGE],
  ["TeamCreate", MESSAGE],
  ["TeamDelete", MESSAGE],
  ["StructuredOutput", ["Complete", "agent_result", "Agent"]],
  ["Skill", SKILL],
  ["SlashCommand", SKILL],
  ["AskUserQuestion", ASK],
  ["ToolSearch", TOOL_SEARCH],
  ["ListMcpResourcesTool", RESOURCE],
  ["ReadMcpResourceTool", RESOURCE],
  ["ListMcpResources", RESOURCE],
  ["ReadMcpResource", RESOURCE],
  ["CronCreate", SCHEDULE],
  ["CronDelete", SCHEDULE],
  ["CronList", SCHEDULE],
  ["ScheduleWakeup", SCHEDULE],
  ["RemoteTrigger", SCHEDULE],
  ["EnterWorktree", WORKTREE],
  ["ExitWorktree", WORKTREE],
]);

export const toolTable: ToolTable = {
  find(name) {
    const row = TOOLS.get(name);
    return row && { label: row[0], canonical: row[1], category: row[2] };
  },
};

type ToolDescription = Pick<ToolCall, "label" | "canonical" | "category" | "mcp">;

export function describeTool(name: string): ToolDescription {
  const row = TOOLS.get(name);
  if (row) return { label: row[0], canonical: row[1], category: row[2] };
  const mcp = mcpName(name);
  const category: ToolCategory = mcp ? "Mcp" : "Other";
  return { label: name, canonical: name, category, ...(mcp ? { mcp } : {}) };
}

/** `mcp__<server>__<tool>`; the name of a server may hold single underscores. */
function mcpName(name: string): ToolCall["mcp"] {
  if (!name.startsWith("mcp__")) return undefined;
  const at = name.indexOf("__", 5);
  if (at <= 5 || at + 2 >= name.length) return undefined;
  return { server: name.slice(5, at), tool: name.slice(at + 2) };
}
