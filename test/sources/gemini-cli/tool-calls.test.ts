import { describe, expect, test } from "vitest";
import type { ToolCall } from "../../../src/core/session/tool-call.ts";
import { readMessage } from "../../../src/sources/gemini-cli/formats/message.ts";
import { readToolCall } from "../../../src/sources/gemini-cli/formats/tool-call-record.ts";
import { readDisplay } from "../../../src/sources/decoding/tool-display.ts";

function call(more: Record<string, unknown>): ToolCall {
  return readToolCall({ id: "c1", name: "read_file", args: {}, ...more }, 0);
}

function response(body: unknown, id = "c1"): object {
  return { functionResponse: { id, name: "read_file", response: body } };
}

describe("the result of a call", () => {
  const shapes: readonly (readonly [string, unknown, string | undefined, string | undefined])[] = [
    ["an output", [response({ output: "hi" })], "hi", "success"],
    ["an empty output", [response({})], "", "success"],
    ["an error", [response({ error: "no such file" })], "no such file", "error"],
    ["an error object", [response({ error: { message: "boom" } })], "boom", "error"],
    [
      "a cancellation",
      [response({ error: "[Operation Cancelled] Reason: User did not allow it" })],
      "[Operation Cancelled] Reason: User did not allow it",
      "cancelled",
    ],
    ["a single part", response({ output: "one" }), "one", "success"],
    ["a text", "plain text", "plain text", "success"],
    ["a list of texts", ["a", { text: "b" }], "a\nb", "success"],
    [
      "the shape of another document",
      [response({ name: "x", content: "text" })],
      "text",
      "success",
    ],
    ["an error in that shape", [response({ content: { error: "bad" } })], "bad", "error"],
    ["an output that is not text", [response({ output: { a: 1 } })], '{"a":1}', "success"],
    ["undefined for null", null, undefined, undefined],
    ["undefined for an empty list", [], undefined, undefined],
    [
      "undefined among results of other calls",
      [response({ output: "a" }, "c8"), response({ output: "b" }, "c9")],
      undefined,
      undefined,
    ],
  ];
  test.each(shapes)("is %s", (_name, result, output, outcome) => {
    expect([call({ result }).output, call({ result }).outcome]).toEqual([output, outcome]);
  });

  test("is the one with its own id among those of its turn", () => {
    const result = [response({ output: "a" }, "c0"), response({ output: "b" }, "c1")];
    expect(call({ result }).output).toBe("b");
  });

  test("is the text beside a placeholder (up to 0.21)", () => {
    const result = [response({ output: "Tool execution succeeded." }), { text: "the real text" }];
    expect(call({ result }).output).toBe("the real text");
    const kept = [response({ output: "real" }), { text: "beside" }];
    expect(call({ result: kept }).output).toBe("real");
  });

  test("is marked if it was cut or masked", () => {
    const outputs = [
      "<tool_output_masked>\npreview\n</tool_output_masked>",
      "Tool output was too large and has been truncated.\nThe full output is in x.txt",
      "Output too large. Showing first 8000 characters",
    ];
    for (const output of outputs) expect(call({ result: [response({ output })] }).isCut).toBe(true);
    expect(call({ result: [response({ output: "short" })] }).isCut).toBeUndefined();
  });
});

describe("the outcome of a call", () => {
  test("is its recorded status if that is final", () => {
    const result = [response({ output: "ok" })];
    for (const status of ["success", "error", "cancelled"]) {
      expect(call({ status, result }).outcome).toBe(status);
    }
    expect(call({ status: "executing" }).outcome).toBeUndefined();
    expect(call({ status: "executing", result }).outcome).toBe("success");
  });

  test("is undefined for a call without a response", () => {
    const parts = [{ functionCall: { id: "c1", name: "glob", args: {} } }];
    const message = readMessage(
      { id: "g", type: "gemini", content: parts },
      { file: "", line: 1, start: 0, end: 0 },
      () => undefined,
    );
    expect(message.toolCalls.map(({ id, name, outcome }) => [id, name, outcome])).toEqual([
      ["c1", "glob", undefined],
    ]);
    expect(message.hasRecordedCalls).toBe(false);
  });
});

describe("the fields of a call", () => {
  test("are read even if some are missing or have another type", () => {
    const odd = readToolCall({ id: 7, name: null, args: "text", status: {}, timestamp: 5 }, 3);
    expect(odd).toMatchObject({
      id: "unknown#3",
      name: "unknown",
      args: "text",
      category: "Other",
    });
    expect(odd.at).toBeUndefined();
  });

  test("include arguments recorded as JSON text", () => {
    expect(call({ args: '{"command":"ls"}' }).args).toEqual({ command: "ls" });
    expect(call({ args: "{not json" }).args).toBe("{not json");
    expect(call({ args: undefined }).args).toEqual({});
  });

  test("include the time of the request if the id contains it", () => {
    expect(call({ id: "read_file-1794730136934-5c0290bc" }).askedAt).toBe(
      "2026-11-15T08:08:56.934Z",
    );
    expect(call({ id: "read_file_1794730136934_0" }).askedAt).toBe("2026-11-15T08:08:56.934Z");
    expect(call({ id: "api-given-id-1" }).askedAt).toBeUndefined();
  });

  test("link to the agent's session", () => {
    expect(call({ agentId: "68eb5565" }).agentId).toBe("68eb5565");
  });
});

describe("the display of a call", () => {
  const shapes: readonly (readonly [string, unknown, unknown])[] = [
    ["a text", "done", { kind: "text", text: "done" }],
    [
      "a file change",
      {
        fileDiff: "@@",
        fileName: "a.ts",
        filePath: "/p/a.ts",
        originalContent: "x",
        newContent: "y",
        diffStat: {
          model_added_lines: 3,
          model_removed_lines: 1,
          user_added_lines: 2,
          user_removed_lines: 0,
        },
      },
      {
        kind: "diff",
        file: "/p/a.ts",
        diff: "@@",
        isNewFile: false,
        stat: { addedLines: 3, removedLines: 1, byUser: { addedLines: 2, removedLines: 0 } },
      },
    ],
    [
      "a new file",
      { fileDiff: "+", fileName: "b.ts", originalContent: null, newContent: "y" },
      { kind: "diff", file: "b.ts", diff: "+", isNewFile: true },
    ],
    [
      "a list of tasks",
      { todos: [{ description: "Read", status: "completed" }, {}] },
      {
        kind: "todos",
        todos: [
          { description: "Read", status: "completed" },
          { description: "", status: "unknown" },
        ],
      },
    ],
    [
      "a terminal",
      [[{ text: "ok ", bold: true }, { text: "done" }], [], [{ text: "" }]],
      { kind: "terminal", text: "ok done" },
    ],
    [
      "an agent's progress",
      {
        isSubagentProgress: true,
        agentName: "helper",
        recentActivity: [1, 2],
        state: "completed",
        result: "R",
      },
      { kind: "agent", name: "helper", state: "completed", result: "R", activity: 2 },
    ],
    [
      "matches",
      { summary: "Found 2", matches: [1, 2] },
      { kind: "summary", summary: "Found 2", items: 2 },
    ],
    [
      "files",
      { summary: "Read 1", files: ["a"] },
      { kind: "summary", summary: "Read 1", items: 1 },
    ],
    ["something new", { shape: 1 }, { kind: "unknown", keys: ["shape"] }],
    ["a number", 7, { kind: "unknown", keys: [] }],
    ["nothing", null, undefined],
  ];
  test.each(shapes)("is %s", (_name, recorded, display) => {
    expect(readDisplay(recorded)).toEqual(display);
  });
});
