import { describe, expect, test } from "vitest";
import { describeTool } from "../../../src/sources/gemini-cli/tools.ts";

/** Every tool of any version: label, canonical name, category. */
const BUILT_IN: Record<string, [label: string, canonical: string, category: string]> = {
  read_file: ["Read", "file_read", "Read"],
  read_many_files: ["Read", "file_read", "Read"],
  get_internal_docs: ["Docs", "file_read", "Read"],
  write_file: ["Write", "file_write", "Edit"],
  replace: ["Edit", "file_edit", "Edit"],
  list_directory: ["LS", "file_read", "Read"],
  glob: ["Glob", "file_search", "Search"],
  search_file_content: ["Grep", "file_search", "Search"],
  grep_search: ["Grep", "file_search", "Search"],
  run_shell_command: ["Bash", "shell_exec", "Execute"],
  list_background_processes: ["Process", "shell_exec", "Execute"],
  read_background_output: ["Process", "shell_exec", "Execute"],
  web_fetch: ["WebFetch", "web_access", "Fetch"],
  google_web_search: ["WebSearch", "web_access", "Fetch"],
  save_memory: ["Memory", "memory", "Think"],
  write_todos: ["Todo", "planning", "Plan"],
  write_todos_list: ["Todo", "planning", "Plan"],
  activate_skill: ["Skill", "skill", "Other"],
  ask_user: ["Ask", "ask_user", "Ask"],
  enter_plan_mode: ["Plan", "planning", "Plan"],
  exit_plan_mode: ["Plan", "planning", "Plan"],
  update_topic: ["Topic", "planning", "Plan"],
  tracker_create_task: ["Task", "planning", "Plan"],
  tracker_update_task: ["Task", "planning", "Plan"],
  tracker_get_task: ["Task", "planning", "Plan"],
  tracker_list_tasks: ["Task", "planning", "Plan"],
  tracker_add_dependency: ["Task", "planning", "Plan"],
  tracker_visualize: ["Task", "planning", "Plan"],
  codebase_investigator: ["Agent", "file_search", "Search"],
  delegate_to_agent: ["Agent", "agent", "Agent"],
  invoke_agent: ["Agent", "agent", "Agent"],
  introspection_agent: ["Agent", "agent", "Agent"],
  cli_help: ["Agent", "agent", "Agent"],
  generalist: ["Agent", "agent", "Agent"],
  browser_agent: ["Agent", "agent", "Agent"],
  complete_task: ["Complete", "agent_result", "Agent"],
  list_mcp_resources: ["Resource", "mcp_resource", "Mcp"],
  read_mcp_resource: ["Resource", "mcp_resource", "Mcp"],
};

/** Names of the same tools in other documents. */
const OTHER_NAMES: Record<string, string> = {
  ReadFile: "Read",
  create_file: "Write",
  WriteFile: "Write",
  edit_file: "Edit",
  EditFile: "Edit",
  delete_file: "Delete",
  list_dir: "LS",
  ListDir: "LS",
  search_files: "Grep",
  SearchText: "Grep",
  find_files: "Glob",
  run_command: "Bash",
  Shell: "Bash",
  web_search: "WebSearch",
};

describe("a tool", () => {
  test.each(Object.entries(BUILT_IN))("%s is %s", (name, [label, canonical, category]) => {
    expect(describeTool(name, undefined)).toEqual({ label, canonical, category });
  });

  test.each(Object.entries(OTHER_NAMES))("%s has the label %s", (name, label) => {
    expect(describeTool(name, undefined).label).toBe(label);
  });

  test.each(["no_such_tool_xyz", "discovered_tool_lint", "toString", "__proto__", ""])(
    "%s is unchanged",
    (name) => {
      expect(describeTool(name, undefined)).toEqual({
        label: name,
        canonical: name,
        category: "Other",
      });
    },
  );
});

describe("a tool of an MCP server", () => {
  test("is recognised by its prefix from 0.33 on", () => {
    expect(describeTool("mcp_demo_echo_text", undefined)).toMatchObject({
      category: "Mcp",
      mcp: { server: "demo", tool: "echo_text" },
    });
  });

  test("is named after its display if that is more precise", () => {
    const shown = "echo_text (my_server MCP Server)";
    expect(describeTool("mcp_my_server_echo_text", shown).mcp).toEqual({
      server: "my_server",
      tool: "echo_text",
    });
    expect(describeTool("echo_text", shown).mcp).toEqual({
      server: "my_server",
      tool: "echo_text",
    });
  });

  test("is recognised by both names if two servers have the same tool", () => {
    expect(describeTool("demo__echo_text", undefined).mcp).toEqual({
      server: "demo",
      tool: "echo_text",
    });
  });

  test("may belong to a server with unusual characters", () => {
    const shown = "x (my server MCP Server)";
    expect(describeTool("mcp_my_server_x", shown).mcp).toEqual({ server: "my server", tool: "x" });
  });
});
