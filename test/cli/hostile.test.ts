import { describe, expect, it } from "vitest";
import { versioned } from "../../src/core/schema-version.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { open } from "../../src/library/library.ts";
import { lines, makeRoot, run } from "./run.ts";

/** Escape sequences, control, invisible and bidirectional characters. */
const EVIL =
  "\x1b[2J\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x1b\\\x1bP+q\x1b\\" +
  "\x9b31m\x9d0;c1\x9c\b\b\r\v\x00\x7f\x85" +
  "\u202egpj.exe\u202c\u2066x\u2069\u200b\u200d\u2060\ufeff\u00ad\u{e0041}\u2028\ud800";

/** The colours of Pollux, which are allowed on a terminal. */
const OWN_COLOURS = /\x1b\[(?:\d{1,2})m/g;
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/u;
const INVISIBLE =
  /[\u061c\u{ad}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}\p{Cs}]/u;
const UNSAFE = new RegExp(`${CONTROL.source}|${INVISIBLE.source}`, "u");

const id = "dddddddd-5555-4555-8555-555555555555";
const name = (part: string): string => `${part}${EVIL}`;
const at = "2026-11-14T09:00:00.000Z";

const session = lines(
  {
    sessionId: id,
    projectHash: "h",
    startTime: at,
    lastUpdated: at,
    kind: "main",
    summary: name("sum"),
  },
  {
    id: name("u1"),
    timestamp: at,
    type: "user",
    content: [
      { text: `${name("ask")} @notes${EVIL}.md\n` },
      { text: `\n--- Content from referenced files ---\nContent from @notes${EVIL}.md:\n${EVIL}` },
      { text: "\n--- End of content ---" },
      { inlineData: { mimeType: name("image/png"), data: "AAAA" } },
      { fileData: { mimeType: name("image/png"), fileUri: name("gs://") } },
    ],
  },
  {
    id: "ctx",
    timestamp: at,
    type: "user",
    content: [{ text: `<session_context>\n${EVIL}\n</session_context>` }],
  },
  {
    id: "m1",
    timestamp: at,
    type: "gemini",
    content: name("answer\nsecond line"),
    model: name("gemini-2.5-pro"),
    tokens: { input: 1, output: 1, cached: 0, thoughts: 0, tool: 0, total: 2 },
    thoughts: [{ subject: name("thought"), description: name("deep"), timestamp: at }],
    toolCalls: ["success", "error", "cancelled", "odd"].map((status) => ({
      id: name(`c-${status}`),
      name: name("run_shell_command"),
      displayName: name("Shell"),
      description: name("runs"),
      args: { [name("command")]: name("ls"), list: [name("x")], command: name("ls -l") },
      status: status === "odd" ? EVIL : status,
      agentId: name("agent"),
      timestamp: at,
      resultDisplay: { fileDiff: name("+diff\n-diff"), fileName: name("f") },
      result: [{ functionResponse: { id: "c", name: "n", response: { output: name("out") } } }],
    })),
  },
  { id: "n1", timestamp: at, type: "error", content: name("notice") },
  { $rewindTo: "n1" },
  "not an object",
  { type: name("unfamiliar"), [EVIL]: EVIL },
);

const root = makeRoot({
  "tmp/evil/.project_root": `/home/ada/${EVIL.replaceAll("\x00", "").replaceAll("\n", "")}`,
  "tmp/evil/chats/session-2026-11-14T09-00-dddddddd.jsonl": `${session}{"broken": "${EVIL}`,
  "tmp/\x1b[31mred\u202e/chats/session-2026-11-14T09-00-\x1b[31meeeeeeee.jsonl": lines(
    {
      sessionId: name("eeee"),
      projectHash: name("h"),
      startTime: at,
      lastUpdated: at,
      kind: "main",
    },
    { id: "u", timestamp: EVIL, type: "user", content: EVIL },
  ),
  "tmp/evil/checkpoint-\x1b[31mtag.json": JSON.stringify([
    { role: "user", parts: [{ text: EVIL }] },
  ]),
  "tmp/evil/logs.json": JSON.stringify([
    { sessionId: name("ffff"), messageId: 0, type: "user", message: name("lost"), timestamp: at },
  ]),
});

/** Reports that need no argument. */
const REPORTS = ["overview", "usage", "tools", "calls"].filter((report) =>
  commands.some((listed) => listed.name === report),
);

const RUNS = [
  ...REPORTS.map((report) => [report]),
  ["sessions"],
  ["sessions", "--kind", "saved-chat"],
  ["sessions", "--kind", "prompt-log"],
  ["sessions", "--project", "\x1b[31mred"],
  ["show", id],
  ["show", id, "--all", "--thoughts", "--tools", "--context"],
  ["show", "eeee", "--all"],
  ["show", name("nothing")],
  ["show", ""],
  ["doctor"],
  ["doctor", "--rejects"],
  ["sessions", "--since", name("when")],
  ["sessions", name("--flag")],
  ["sessions", "--kind", name("kind")],
  [name("command")],
];

describe.each(RUNS)("the output for a hostile home of pollux %j", (...args) => {
  it.each(["terminal", "pipe"])("is safe to print in a %s", async (where) => {
    const isTerminal = where === "terminal";
    const env = { PAGER: "cat" };
    const { out, err } = await run([...args, "--root", root], { isTerminal, env });
    expect((out + err).length).toBeGreaterThan(0);
    const text = (out + err).replaceAll("\n", "");
    expect(isTerminal ? text.replace(OWN_COLOURS, "") : text).not.toMatch(UNSAFE);
  });

  it("is safe as JSON", async () => {
    const { out, err } = await run([...args, "--json", "--root", root]);
    expect((out + err).replaceAll("\n", "")).not.toMatch(UNSAFE);
  });
});

it("the JSON of a hostile session has the recorded values", async () => {
  const { out } = await run(["show", id, "--json", "--root", root]);
  expect(JSON.parse(out)).toEqual(
    versioned(structuredClone(await open({ roots: [root] }).transcript(id))),
  );
});
