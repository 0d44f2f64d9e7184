import { describe, expect, test } from "vitest";
import type { ToolCall } from "../../src/core/session/tool-call.ts";
import { callError, callTarget } from "../../src/queries/call-texts.ts";

const FOLDER = "/home/ada/ledger";

function call(more: Partial<ToolCall>): ToolCall {
  const kind = { name: "x", label: "X", canonical: "x", category: "Other" } as const;
  return { id: "c1", ...kind, args: {}, ...more };
}

describe("the target of a call", () => {
  const edited = (path: string): Partial<ToolCall> => ({ files: [{ path, how: "edited" }] });
  const todos = [
    { description: "a", status: "completed" },
    { description: "b", status: "pending" },
  ];
  test.each<[string, Partial<ToolCall>, string | undefined]>([
    ["a command, on one line", { shellLine: "npm test\n  --silent" }, "npm test --silent"],
    ["a file in the project", { args: { file_path: `${FOLDER}/src/a.ts` } }, "src/a.ts"],
    ["the project's folder", { args: { path: FOLDER } }, "."],
    ["a folder with the same beginning", { args: { path: `${FOLDER}2/a` } }, `${FOLDER}2/a`],
    ["changed files before their command", { ...edited("b.ts"), shellLine: "patch" }, "b.ts"],
    ["todos", { display: { kind: "todos", todos } }, "2 todos, 1 done"],
    [
      "a subagent and its task",
      { category: "Agent", args: { subagent_type: "explore", prompt: "Find it" } },
      "explore: Find it",
    ],
    ["a description before other texts", { args: { x: "y" }, description: "Looks" }, "Looks"],
    ["any other text", { args: { n: 1, x: "y" } }, "y"],
    ["numbers", { args: { line: 3, all: true, deep: {} } }, "line: 3, all: true"],
    ["nothing", {}, undefined],
  ])("is %s", (_, given, target) => {
    expect(callTarget(call(given), FOLDER)).toBe(target);
  });

  test("is cut between words", () => {
    const long = `${"a ".repeat(150)}${"b".repeat(200)} c`;
    expect(callTarget(call({ shellLine: long }), undefined)).toBe(`${"a ".repeat(150)}…`);
  });
});

test("the error of a call is what it said, not the lines before it", () => {
  const failed = call({ outcome: "error", output: "Wall time: 1\nno file", error: "no file" });
  expect(callError(failed)).toBe("no file");
  expect(callError({ ...failed, outcome: "success" })).toBeNull();
});
