import { at, call, header, jsonl, model, user } from "./home.ts";

/** A made-up session with every kind of content, for tests of exports and the server. */
export const TOUR_ID = "08c1f87b-ff3b-48ff-9d6f-524e2bbf89b9";
export const AGENT_ID = "5d1c1a52-0000-4000-8000-000000000001";

const DIFF = `Index: total.ts
===================================================================
--- total.ts\tCurrent
+++ total.ts\tProposed
@@ -1,4 +1,5 @@
 export function total(list: number[]): number {
-  return list.reduce((a, b) => a + b);
+  // An empty list has a total, too.
+  return list.reduce((a, b) => a + b, 0);
 }
 // end
`;

export const TOUR_FILE = "chats/session-2026-02-10T17-28-08c1f87b.jsonl";
export const AGENT_FILE: string = `chats/${TOUR_ID}/${AGENT_ID}.jsonl`;

const readCall = call("read_file__r1", "read_file", {
  args: { file_path: "/home/ada/projects/ledger/total.ts" },
  output:
    "export function total(list: number[]): number {\n  return list.reduce((a, b) => a + b);\n}\n",
  seconds: 4,
  displayName: "ReadFile",
  description: "total.ts",
  resultDisplay: "",
});

const editCall = call("replace__e1", "replace", {
  args: {
    file_path: "/home/ada/projects/ledger/total.ts",
    old_string: "  return list.reduce((a, b) => a + b);",
    new_string: "  // An empty list has a total, too.\n  return list.reduce((a, b) => a + b, 0);",
  },
  output: "Successfully modified file.",
  seconds: 9,
  resultDisplay: {
    fileDiff: DIFF,
    fileName: "total.ts",
    filePath: "/home/ada/projects/ledger/total.ts",
    originalContent: "old",
    newContent: "new",
    diffStat: {
      model_added_lines: 2,
      model_removed_lines: 1,
      user_added_lines: 0,
      user_removed_lines: 0,
    },
  },
});

const testCall = call("run_shell_command__t1", "run_shell_command", {
  args: { command: "npm test" },
  error: "exit code 1",
  status: "error",
  seconds: 12,
});

const agentCall = call("invoke_agent__a1", "invoke_agent", {
  args: { agent_name: "codebase_investigator", prompt: "Find who calls total()." },
  output: "Only report.ts calls it.",
  seconds: 30,
  agentId: AGENT_ID,
});

const todoCall = call("write_todos__w1", "write_todos", {
  args: { todos: [{ description: "fix total", status: "completed" }] },
  output: "ok",
  seconds: 31,
  resultDisplay: { todos: [{ description: "fix total", status: "completed" }] },
});

const mcpCall = call("mcp_github_list_issues__m1", "mcp_github_list_issues", {
  args: { state: "open" },
  error: "[Operation Cancelled] Reason: User denied execution.",
  status: "cancelled",
  seconds: 32,
});

const ANSWER = `Fixed. The call was:

\`\`\`ts
const sum: number = total([]); // 0
\`\`\`

| case | result |
| :--- | ---: |
| \`[]\` | 0 |
`;

export const TOUR: string = jsonl(
  header(TOUR_ID),
  user("u1", 1, "Why does total() fail on an empty list?"),
  model("g1", 3, {
    thoughts: [{ subject: "Reading", description: "The file first.", timestamp: at(2) }],
    toolCalls: [readCall],
  }),
  model("g2", 8, {
    text: "`reduce` without a start value throws.",
    toolCalls: [editCall, testCall],
  }),
  model("g3", 14, ANSWER),
  user("u2", 20, "Forget it, wrong file."),
  model("g4", 21, "As you like."),
  { $rewindTo: "u2" },
  user("u3", 25, "Who calls it?"),
  { id: "n1", timestamp: at(26), type: "info", content: "Switched to another model." },
  model("g5", 28, { toolCalls: [agentCall, todoCall, mcpCall] }),
  model("g6", 34, "Only `report.ts`."),
  { $set: { summary: "Make total() accept empty lists", lastUpdated: at(40) } },
);

export const AGENT: string = jsonl(
  header(AGENT_ID, { kind: "subagent", startTime: at(28.5) }),
  user("s1", 28.6, "Find who calls total()."),
  model("s2", 29, {
    toolCalls: [
      call("grep_search__s1", "grep_search", {
        args: { pattern: "total\\(" },
        output: "report.ts:3",
        seconds: 29.2,
      }),
    ],
  }),
  model("s3", 29.5, "Only report.ts calls it."),
);

export const TOUR_HOME: Record<string, string> = { [TOUR_FILE]: TOUR, [AGENT_FILE]: AGENT };
