// @module-tag slow
import { describe, expect, test } from "vitest";
import { run } from "../cli/run.ts";
import {
  answer,
  asked,
  at,
  call,
  counts,
  HASH,
  home,
  idOf,
  OTHER,
  PROJECT,
  prompt,
  session,
  write,
} from "./seed-home.ts";

/*
 * Checks the statements of docs/seeds.md on files as the seeds describe them. Newer files are
 * covered by the tests of the formats.
 */

test("000, 001: reads messages, references, thoughts and calls", async () => {
  const typed = "Look @a.ts\n--- Content from referenced files ---\n\nContent from @a.ts:\nx\n";
  const failed = {
    status: "error",
    resultDisplay: "shown",
    displayName: "Read",
    description: "what it does",
    result: [{ functionResponse: { id: "c2", name: "ReadFile", response: { error: "no such" } } }],
  };
  const id = session("1", [
    prompt(`${typed}--- End of content ---\nand tell me`),
    answer("**bold**", {
      thoughts: [{ subject: "Plan", description: "think", timestamp: at(2) }],
      tokens: counts(22_629, 805, { thoughts: 3174, total: 26_608 }),
    }),
    answer("more", { id: "g2", tokens: counts(64_754, 509, { cached: 60_000 }) }),
    { id: "i", timestamp: at(5), type: "info", content: "a notice" },
    { id: "h", timestamp: at(6), type: "human", content: "I am human" },
    answer("", {
      id: "g3",
      toolCalls: [
        call("c1", "run_command", { args: JSON.stringify({ cmd: "cat a | sort && ls" }) }),
        call("c2", "ReadFile", failed),
      ],
    }),
  ]);
  const { session: shown, messages } = await asked("show", id);
  expect(shown).toMatchObject({ status: "failure", startedAt: at(0) });
  expect(messages[0]).toMatchObject({ isPrompt: true, references: [{ path: "a.ts" }] });
  expect(messages[0]?.typed).toMatch(/^Look @a\.ts[^]*and tell me$/);
  expect(messages[1]?.thoughts).toMatchObject([{ subject: "Plan", at: at(2) }]);
  expect(messages.find((message) => message.id === "i")?.isPrompt).toBe(false);
  expect(messages.find((message) => message.id === "h")?.isPrompt).toBe(true);
  const [first, second] = messages.at(-1)?.toolCalls ?? [];
  expect(first?.args).toEqual({ cmd: "cat a | sort && ls" });
  expect(second).toMatchObject({ outcome: "error", description: "what it does" });
  const usage = await asked("usage", "--session", id, "--since", "2026-01-01");
  const tokens = { total: 26_608 + 65_263 + 110, cached: 60_000, thoughts: 3174 };
  expect(usage.totals.tokens).toMatchObject(tokens);
});

test.each([
  ["2", "success", [prompt("x"), answer("y")]],
  [
    "3",
    "cancelled",
    [prompt("x"), answer("", { toolCalls: [call("c", "glob", { status: "cancelled" })] })],
  ],
  ["4", "interrupted", [prompt("x")]],
  ["5", "failure", [prompt("x"), { id: "e", timestamp: at(3), type: "error", content: "failed" }]],
  [
    "6",
    "success",
    [prompt("x"), answer("y"), { id: "i", timestamp: at(4), type: "info", content: "n" }],
  ],
])("000: session %s has the status %s", async (letter, status, messages) => {
  const id = session(letter, messages);
  expect((await asked("show", id)).session.status).toBe(status);
});

test("001: a compression starts another file of the same session", async () => {
  const empty = { id: "c", timestamp: at(5), type: "info", content: "" };
  const id = session("7", [prompt("first"), answer("one"), empty]);
  session("7", [{ ...prompt("second"), id: "u2", timestamp: at(30) }], "10-01");
  const shown = await asked("show", id);
  expect(shown.messages.map(({ text }) => text)).toContain("second");
  expect(JSON.stringify(shown)).toContain("split");
});

test("002: writes a record with the mapping of the seed", async () => {
  const id = session("8", [
    prompt("x"),
    answer("y", { thoughts: [{ subject: "Plan", description: "think", timestamp: at(2) }] }),
    answer("", { id: "g2", toolCalls: [call("c1", "glob"), { id: "c2", name: "glob", args: {} }] }),
  ]);
  const seed = (await run(["record", id, "--profile", "seed", "--fresh", "--root", home])).out;
  const text = JSON.stringify(JSON.parse(seed));
  for (const part of [
    `"session-id":"${id}"`,
    `"session-start":"${at(0)}"`,
    `"created":"${at(0)}"`,
    '"type":"assistant"',
    '"model-id":"gemini-2.5-pro"',
    '"call-id":"c1"',
    '"type":"reasoning"',
    '"subject":"Plan"',
    '"cli-name":"gemini-cli"',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toMatch(/"gemini"|projectHash|token-usage|session-end|"result":null/);
  expect(text.match(/"type":"tool-result"/g)).toHaveLength(1);
  const whole = (await run(["record", id, "--profile", "lossless", "--fresh", "--root", home])).out;
  for (const part of [HASH, "token-usage", "session-end"]) expect(whole).toContain(part);
});

test("003: counts incomplete lines, by the ledger and by the arithmetic of the seed", async () => {
  const lines = [
    { sessionId: idOf("9"), projectHash: OTHER, startTime: at(0), lastUpdated: at(0) },
    { type: "user", content: "no id, no time" },
    {
      id: "g1",
      type: "gemini",
      content: "a",
      model: "weird",
      tokens: { input: 50, output: 5, cached: 10, thoughts: 2 },
    },
    {
      id: "g2",
      type: "gemini",
      content: "b",
      tokens: counts(7, 1, { tool: 3, total: 11 }),
      toolCalls: [{ name: "list_dir" }],
    },
    { $set: { summary: "A title by set" } },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  write(`${OTHER}/chats/session-2026-01-05T10-00-99999999.jsonl`, text);
  const of = ["--session", idOf("9"), "--since", "2026-01-01"];
  const { totals, rows } = await asked("usage", "--by", "day", ...of);
  expect(totals).toMatchObject({ requests: 2, unpricedRequests: 2, tokens: { total: 57 + 11 } });
  expect(rows.map(({ key }) => key)).toEqual(["2026-01-05"]);
  const calls = (await run(["calls", ...of, "--arithmetic", "seed", "--fresh", "--root", home]))
    .out;
  expect(calls).toMatch(/weird +40 +10 +7\b[^]* 7 +0 +4 /);
  const { sessions } = await asked("sessions");
  const found = sessions.find((message) => message.id === idOf("9"));
  expect(found).toMatchObject({ title: "A title by set", project: { name: OTHER.slice(0, 12) } });
});

const LABELS: Readonly<Record<string, string>> = {
  Read: "read_file ReadFile",
  Write: "write_file create_file WriteFile",
  Edit: "edit_file EditFile replace",
  Delete: "delete_file",
  LS: "list_dir ListDir list_directory",
  Grep: "grep_search search_files SearchText search_file_content",
  Glob: "find_files glob",
  Bash: "run_command Shell run_shell_command",
  WebSearch: "web_search google_web_search",
  my_own_tool: "my_own_tool",
};
const MEANINGS: Readonly<Record<string, string>> = {
  "shell_exec Execute": "run_shell_command",
  "file_write Edit": "write_file",
  "file_edit Edit": "replace",
  "file_read Read": "read_file list_directory",
  "file_search Search": "glob search_file_content grep_search codebase_investigator",
  "web_access Fetch": "web_fetch google_web_search",
  "memory Think": "save_memory",
  "planning Plan": "write_todos",
  "skill Other": "activate_skill",
};
const pairs = (table: Readonly<Record<string, string>>): [tool: string, means: string][] => {
  return Object.entries(table).flatMap(([means, tools]) => {
    return tools.split(" ").map((tool): [string, string] => [tool, means]);
  });
};

test("003, 004: gives tools their labels, canonical names and categories", async () => {
  const names = [...new Set([...pairs(LABELS), ...pairs(MEANINGS)].map(([tool]) => tool))];
  const calls = names.map((name, number) => call(`k${number}`, name));
  const id = session("a", [prompt("x"), answer("", { toolCalls: calls })]);
  const { tools } = await asked("tools", "--session", id, "--since", "2026-01-01");
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  for (const [tool, label] of pairs(LABELS))
    expect([tool, known.get(tool)?.label]).toEqual([tool, label]);
  for (const [tool, means] of pairs(MEANINGS)) {
    const { canonical, category } = known.get(tool) ?? {};
    expect([tool, `${canonical} ${category}`]).toEqual([tool, means]);
  }
});

describe("004", () => {
  const id = "session-2025-09-18T02-45-abcdef12";
  write(`${HASH}/chats/${id}.json`, {
    history: [
      { role: "user", parts: [{ text: "do it" }] },
      {
        role: "model",
        parts: [
          { text: "ok" },
          { functionCall: { name: "run_shell_command", args: { command: "ls" } } },
          { functionCall: { name: "glob", args: { pattern: "*" } } },
        ],
      },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              name: "run_shell_command",
              response: { content: { error: "boom" } },
            },
          },
          { functionResponse: { name: "glob", response: { output: "a" } } },
        ],
      },
    ],
  });

  test("a history is a session with events in order, with times from its file name", async () => {
    const { out } = await run(["events", id, "--fresh", "--root", home]);
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const types = [
      "session_start",
      "user_prompt",
      "tool_use",
      "tool_use",
      "tool_result",
      "tool_result",
    ];
    expect(events.map(({ type }) => type)).toEqual([...types, "session_end"]);
    expect(events[0]).toMatchObject({ isSynthesised: true, isTimestampDerived: true });
    expect(events[0]?.["timestamp"]).toMatch(/^2025-09-18T02:45/);
    const times = events.map(({ timestamp }) => String(timestamp));
    expect(times).toEqual(times.toSorted());
    expect(events[4]).toMatchObject({ outcome: "error" });
  });

  test("reads saved chats and prompt logs, and ignores the shell history", async () => {
    write(`${HASH}/checkpoint-mine.json`, {
      history: [{ role: "user", parts: [{ text: "saved" }] }],
    });
    const gone = { sessionId: "gone", messageId: 0, type: "user", message: "x", timestamp: at(1) };
    write(`${HASH}/logs.json`, [gone]);
    write(`${HASH}/shell_history`, "rm -rf /");
    const list = await asked("sessions");
    expect(list.savedChats).toMatchObject([{ tag: "mine" }]);
    expect(list.promptLogs).toMatchObject([{ sessionId: "gone" }]);
    expect(JSON.stringify(await asked("doctor"))).not.toContain("shell_history");
  });

  test("reads a file in chats as a session if its name or content proves it", async () => {
    write(`${HASH}/chats/session-2026-03-01T00-00-noid.json`, {
      messages: [prompt("no id at all")],
    });
    const proved = {
      sessionId: idOf("f"),
      projectHash: HASH,
      startTime: at(0),
      lastUpdated: at(0),
    };
    write(`${HASH}/chats/imported.json`, { ...proved, messages: [prompt("imported")] });
    write(`${HASH}/chats/whatever.json`, { messages: [prompt("anybody's")] });
    write(`${HASH}/.project_root`, PROJECT);
    const { sessions } = await asked("sessions");
    const ids = sessions.map((message) => message.id);
    expect(ids).toContain("session-2026-03-01T00-00-noid");
    expect(ids).toContain(idOf("f"));
    expect(ids).not.toContain("whatever");
    expect(JSON.stringify(await asked("doctor"))).toMatch(
      /no-session-id[^]*unknown|unknown[^]*no-session-id/,
    );
    expect(sessions.find((message) => message.id === idOf("f"))?.project.path).toBe(PROJECT);
  });
});
