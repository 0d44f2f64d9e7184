import type { ToolCall, ToolCategory } from "../../core/session/tool-call.ts";
import type { ToolNames, ToolTable } from "../source.ts";

/** Tool families: shared names for tools that agents call differently. */

export const READ: ToolNames = family("Read", "file_read", "Read");
export const LIST: ToolNames = family("LS", "file_read", "Read");
export const DOCS: ToolNames = family("Docs", "file_read", "Read");
export const WRITE: ToolNames = family("Write", "file_write", "Edit");
export const EDIT: ToolNames = family("Edit", "file_edit", "Edit");
export const DELETE: ToolNames = family("Delete", "file_delete", "Edit");
export const GREP: ToolNames = family("Grep", "file_search", "Search");
export const GLOB: ToolNames = family("Glob", "file_search", "Search");
export const LSP: ToolNames = family("LSP", "file_search", "Search");
export const INVESTIGATOR: ToolNames = family("Agent", "file_search", "Search");
export const TOOL_SEARCH: ToolNames = family("ToolSearch", "tool_search", "Search");
export const SHELL: ToolNames = family("Bash", "shell_exec", "Execute");
export const PROCESS: ToolNames = family("Process", "shell_exec", "Execute");
export const CODE: ToolNames = family("Code", "code_exec", "Execute");
export const WEB_FETCH: ToolNames = family("WebFetch", "web_access", "Fetch");
export const WEB_SEARCH: ToolNames = family("WebSearch", "web_access", "Fetch");
export const MEMORY: ToolNames = family("Memory", "memory", "Think");
export const THINK: ToolNames = family("Think", "thinking", "Think");
export const TODO: ToolNames = family("Todo", "planning", "Plan");
export const PLAN: ToolNames = family("Plan", "planning", "Plan");
export const TASK: ToolNames = family("Task", "planning", "Plan");
export const GOAL: ToolNames = family("Goal", "planning", "Plan");
export const TOPIC: ToolNames = family("Topic", "planning", "Plan");
export const AGENT: ToolNames = family("Agent", "agent", "Agent");
export const MESSAGE: ToolNames = family("Message", "agent", "Agent");
export const COMPLETE: ToolNames = family("Complete", "agent_result", "Agent");
export const ASK: ToolNames = family("Ask", "ask_user", "Ask");
export const RESOURCE: ToolNames = family("Resource", "mcp_resource", "Mcp");
export const SKILL: ToolNames = family("Skill", "skill", "Other");
export const SCHEDULE: ToolNames = family("Schedule", "scheduling", "Other");
export const WORKTREE: ToolNames = family("Worktree", "worktree", "Other");
export const ARTIFACT: ToolNames = family("Artifact", "artifact", "Other");
export const IMAGE: ToolNames = family("Image", "image_generation", "Other");

function family(label: string, canonical: string, category: ToolCategory): ToolNames {
  return Object.freeze({ label, canonical, category });
}

/** Returns an agent's tools by their recorded names. */
export function tableOf(tools: Iterable<readonly [name: string, family: ToolNames]>): ToolTable {
  const byName = new Map(tools);
  return { names: [...byName.keys()], find: (name) => byName.get(name) };
}

export type ToolDescription = ToolNames & Pick<ToolCall, "mcp">;

/** A tool that is in no table keeps its name. */
export function describeUnknown(name: string, mcp: ToolCall["mcp"]): ToolDescription {
  const category: ToolCategory = mcp ? "Mcp" : "Other";
  return { label: name, canonical: name, category, ...(mcp ? { mcp } : {}) };
}

/** `mcp__<server>__<tool>`; a server's name may contain single underscores. */
export function prefixedMcp(name: string): ToolCall["mcp"] {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}
