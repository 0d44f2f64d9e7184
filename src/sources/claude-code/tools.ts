import type { ToolDescription } from "../decoding/tool-families.ts";
import { describeUnknown, prefixedMcp, tableOf } from "../decoding/tool-families.ts";
import type { ToolTable } from "../source.ts";

/** Every built-in tool of versions 0.2 to 2.1. */
export const toolTable: ToolTable = tableOf({
  read: ["Read", "View", "NotebookRead", "ReadNotebook"],
  write: ["Write", "Replace"],
  edit: ["Edit", "MultiEdit", "NotebookEdit", "NotebookEditCell"],
  list: ["LS"],
  grep: ["Grep", "GrepTool"],
  glob: ["Glob", "GlobTool"],
  lsp: ["LSP"],
  shell: ["Bash", "PowerShell", "REPL"],
  process: ["BashOutput", "KillBash", "KillShell", "TaskOutput", "TaskStop", "Monitor", "Sleep"],
  webFetch: ["WebFetch", "WebFetchTool", "web_fetch"],
  webSearch: ["WebSearch", "web_search"],
  memory: ["MemoryRead", "MemoryWrite"],
  think: ["Think", "think", "Architect", "advisor"],
  todo: ["TodoRead", "TodoWrite"],
  task: ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"],
  plan: ["EnterPlanMode", "ExitPlanMode", "exit_plan_mode"],
  agent: [
    "Task",
    "Agent",
    "dispatch_agent",
    "BatchTool",
    "Workflow",
    "AgentOutputTool",
    "ListAgents",
  ],
  message: ["SendMessage", "TeamCreate", "TeamDelete"],
  complete: ["StructuredOutput"],
  skill: ["Skill", "SlashCommand"],
  ask: ["AskUserQuestion"],
  toolSearch: ["ToolSearch"],
  resource: ["ListMcpResourcesTool", "ReadMcpResourceTool", "ListMcpResources", "ReadMcpResource"],
  schedule: ["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "RemoteTrigger"],
  worktree: ["EnterWorktree", "ExitWorktree"],
  artifact: ["ReportFindings"],
});

export function describeTool(name: string): ToolDescription {
  return toolTable.find(name) ?? describeUnknown(name, prefixedMcp(name));
}
