import type { ToolCall, ToolCategory } from "../../core/session/tool-call.ts";
import type { ToolNames, ToolTable } from "../source.ts";

/**
 * Tool families: shared names for tools that agents call differently. Label, canonical name,
 * category.
 */
const FAMILIES = {
  read: ["Read", "file_read", "Read"],
  list: ["LS", "file_read", "Read"],
  docs: ["Docs", "file_read", "Read"],
  write: ["Write", "file_write", "Edit"],
  edit: ["Edit", "file_edit", "Edit"],
  delete: ["Delete", "file_delete", "Edit"],
  grep: ["Grep", "file_search", "Search"],
  glob: ["Glob", "file_search", "Search"],
  lsp: ["LSP", "file_search", "Search"],
  investigator: ["Agent", "file_search", "Search"],
  toolSearch: ["ToolSearch", "tool_search", "Search"],
  shell: ["Bash", "shell_exec", "Execute"],
  process: ["Process", "shell_exec", "Execute"],
  code: ["Code", "code_exec", "Execute"],
  webFetch: ["WebFetch", "web_access", "Fetch"],
  webSearch: ["WebSearch", "web_access", "Fetch"],
  memory: ["Memory", "memory", "Think"],
  think: ["Think", "thinking", "Think"],
  todo: ["Todo", "planning", "Plan"],
  plan: ["Plan", "planning", "Plan"],
  task: ["Task", "planning", "Plan"],
  goal: ["Goal", "planning", "Plan"],
  topic: ["Topic", "planning", "Plan"],
  agent: ["Agent", "agent", "Agent"],
  message: ["Message", "agent", "Agent"],
  complete: ["Complete", "agent_result", "Agent"],
  ask: ["Ask", "ask_user", "Ask"],
  resource: ["Resource", "mcp_resource", "Mcp"],
  skill: ["Skill", "skill", "Other"],
  schedule: ["Schedule", "scheduling", "Other"],
  worktree: ["Worktree", "worktree", "Other"],
  artifact: ["Artifact", "artifact", "Other"],
  image: ["Image", "image_generation", "Other"],
  media: ["Media", "media_edit", "Other"],
} as const;

type Family = keyof typeof FAMILIES;

/** Returns an agent's tools, given as the recorded names of each family. */
export function tableOf(names: Readonly<Partial<Record<Family, readonly string[]>>>): ToolTable {
  const byName = new Map<string, ToolNames>();
  for (const [family, tools] of Object.entries(names)) {
    const [label, canonical, category] = FAMILIES[family as Family];
    const described = Object.freeze({ label, canonical, category });
    for (const name of tools) byName.set(name, described);
  }
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
