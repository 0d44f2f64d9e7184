import { describe, expect, test } from "vitest";
import { describeTool } from "../../../src/sources/codex/tools.ts";
import type { Line } from "./made-home.ts";
import { called, callsOf, event, item, said, turnId } from "./made-home.ts";

describe("the outcome of a call", () => {
  const outputs: [string, unknown, string][] = [
    ["an exit code in a document", '{"output":"x","metadata":{"exit_code":3}}', "error"],
    ["exit code 0 in a document", '{"output":"x","metadata":{"exit_code":0}}', "success"],
    ["an exit code in the first line", "Exit code: 2\nWall time: 0.1 seconds\nOutput:\nx", "error"],
    ["an exit code printed by the command", "Exit code: 0\nOutput:\nExit code: 2", "success"],
    [
      "a process that ended",
      "Chunk ID: 1\nWall time: 0\nProcess exited with code 1\nOutput:\n",
      "error",
    ],
    [
      "a process that is still running",
      "Chunk ID: 1\nProcess running with session ID 7\nOutput:\n",
      "success",
    ],
    ["an interruption", "aborted by user after 2.1s", "cancelled"],
    ["a refusal", "patch rejected by user", "cancelled"],
    [
      "a refusal by the command's name",
      'exec_command failed for `/bin/bash -lc \'ls\'`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
      "cancelled",
    ],
    [
      "a refusal inside of a script",
      'Script failed\nWall time 0.1 seconds\nOutput:\nScript error:\nexec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
      "cancelled",
    ],
    ["a command that cannot start", "exec_command failed for `x`: not found", "error"],
    ["an interruption with its time", "Wall time: 2.1 seconds\naborted by user", "cancelled"],
    ["an unknown tool", "unsupported call: x", "error"],
    ["a patch that does not apply", "apply_patch verification failed: no file", "error"],
    ["invalid arguments", "failed to parse function arguments: EOF", "error"],
    ["an MCP server's error", '{"content":[],"isError":true}', "error"],
    ["plain text", "Plan updated", "success"],
    ["parts", [{ type: "input_text", text: "Script failed\nWall time 0.0 seconds" }], "error"],
  ];

  test.each(outputs)("%s", (_, output, outcome) => {
    expect(callsOf(called("shell", { command: ["ls"] }, output))[0]?.outcome).toBe(outcome);
  });

  const errors: [string, string | undefined][] = [
    ["Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno such file", "no such file"],
    ["Chunk ID: 1\nWall time: 0\nProcess exited with code 1\nOutput:\n", "exit code 1"],
    ['{"output":"no such file","metadata":{"exit_code":3}}', "no such file"],
    ['{"output":"","metadata":{"exit_code":3}}', "exit code 3"],
    [
      'Script completed\nWall time 0\nOutput:\n{"exit_code":5,"output":"no such file"}',
      "no such file",
    ],
    ['Script completed\nWall time 0\nOutput:\n{"exit_code":5,"output":""}', "exit code 5"],
    [
      'Script completed\nWall time 0\nOutput:\n{"exit_code":5} and more',
      '{"exit_code":5} and more',
    ],
    ["unsupported call: x", undefined],
  ];

  test.each(errors)("comes with what the call said: %j", (output, error) => {
    expect(callsOf(called("shell", { command: ["ls"] }, output))[0]?.error).toBe(error);
  });

  test("is undefined without an output", () => {
    const [call] = callsOf(called("shell", { command: ["ls"] }, "").slice(0, 1));
    expect(call?.outcome).toBeUndefined();
  });

  test("is cancelled without an output, once a later turn was answered: the model is told so", () => {
    const killed = called("shell", { command: ["ls"] }, "").slice(0, 1);
    const next = event("task_started", { turn_id: turnId(2) });
    const prompt = event("user_message", { message: "Go on." });
    const rollback = event("thread_rolled_back", { num_turns: 1 });
    const answer = said("assistant", "Fine.");
    const outcomeAfter = (...lines: Line[]): unknown => {
      return callsOf([...killed, ...lines]).map(({ outcome }) => outcome);
    };
    expect(outcomeAfter(next, prompt)).toEqual([undefined]);
    expect(outcomeAfter(next, prompt, answer)).toEqual(["cancelled"]);
    expect(outcomeAfter(rollback, next, prompt, answer)).toEqual([undefined]);
  });

  test("of the program's event takes precedence over the output for the model", () => {
    const [call] = callsOf([
      ...called("mcp__abacus__burst", {}, '[{"type":"text","text":"fell"}]').slice(0, 1),
      event("mcp_tool_call_end", { call_id: "c1", result: { Ok: { isError: true } } }),
      item({ type: "function_call_output", call_id: "c1", output: "fell" }),
    ]);
    expect(call).toMatchObject({ outcome: "error", mcp: { server: "abacus", tool: "burst" } });
  });

  const command = ["/bin/bash", "-lc", "sleep 20"];
  const late = { type: "CommandExecution", id: "c1", command, exit_code: -1, status: "failed" };
  const outputsBefore: [string, string][] = [
    ["Wall time: 1.2 seconds\naborted by user", "cancelled"],
    ["Chunk ID: 1\nProcess running with session ID 7\nOutput:\n", "success"],
  ];

  test.each(outputsBefore)("is not changed by a process that ends later: %s", (output, outcome) => {
    const ended = event("item_completed", { turn_id: turnId(1), item: late });
    const [call] = callsOf([...called("exec_command", { cmd: "sleep 20" }, output), ended]);
    expect(call?.outcome).toBe(outcome);
  });

  test("is an error if an MCP event after the output says so", () => {
    const failed = event("mcp_tool_call_end", {
      call_id: "c1",
      invocation: { server: "abacus", tool: "burst" },
      result: { Ok: { isError: true } },
    });
    const [call] = callsOf([...called("mcp__abacus__burst", {}, "fell"), failed]);
    expect(call?.outcome).toBe("error");
  });
});

test("a plan is shown as a list of its steps", () => {
  const plan = [{ step: "Read", status: "completed" }, { step: "Write" }, { no: "step" }];
  expect(callsOf(called("update_plan", { plan }, "Plan updated"))[0]?.display).toEqual({
    kind: "todos",
    todos: [
      { description: "Read", status: "completed" },
      { description: "Write", status: "" },
    ],
  });
});

describe("scripts of code mode", () => {
  const script = (input: string): Line => {
    return item({ type: "custom_tool_call", name: "exec", call_id: "c1", input });
  };
  const done = (text: string): Line => {
    const output = [
      { type: "input_text", text: "Script completed\nWall time 0.1 seconds\nOutput:\n" },
      { type: "input_text", text },
    ];
    return item({ type: "custom_tool_call_output", call_id: "c1", output });
  };
  const ran = (command: string, code: number): Line => {
    const status = code === 0 ? "completed" : "failed";
    const words = ["/bin/bash", "-lc", command];
    const execution = {
      type: "CommandExecution",
      id: `exec-${command}`,
      command: words,
      exit_code: code,
      status,
    };
    return event("item_completed", { turn_id: turnId(1), item: execution });
  };

  test("with one tool are shown as that tool", () => {
    const [call] = callsOf([
      script('await tools.exec_command({"cmd":"npm test"})'),
      done('{"exit_code":1}'),
    ]);
    expect(call).toMatchObject({
      name: "exec",
      label: "Bash",
      shellLine: "npm test",
      outcome: "error",
    });
  });

  test("with several tools have the outcome of the commands inside", () => {
    const calls = callsOf([
      script(
        'await tools.exec_command({"cmd":"ls"}); await tools.apply_patch(' +
          '"*** Begin Patch\\n*** Add File: a.js\\n+x\\n*** End Patch")',
      ),
      ran("ls", 0),
      ran("false", 1),
      done("fine"),
    ]);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ label: "Code", shellLine: "ls\nfalse", outcome: "error" });
    expect(calls[0]?.files).toEqual([
      { path: "/home/ada/ledger/a.js", how: "written", addedLines: 1, removedLines: 0 },
    ]);
  });
});

describe("patches", () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: src/a.js",
    "*** Move to: src/b.js",
    "@@ function",
    "-old",
    "+new",
    "+newer",
    "*** Add File: /tmp/c.js",
    "+x",
    "*** Delete File: d.js",
    "*** End Patch",
  ].join("\n");
  const files = [
    { path: "/home/ada/ledger/src/b.js", how: "edited", addedLines: 2, removedLines: 1 },
    { path: "/tmp/c.js", how: "written", addedLines: 1, removedLines: 0 },
    { path: "/home/ada/ledger/d.js", how: "edited", addedLines: 0 },
  ];

  test("are recognised as a tool and in shell commands", () => {
    const own = [
      item({ type: "custom_tool_call", name: "apply_patch", call_id: "c1", input: patch }),
    ];
    expect(callsOf(own)[0]).toMatchObject({ label: "Edit", canonical: "file_edit", files });
    const shell = called("shell", { command: ["apply_patch", patch] }, "{}");
    expect(callsOf(shell)[0]).toMatchObject({ name: "shell", label: "Edit", files });
    const heredoc = called(
      "shell",
      { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] },
      "{}",
    );
    expect(callsOf(heredoc)[0]).toMatchObject({ label: "Edit", files });
  });

  test("have the files that the program reports as changed", () => {
    const changes = {
      "/p/a.js": {
        type: "update",
        unified_diff: "--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z\n",
        move_path: null,
      },
      "/p/b.js": { type: "add", content: "1\n2\n" },
      "/p/c.js": { type: "delete", content: "1\n" },
    };
    const [call] = callsOf([
      item({ type: "custom_tool_call", name: "apply_patch", call_id: "c1", input: patch }),
      event("patch_apply_end", { call_id: "c1", success: true, changes }),
    ]);
    expect(call?.files).toEqual([
      { path: "/p/a.js", how: "edited", addedLines: 2, removedLines: 1 },
      { path: "/p/b.js", how: "written", addedLines: 2, removedLines: 0 },
      { path: "/p/c.js", how: "edited", addedLines: 0, removedLines: 1 },
    ]);
  });
});

test("tool names are described, and MCP servers in each of their spellings", () => {
  const mcp = { server: "abacus", tool: "add" };
  expect(describeTool("abacus__add").mcp).toEqual(mcp);
  expect(describeTool("mcp__abacus__add").mcp).toEqual(mcp);
  expect(describeTool("add", "mcp__abacus__").mcp).toEqual(mcp);
  expect(describeTool("shell", "mcp__abacus__").mcp).toEqual({ server: "abacus", tool: "shell" });
  expect(describeTool("web__run")).toEqual(describeTool("web_search"));
  expect(describeTool("spawn_agent", "collaboration")).toMatchObject({
    label: "Agent",
    category: "Agent",
  });
  expect(describeTool("novelty")).toEqual({
    label: "novelty",
    canonical: "novelty",
    category: "Other",
  });
});
