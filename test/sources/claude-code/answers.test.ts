import { describe, expect, test } from "vitest";
import {
  answer,
  callBlock,
  chain,
  mainFile,
  onlySession,
  prompt,
  readFiles,
  readLines,
  resultRecord,
  textBlock,
} from "./read-files.ts";

describe("answers", () => {
  const tiny = { input_tokens: 4, output_tokens: 1 };
  const final = { input_tokens: 4, output_tokens: 90 };

  test("records with one message id are one message and one reply", () => {
    const lines = chain(
      prompt("hello"),
      answer("msg_1", [{ type: "thinking", thinking: "hm", signature: "s" }], {
        message: { stop_reason: null, usage: tiny },
      }),
      answer("msg_1", [textBlock("one")], { message: { stop_reason: null, usage: tiny } }),
      answer("msg_1", [callBlock("c1", "Bash", { command: "ls" })], { message: { usage: final } }),
    );
    const { messages, replies } = onlySession(lines);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({ id: "msg_1", text: "one", usage: { output: 90 } });
    expect(messages[1]?.thoughts.map(({ description }) => description)).toEqual(["hm"]);
    expect(messages[1]?.toolCalls.map(({ shellLine }) => shellLine)).toEqual(["ls"]);
    expect(messages[1]?.places.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(replies).toHaveLength(1);
    expect(replies[0]).toMatchObject({ id: "msg_1", place: { line: 4 } });
    expect(replies[0]?.isAtLeast).toBeUndefined();
  });

  test.each([
    ["results", [{ type: "web_search_result", title: "Ledgers" }], "success", "Ledgers"],
    ["an error", { type: "web_search_tool_result_error", error_code: "down" }, "error", "down"],
    ["advice", { type: "advisor_result", text: "Add it up." }, "success", "Add it up."],
  ])("a tool that the API runs has its result in the answer: %s", (...given) => {
    const [, content, outcome, output] = given;
    const call = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } };
    const lines = chain(
      prompt("search"),
      answer("msg_1", [call]),
      answer("msg_1", [{ type: "web_search_tool_result", tool_use_id: "s1", content }]),
      answer("msg_1", [textBlock("Found.")]),
    );
    const { messages } = onlySession(lines);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({ text: "Found.", results: [] });
    expect(messages[1]?.toolCalls).toMatchObject([{ name: "web_search", outcome, output }]);
  });

  test("a call has its last result: two processes may continue one session", () => {
    const lost = { isError: true, toolDenialKind: "interrupted" };
    const { messages } = onlySession(
      chain(
        prompt("hello"),
        answer("msg_1", [callBlock("c1", "Bash", { command: "sleep 5" })]),
        resultRecord("c1", "[Tool call interrupted: the session ended]", lost),
        resultRecord("c1", "slow"),
      ),
    );
    const [call] = messages[1]?.toolCalls ?? [];
    expect(call).toMatchObject({ outcome: "success", output: "slow" });
    expect(call).not.toHaveProperty("status");
  });

  test("without a stop reason the count is a lower bound", () => {
    const [reply] = onlySession([answer("msg_1", [], { message: { stop_reason: null } })]).replies;
    expect(reply?.isAtLeast).toBe(true);
  });

  test("an answer cut off by the network has a lower bound as its count", () => {
    const cut = prompt("Your response above was cut off mid-stream. Resume.", { isMeta: true });
    const lines = chain(prompt("hello"), answer("msg_1", [textBlock("I wi")]), cut);
    expect(onlySession(lines).replies[0]?.isAtLeast).toBe(true);
  });

  test.each([
    "Connection closed mid-response. The response above may be incomplete.",
    "Connection lost before a response was produced. Try again.",
  ])("so has one before a notice about the cut, behind the result of its call: %s", (text) => {
    const message = { model: "<synthetic>", stop_reason: "stop_sequence" };
    const error = answer("made", [textBlock(`API Error: ${text}`)], {
      isApiErrorMessage: true,
      message,
    });
    const call = answer("msg_1", [callBlock("c1", "Bash", { command: "ls" })]);
    const lines = chain(prompt("hello"), call, resultRecord("c1", "a"), error);
    for (const depth of ["full", "usage"] as const) {
      const [session] = readLines(lines, depth).sessions;
      expect(session?.replies.map(({ isAtLeast }) => isAtLeast)).toEqual([true]);
    }
  });

  test("an error of the next request leaves the count final", () => {
    const text = "API Error: 529 Overloaded. Try again.";
    const message = { model: "<synthetic>" };
    const error = answer("made", [textBlock(text)], { isApiErrorMessage: true, message });
    const lines = chain(prompt("hello"), answer("msg_1", [textBlock("Hi.")]), prompt("2"), error);
    expect(onlySession(lines).replies[0]?.isAtLeast).toBeUndefined();
  });

  test("a cut-off answer keeps its lower bound in a fork without the notice", () => {
    const cut = prompt("Your response above was cut off mid-stream. Resume.", { isMeta: true });
    const said = chain(prompt("hello"), answer("msg_1", [textBlock("I wi")]), cut);
    const sessionId = "99999999-9999-4999-8999-999999999999";
    const copy = said.slice(0, 2).map((line) => Object.assign({}, line, { sessionId }));
    for (const name of [`${sessionId}.jsonl`, "00000000-0000-4000-8000-000000000000.jsonl"]) {
      const { sessions } = readFiles([mainFile(said), mainFile(copy, name)]);
      const replies = sessions.flatMap((session) => session.replies);
      expect(replies.map(({ isAtLeast }) => isAtLeast)).toEqual([true, true]);
    }
  });

  test("cache writes are split as recorded, otherwise counted as five minutes", () => {
    const split = {
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
    };
    const whole = { cache_creation_input_tokens: 30 };
    const counts = [split, whole].map((usage) => {
      return onlySession([answer("msg_1", [], { message: { usage } })]).replies[0]?.counts;
    });
    expect(counts[0]).toMatchObject({ cacheWrite5m: 20, cacheWrite1h: 10 });
    expect(counts[1]).toMatchObject({ cacheWrite5m: 30 });
    expect(counts[1]).not.toHaveProperty("cacheWrite1h");
  });

  test("thought counts, tiers and web searches are read if recorded", () => {
    const usage = {
      ...final,
      output_tokens_details: { thinking_tokens: 40 },
      service_tier: "priority",
      speed: "fast",
      inference_geo: "us",
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
    };
    const [reply] = onlySession([answer("msg_1", [], { message: { usage } })]).replies;
    const counts = { output: 90, thoughts: 40, webSearches: 2 };
    expect(reply).toMatchObject({ tier: "priority+fast+geo-us", counts });
  });

  test("synthetic messages are notices, except an interrupted answer, and cost nothing", () => {
    const synthetic = (text: string, fields: object): Record<string, unknown> => {
      const made = answer("0000", [textBlock(text)], { message: { model: "<synthetic>" } });
      return { ...made, ...fields };
    };
    const { messages, replies } = onlySession(
      chain(
        prompt("hello"),
        synthetic("API Error: 500", { isApiErrorMessage: true }),
        synthetic("No response requested.", { isApiErrorMessage: false }),
        synthetic("This answer was interru", { isApiErrorMessage: false }),
      ),
    );
    expect(messages.map(({ author, level }) => [author, level])).toEqual([
      ["user", undefined],
      ["notice", "error"],
      ["notice", "info"],
      ["model", undefined],
    ]);
    expect(replies).toEqual([]);
  });
});

describe("tool calls", () => {
  const call = answer("msg_1", [callBlock("c1", "Bash", { command: "ls" })]);

  test.each([
    ["fine", {}, "success", undefined],
    ["fine", { toolUseResult: { interrupted: true } }, "cancelled", "interrupted"],
    ["Exit code 7", { isError: true }, "error", "exit code 7"],
    [
      "Exit code 137\n[Request interrupted by user for tool use]",
      { isError: true },
      "cancelled",
      "interrupted",
    ],
    [
      "The user doesn't want to proceed with this tool use.",
      { isError: true },
      "cancelled",
      "refused",
    ],
    [
      "The user doesn't want to take this action right now. STOP what you are doing",
      { isError: true },
      "cancelled",
      "refused",
    ],
    ["Claude requested permissions to write", { isError: true }, "error", "not allowed"],
    [
      "Permission to use Bash with command rm -f x has been denied.",
      { isError: true },
      "error",
      "not allowed",
    ],
    [
      "touch in '/y' was blocked. For security, Claude Code may only …",
      { isError: true, toolDenialKind: "user-rejected" },
      "error",
      "not allowed",
    ],
    ["PreToolUse:Bash hook error: [x]: no", { isError: true }, "error", "blocked by a hook"],
    ["<tool_use_error>No such tool</tool_use_error>", { isError: true }, "error", "tool use error"],
    ["needs a look", { isError: true, toolDenialKind: "interrupted" }, "error", "interrupted"],
  ])("%s: %o", (output, fields, outcome, status) => {
    const { messages } = onlySession(
      chain(prompt("hello"), call, resultRecord("c1", output, fields)),
    );
    expect(messages[1]?.toolCalls[0]).toMatchObject({ outcome, output });
    expect(messages[1]?.toolCalls[0]?.status).toBe(status);
    expect(messages[2]?.results).toMatchObject([{ callId: "c1", name: "Bash", outcome }]);
  });

  test("a result may come before its call", () => {
    const [first, second, third] = chain(prompt("hello"), call, resultRecord("c1", "fine"));
    const { messages } = onlySession([first, third, second]);
    expect(messages.flatMap(({ toolCalls }) => toolCalls)).toMatchObject([{ outcome: "success" }]);
  });

  test("the outcome of a background agent is taken from its notification", () => {
    const launched = { status: "async_launched", agentId: "a1234567890123456" };
    const notification =
      "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>c1</tool-use-id>\n" +
      "<status>failed</status>\n<result>It <b>broke</b></result>\n</task-notification>";
    const agent = answer("msg_1", [callBlock("c1", "Agent", { prompt: "look" })]);
    const begun = chain(
      prompt("hello"),
      agent,
      resultRecord("c1", "launched", { toolUseResult: launched }),
    );
    expect(onlySession(begun).messages[1]?.toolCalls[0]?.outcome).toBeUndefined();
    const { messages } = onlySession([
      ...begun,
      prompt(notification, { parentUuid: begun[2]?.["uuid"] }),
    ]);
    expect(messages[1]?.toolCalls[0]).toMatchObject({
      outcome: "error",
      status: "failed",
      output: "It <b>broke</b>",
      agentId: "agent-a1234567890123456",
    });
    expect(messages[3]).toMatchObject({ isPrompt: false, author: "user" });
    const lost =
      "<task-notification>\n<task-id>a1234567890123456</task-id>\n<status>stopped</status>\n" +
      "<summary>It didn't finish before the previous session ended</summary>\n</task-notification>";
    const after = onlySession([...begun, prompt(lost, { parentUuid: begun[2]?.["uuid"] })]);
    expect(after.messages[1]?.toolCalls[0]).toMatchObject({ outcome: "cancelled" });
  });

  test("files have their changed lines", () => {
    const patch = [
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: ["-a", "+b", "+c", " d"] },
    ];
    const edit = { file_path: "/p/a.ts", old_string: "a", new_string: "b\nc" };
    const made = { filePath: "/p/a.ts", structuredPatch: patch };
    const { messages } = onlySession(
      chain(
        prompt("hello"),
        answer("msg_1", [callBlock("c1", "Edit", edit)]),
        resultRecord("c1", "ok", { toolUseResult: made }),
        answer("msg_2", [callBlock("c2", "Write", { file_path: "/p/b.ts", content: "x\ny\n" })]),
        resultRecord("c2", "ok", {
          toolUseResult: {
            type: "create",
            filePath: "/p/b.ts",
            content: "x\ny\n",
            structuredPatch: [],
          },
        }),
        answer("msg_3", [callBlock("c3", "Read", { file_path: "/p/c.ts" })]),
      ),
    );
    expect(
      messages.flatMap(({ toolCalls }) => toolCalls.flatMap(({ files }) => files ?? [])),
    ).toEqual([
      { path: "/p/a.ts", how: "edited", addedLines: 2, removedLines: 1 },
      { path: "/p/b.ts", how: "written", addedLines: 2, removedLines: 0 },
      { path: "/p/c.ts", how: "read" },
    ]);
    expect(messages[1]?.toolCalls[0]?.display).toEqual({
      kind: "diff",
      file: "/p/a.ts",
      diff: "@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d",
      isNewFile: false,
      stat: { addedLines: 2, removedLines: 1, byUser: { addedLines: 0, removedLines: 0 } },
    });
  });
});
