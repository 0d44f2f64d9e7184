import { describe, expect, test } from "vitest";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";

function reply(id: string, seconds: number, ...toolCalls: object[]): object {
  return model(id, seconds, { toolCalls });
}

const diff = (stat?: object): object => ({
  fileDiff: "--- a\n+++ b\n@@ -1,2 +1,3 @@\n same\n-old\n+new\n+newer\n",
  fileName: "b.ts",
  filePath: "/home/ada/projects/ledger/src/b.ts",
  originalContent: "same\nold",
  newContent: "same\nnew\nnewer",
  ...(stat ? { diffStat: stat } : {}),
});

const records = [
  header("s1"),
  user("u1", 0, "work"),
  reply(
    "g1",
    1,
    call("c1", "read_file", { args: { file_path: "src/b.ts" }, output: "x", seconds: 2 }),
    call("c2", "read_file", {
      args: { file_path: "gone.ts" },
      error: "no such file",
      status: "error",
    }),
  ),
  reply(
    "g2",
    10,
    call("c3", "replace", {
      args: { file_path: "src/b.ts", old_string: "old", new_string: "new" },
      output: "ok",
      seconds: 12,
      resultDisplay: diff({ model_added_lines: 5, model_removed_lines: 1, user_added_lines: 2 }),
    }),
  ),
  reply(
    "g3",
    20,
    call("c4", "write_file", { args: { file_path: "/tmp/x" }, resultDisplay: diff() }),
  ),
  reply(
    "g4",
    30,
    call("c5", "replace", {
      args: { file_path: "c.ts", old_string: "a\nb\nc\n", new_string: "a\nB\nB\nc\n" },
      output: "ok",
    }),
    call("c6", "write_file", { args: { file_path: "d.ts", content: "x" }, output: "ok" }),
  ),
  reply(
    "g5",
    40,
    call("c7", "run_shell_command", { args: { command: "npm test | tail && git diff" } }),
    call("c8", "run_shell_command", { args: '{"cmd": "git log"}' as never, output: "x" }),
    call("c9", "run_shell_command", {
      args: { command: "rm -rf x" },
      error: "no",
      status: "cancelled",
    }),
  ),
  reply(
    "g6",
    50,
    call("ca", "mcp_github_list_issues", { output: "x" }),
    call("cb", "weather", { output: "x", displayName: "weather (sky MCP Server)" }),
  ),
];

function library() {
  return homeWith({
    "chats/session-a.jsonl": jsonl(...records),
    // The calls are repeated by an import and by a copy of the folder.
    "chats/session-1770000000000-bbbb.jsonl": jsonl(
      header("s2", { hasResumableContent: true }),
      ...records.slice(1),
    ),
    "../ledger-1/chats/session-a.jsonl": jsonl(...records),
  }).library;
}

describe("tools", () => {
  test("count every call once, with its outcome", async () => {
    const { tools, totals } = await library().tools();
    expect(tools.map(({ time: _time, ...row }) => row)).toEqual([
      {
        name: "run_shell_command",
        label: "Bash",
        canonical: "shell_exec",
        category: "Execute",
        mcpServer: null,
        mcpTool: null,
        calls: 3,
        success: 2,
        error: 0,
        cancelled: 1,
      },
      expect.objectContaining({ name: "read_file", calls: 2, success: 1, error: 1, cancelled: 0 }),
      expect.objectContaining({ name: "replace", calls: 2, success: 2 }),
      expect.objectContaining({ name: "write_file", calls: 2, success: 2 }),
      expect.objectContaining({
        name: "mcp_github_list_issues",
        category: "Mcp",
        mcpServer: "github",
        mcpTool: "list_issues",
      }),
      expect.objectContaining({ name: "weather", mcpServer: "sky", mcpTool: "weather" }),
    ]);
    expect(totals).toMatchObject({ calls: 11, success: 9, error: 1, cancelled: 1 });
  });

  test("are grouped by label, category and MCP server, with the same sum", async () => {
    const { labels, categories, mcp, totals } = await library().tools();
    const sum = (rows: readonly { calls: number }[]): number =>
      rows.reduce((total, { calls }) => total + calls, 0);
    expect(sum(labels)).toBe(totals.calls);
    expect(sum(categories)).toBe(totals.calls);
    expect(labels.map(({ name }) => name)).toContain("Edit");
    expect(mcp.map(({ server, tool, calls }) => [server, tool, calls])).toEqual([
      ["github", "list_issues", 1],
      ["sky", "weather", 1],
    ]);
  });

  test("list shell commands, even from arguments that are JSON texts", async () => {
    expect((await library().tools()).shell).toEqual([
      { command: "git", calls: 2 },
      { command: "npm", calls: 1 },
      { command: "rm", calls: 1 },
      { command: "tail", calls: 1 },
    ]);
  });

  test("list files of successful calls, with line counts if recorded", async () => {
    const { files } = await library().tools();
    const base = "/home/ada/projects/ledger";
    expect(files).toEqual([
      {
        path: `${base}/src/b.ts`,
        project: "ledger",
        reads: 1,
        writes: 1,
        edits: 1,
        // Recorded counts, including a person's own changes; then those of the diff.
        addedLines: 9,
        removedLines: 2,
      },
      expect.objectContaining({ path: `${base}/c.ts`, edits: 1, addedLines: 2, removedLines: 1 }),
      expect.objectContaining({ path: `${base}/d.ts`, writes: 1, addedLines: null }),
    ]);
  });

  test.each([
    [{ model: "flash" }, 0],
    [{ model: "3-pro" }, 11],
    [{ session: "s2" }, 0],
    [{ sinceMs: Date.UTC(2027, 0) }, 0],
    [{ status: "stub" }, 0],
    [{ project: "ledger" }, 11],
  ])("are filtered by %o", async (filter, calls) => {
    expect((await library().tools(filter)).totals.calls).toBe(calls);
  });
});
