import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/core/session/message.ts";
import type { Session } from "../../../src/core/session/session.ts";
import { call, Chain, only, PROJECT, prompts, said, SESSION } from "./records.ts";

function calls({ messages }: Session): Message["toolCalls"] {
  return messages.flatMap(({ toolCalls }) => toolCalls);
}

describe("the live conversation", () => {
  test("leaves out rewound messages, which stay paid", () => {
    const chain = new Chain()
      .user("A?")
      .request(1)
      .assistant([{ text: "A." }], 1);
    const before = chain.last;
    chain
      .user("B?")
      .request(2)
      .assistant([{ text: "B." }], 2);
    chain.system("rewind", { truncatedCount: 2 }, { parentUuid: before });
    chain
      .user("C?")
      .request(3)
      .assistant([{ text: "C." }], 3);
    const session = only(chain);
    expect(said(session)).toEqual([
      "user: A?",
      "model: A.",
      "user: B? (rewind)",
      "model: B. (rewind)",
      "user: C?",
      "model: C.",
    ]);
    expect(session.replies.map(({ standing }) => standing)).toEqual(["live", "rewound", "live"]);
  });

  test("does not end at a title written beside it", () => {
    const chain = new Chain().user("A?");
    const before = chain.last;
    chain.system("custom_title", { customTitle: "My talk", titleSource: "manual" });
    chain.add("assistant", { parentUuid: before, message: { parts: [{ text: "A." }] } });
    chain.system("session_artifact_event", {}, { parentUuid: null });
    chain.system("session_sources_snapshot", {}, { parentUuid: null });
    const session = only(chain);
    expect(said(session)).toEqual(["user: A?", "model: A."]);
    expect(session.summary).toBe("My talk");
  });

  test("begins after a gap, as in the program", () => {
    const chain = new Chain()
      .user("A?")
      .assistant([{ text: "A." }], 1)
      .user("B?");
    chain.records.splice(1, 1);
    expect(said(only(chain))).toEqual(["user: A? (truncation)", "user: B?"]);
  });

  test("continues with the summary of a compression and the messages it repeats", () => {
    const chain = new Chain()
      .user("A?")
      .assistant([{ text: "A." }], 1)
      .user("B?")
      .assistant([{ text: "B." }], 2)
      .system("chat_compression", {
        info: { compressionStatus: 1 },
        compressedHistory: [
          { role: "user", parts: [{ text: "<state_snapshot>s</state_snapshot>" }] },
          { role: "model", parts: [{ text: "Got it." }] },
          { role: "user", parts: [{ text: "B?" }] },
          { role: "model", parts: [{ text: "B." }] },
        ],
      })
      .user("C?");
    const session = only(chain);
    expect(said(session)).toEqual([
      "user: A? (compression)",
      "model: A. (compression)",
      "user: <state_snapshot>s</state_snapshot>",
      "notice: Got it.",
      "user: B?",
      "model: B.",
      "user: C?",
    ]);
    expect(session.compressions).toHaveLength(1);
    expect(prompts(session)).toEqual(["A?", "B?", "C?"]);
  });

  test("has one message for records with the same id, with all their parts", () => {
    const chain = new Chain().user("A?").assistant([{ text: "One, " }]);
    const more = { message: { role: "model", parts: [{ text: "two." }] } };
    chain.records.push({ ...chain.records[1], uuid: chain.last, ...more });
    expect(said(only(chain))).toEqual(["user: A?", "model: One, two."]);
  });

  test("ends in a cycle without hanging", () => {
    const chain = new Chain().user("A?").user("B?");
    Object.assign(chain.records[0] ?? {}, { parentUuid: chain.last });
    expect(said(only(chain))).toEqual(["user: A?", "user: B?"]);
  });
});

describe("tool calls", () => {
  const shell = (output: string, status: string): Session => {
    const chain = new Chain()
      .user("Run.")
      .assistant([call("c1", "run_shell_command", { command: "npm test" })]);
    return only(chain.result("c1", { output }, { status }));
  };

  test("that failed are errors even in versions that recorded success", () => {
    const [ok] = calls(
      shell("Command: x\nOutput: Exit Code: 7\nExit Code: 0\nSignal: 0", "success"),
    );
    const [bad] = calls(shell("Command: x\nOutput: fine\nExit Code: 3\nSignal: 0", "success"));
    expect([ok?.outcome, bad?.outcome]).toEqual(["success", "error"]);
    expect(ok).toMatchObject({ label: "Bash", canonical: "shell_exec", shellLine: "npm test" });
  });

  test("have the lines that a change added and removed", () => {
    const file = `${PROJECT}/src/ledger.js`;
    const args = { file_path: file, old_string: "a", new_string: "b" };
    const display = {
      fileDiff: "--- a\n+++ b\n@@ -1,2 +1,3 @@\n-a\n+b\n+c\n",
      filePath: file,
      fileName: "ledger.js",
    };
    const chain = new Chain().assistant([call("c1", "edit", args)]);
    chain.result(
      "c1",
      { output: "done" },
      { name: "edit", status: "success", resultDisplay: display },
    );
    const [edit] = calls(only(chain));
    expect(edit?.files).toEqual([{ path: file, how: "edited", addedLines: 2, removedLines: 1 }]);
  });

  test("without ids get the id that the program made up", () => {
    const bare = (name: string): object => ({ functionCall: { name, args: {} } });
    const chain = new Chain({ version: "0.15.10" })
      .assistant([bare("glob"), bare("read_file")] as Record<string, unknown>[])
      .result("read_file-1-x", { error: "File not found" }, { name: "read_file" })
      .result("glob-1-x", { output: "a" }, { name: "glob" });
    const found = calls(only(chain)).map(({ id, outcome }) => `${id} ${outcome}`);
    expect(found).toEqual(["glob-1-x success", "read_file-1-x error"]);
  });

  test("of an MCP server have its name", () => {
    const [lookup] = calls(only(new Chain().assistant([call("c1", "mcp__shelf__look_up", {})])));
    expect(lookup).toMatchObject({ category: "Mcp", mcp: { server: "shelf", tool: "look_up" } });
  });

  test("of an MCP server without its name get it from telemetry (0.5.0)", () => {
    const uiEvent = {
      "event.name": "qwen-code.tool_call",
      function_name: "look_up",
      status: "success",
      mcp_server_name: "shelf",
    };
    const chain = new Chain()
      .assistant([call("c1", "look_up", {}), call("c2", "read_file", {})])
      .system("ui_telemetry", { uiEvent });
    const [lookup, read] = calls(only(chain));
    expect(lookup).toMatchObject({ category: "Mcp", mcp: { server: "shelf", tool: "look_up" } });
    expect(read).not.toHaveProperty("mcp");
  });

  test("of an agent without a file are taken from telemetry", () => {
    const uiEvent = {
      "event.name": "qwen-code.tool_call",
      function_name: "read_file",
      function_args: { file_path: "/a" },
      status: "error",
      prompt_id: `${SESSION}#scout-7p0nj0#0`,
    };
    const chain = new Chain().user("Ask.").system("ui_telemetry", { uiEvent });
    const [read] = calls(only(chain));
    expect(read).toMatchObject({ name: "read_file", label: "Read", outcome: "error" });
    expect(only(chain).messages.at(-1)).toMatchObject({ author: "notice", standing: "live" });
    const compressedHistory = [{ role: "user", parts: [{ text: "Summary." }] }];
    const { messages } = only(
      chain.system("chat_compression", { info: { compressionStatus: 1 }, compressedHistory }),
    );
    expect(messages.map(({ author, standing }) => [author, standing])).toEqual([
      ["user", "rewritten"],
      ["notice", "rewritten"],
      ["user", "live"],
    ]);
  });
});
