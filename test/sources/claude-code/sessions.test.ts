import { describe, expect, test } from "vitest";
import { summarise } from "../../../src/core/rows/summarise.ts";
import {
  answer,
  callBlock,
  chain,
  ID,
  mainFile,
  onlySession,
  prompt,
  readFiles,
  readLines,
  resultRecord,
  textBlock,
  summaryOf,
} from "./read-files.ts";

describe("sessions", () => {
  const other = "22222222-2222-4222-8222-222222222222";
  const named = (id: string): { sessionId: string } => ({ sessionId: id });

  test("a fork shows the copied part, which counts in the other session", () => {
    const start = [
      prompt("one", { uuid: "a", timestamp: "2026-11-15T10:00:00.000Z" }),
      answer("msg_1", [textBlock("first")], {
        uuid: "b",
        parentUuid: "a",
        timestamp: "2026-11-15T10:00:01.000Z",
      }),
    ];
    const enqueued = {
      type: "queue-operation",
      operation: "enqueue",
      content: "two",
      timestamp: "2026-11-15T11:00:00.000Z",
      ...named(ID),
    };
    const two = prompt("two", {
      uuid: "c",
      parentUuid: "b",
      timestamp: "2026-11-15T11:00:01.000Z",
    });
    // From 2.1.200 on lines without a time may come first.
    const mode = { type: "mode", mode: "normal", ...named(ID) };
    const { sessions } = readFiles([
      mainFile([mode, enqueued, ...start, two]),
      mainFile(
        start.map((line) => ({ ...line, ...named(other) })),
        `${other}.jsonl`,
      ),
    ]);
    const fork = sessions.find(({ id }) => id === ID);
    expect(fork?.origins).toEqual([{ sessionId: other, how: "fork" }]);
    expect(fork?.messages.map(({ isInherited, standing }) => [isInherited, standing])).toEqual([
      [true, "live"],
      [true, "live"],
      [undefined, "live"],
    ]);
    expect(sessions.map((session) => summarise(session).prompts)).toEqual([1, 1]);
    expect(sessions.find(({ id }) => id === other)?.origins).toBeUndefined();
  });

  test("a resume of 1.0 copies the conversation with one time and without request ids", () => {
    const at = { timestamp: "2026-11-15T11:00:00.000Z", version: "1.0.60" };
    const copied = chain(
      prompt("one", at),
      { ...answer("msg_1", [textBlock("first")], at), requestId: undefined },
      prompt("two", { timestamp: "2026-11-15T11:00:00.020Z" }),
    );
    const { messages } = onlySession(copied);
    expect(messages.map(({ isInherited }) => isInherited)).toEqual([true, true, undefined]);
  });

  test("a resume that takes longer than a tick of the clock copies all the same", () => {
    const at = (milliseconds: number) => ({ timestamp: `2026-11-15T12:00:00.00${milliseconds}Z` });
    const copy = { requestId: undefined };
    const { messages } = onlySession(
      chain(
        prompt("one", at(1)),
        { ...answer("msg_1", [textBlock("first")], at(2)), ...copy },
        prompt("two", at(2)),
        { ...answer("msg_2", [textBlock("second")], at(2)), ...copy },
        prompt("three", at(3)),
        answer("msg_3", [textBlock("third")], at(9)),
      ),
    );
    const inherited = messages.map(({ isInherited }) => isInherited === true);
    expect(inherited).toEqual([true, true, true, true, false, false]);
  });

  test("1.0.128 may continue in a new file under the old id", () => {
    const { sessions } = readFiles([
      mainFile(
        [prompt("two", { uuid: "c", parentUuid: "b", timestamp: "2026-11-15T12:00:00.000Z" })],
        `${other}.jsonl`,
      ),
      mainFile([
        prompt("one", { uuid: "a", timestamp: "2026-11-15T10:00:00.000Z" }),
        answer("msg_1", [textBlock("first")], {
          uuid: "b",
          parentUuid: "a",
          timestamp: "2026-11-15T10:00:01.000Z",
        }),
      ]),
    ]);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.messages.map(summaryOf)).toEqual([
      ["user", "one", "live"],
      ["model", "first", "live"],
      ["user", "two", "live"],
    ]);
    expect(sessions[0]?.files.map(({ part }) => part)).toEqual(["whole", "continuation"]);
  });

  test("a title is set by hand, generated, from another file, or the first prompt", () => {
    const lines = [prompt("first words", { uuid: "a" })];
    const summary = { type: "summary", summary: "From elsewhere", leafUuid: "a" };
    const generated = { type: "ai-title", aiTitle: "Generated", sessionId: ID };
    const custom = (customTitle: string): unknown => ({
      type: "custom-title",
      customTitle,
      sessionId: ID,
    });
    const titleOf = (
      own: readonly unknown[],
      foreign: readonly unknown[],
    ): string | null | undefined => {
      const files = [mainFile([...lines, ...own]), mainFile(foreign, `${other}.jsonl`)];
      const [session] = readFiles(files).sessions;
      return session && summarise(session).title;
    };
    expect(titleOf([], [])).toBe("first words");
    expect(titleOf([], [summary])).toBe("From elsewhere");
    expect(titleOf([generated], [summary])).toBe("Generated");
    expect(titleOf([custom("a"), generated, custom("Mine")], [summary])).toBe("Mine");
  });

  test("a session with only a command has its generated title, otherwise the command", () => {
    const text = "<command-name>/tidy</command-name>\n<command-args>notes.md</command-args>";
    const asked = mainFile([prompt(text, { uuid: "a" })]);
    const summary = { type: "summary", summary: "From elsewhere", leafUuid: "a" };
    const titles = [[asked], [asked, mainFile([summary], `${other}.jsonl`)]].map((files) => {
      const [session] = readFiles(files).sessions;
      return session && summarise(session).title;
    });
    expect(titles).toEqual(["/tidy notes.md", "From elsewhere"]);
  });

  test("agents inside the main file are separate sessions, found by their task", () => {
    const task = callBlock("c1", "Task", { prompt: "Count the lines.", description: "Count" });
    const { sessions } = readLines([
      ...chain(prompt("go"), answer("msg_1", [task])),
      prompt("Count the lines.", { uuid: "s1-0000-0000", isSidechain: true }),
      answer("msg_2", [textBlock("Two.")], { parentUuid: "s1-0000-0000", isSidechain: true }),
    ]);
    const agent = sessions.find(({ kind }) => kind === "subagent");
    expect(agent).toMatchObject({
      id: "agent-s1-0000-0000",
      parentId: ID,
      parentCallId: "c1",
      summary: "Count",
    });
    expect(agent?.messages[0]).toMatchObject({
      isPrompt: false,
      injections: [{ kind: "delegation" }],
    });
    const main = sessions.find(({ kind }) => kind === "main");
    expect(main?.messages[1]?.toolCalls[0]?.agentId).toBe("agent-s1-0000-0000");
    expect(main?.replies.map(({ id }) => id)).toEqual(["msg_1"]);
  });

  test("the program's own totals beyond the replies", () => {
    const modelUsage = {
      "claude-opus-5-5[1m]": {
        inputTokens: 104,
        outputTokens: 80,
        cacheReadInputTokens: 200,
        cacheCreationInputTokens: 30,
        costUSD: 0.5,
      },
    };
    const { unrecorded } = onlySession([
      ...chain(prompt("go"), answer("msg_1", [textBlock("done")])),
      {
        type: "cost-state",
        sessionId: ID,
        modelUsage: { "claude-opus-5-5[1m]": { inputTokens: 4 } },
      },
      { type: "cost-state", sessionId: ID, modelUsage },
    ]);
    expect(unrecorded).toEqual([
      {
        model: "claude-opus-5-5[1m]",
        from: "cost-state",
        requests: null,
        costUsd: null,
        counts: {
          shape: "cache-beside-input",
          reasoning: "inside-output",
          input: 100,
          cached: 0,
          cacheWrite5m: 0,
          output: 30,
        },
      },
    ]);
  });

  test("replies that are newer than the totals hide nothing of them", () => {
    const totals = { inputTokens: 9, outputTokens: 50 };
    const lines = chain(
      prompt("go"),
      answer("msg_1", [textBlock("done")]),
      prompt("and?"),
      answer("msg_2", [textBlock("more")]),
    );
    const state = { type: "cost-state", modelUsage: { "claude-opus-5-5": totals } };
    for (const depth of ["full", "usage"] as const) {
      const { sessions } = readLines(lines.toSpliced(2, 0, state), depth);
      expect(sessions[0]?.unrecorded).toMatchObject([{ counts: { input: 5, output: 0 } }]);
    }
  });

  test("an output without an input is the estimate of an interrupted answer, no request", () => {
    const totals = { inputTokens: 4, cacheReadInputTokens: 200, cacheCreationInputTokens: 30 };
    const modelUsage = { "claude-opus-5-5": { ...totals, outputTokens: 53 } };
    const session = onlySession([
      ...chain(
        prompt("go"),
        answer("msg_1", [textBlock("so f")], { message: { stop_reason: null } }),
        prompt("[Request interrupted by user]"),
      ),
      { type: "cost-state", sessionId: ID, modelUsage },
    ]);
    expect(session.unrecorded).toBeUndefined();
    expect(session.replies).toMatchObject([{ isAtLeast: true, counts: { output: 50 } }]);
  });

  test("totals of one model under two names are compared with its replies once", () => {
    const totals = (inputTokens: number): object => ({ inputTokens, outputTokens: 25 });
    const modelUsage = { "claude-opus-5-5": totals(3), "claude-opus-5-5[1m]": totals(8) };
    const { unrecorded } = onlySession([
      ...chain(prompt("go"), answer("msg_1", [textBlock("done")])),
      { type: "cost-state", sessionId: ID, modelUsage },
    ]);
    expect(unrecorded).toMatchObject([
      { model: "claude-opus-5-5", counts: { input: 7, output: 0 }, costUsd: null },
    ]);
  });

  test("the project is the recorded directory that matches the folder's name", () => {
    const lines = [
      prompt("one", { cwd: "/home/ada/ledger/src" }),
      prompt("two", { cwd: "/home/ada/ledger", gitBranch: "main" }),
    ];
    expect(onlySession(lines)).toMatchObject({
      project: { name: "ledger", path: "/home/ada/ledger", knownBy: "recorded" },
      git: { branch: "main" },
    });
  });

  test("an outline does not grow with the length of texts", () => {
    const long = "x".repeat(1_000_000);
    const lines = chain(
      prompt(long),
      answer("msg_1", [
        { type: "thinking", thinking: long },
        textBlock(long),
        callBlock("c1", "Write", { file_path: "/p/a", content: long }),
      ]),
      resultRecord("c1", long, {
        toolUseResult: { structuredPatch: [], content: long, filePath: "/p/a" },
      }),
    );
    expect(JSON.stringify(readLines(lines, "outline").sessions).length).toBeLessThan(10_000);
  });
});
