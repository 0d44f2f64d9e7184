import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit.ts";
import { open } from "../../src/library/library.ts";
import { AGENT_ID, BAKERY_ID, LEDGER_ID, smallHome } from "./homes.ts";
import { makeRoot, run } from "./run.ts";

const root = smallHome();

async function show(...args: string[]): Promise<string> {
  const { code, out, err } = await run(["show", "--root", root, ...args]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out.replaceAll(root, "ROOT");
}

describe("pollux show", () => {
  it("does not wrap in a pipe, except with --width", async () => {
    const widest = (text: string): number => {
      return Math.max(...text.split("\n").map((line) => line.length));
    };
    expect(widest(await show(LEDGER_ID))).toBeGreaterThan(60);
    expect(widest(await show(LEDGER_ID, "--width", "60"))).toBeLessThanOrEqual(60);
  });

  it("sums up many texts that an agent added to a prompt, and names a patch by its files", async () => {
    const corpora = join(import.meta.dirname, "..", "fixtures", "corpora");
    const claude = join(corpora, "claude-code", "2.1.325", "image", ".claude");
    const asked = await run(["show", "--root", claude, "--agent", "claude", "latest"]);
    expect(asked.out).toContain("· context in 6 parts, 36 lines");
    const whole = await run(["show", "--root", claude, "latest", "--context"]);
    expect(whole.out).toMatch(/· environment, 10 lines\n\s+<system-reminder>/);
    const codex = join(corpora, "codex", "0.1.2505291658", "tools", ".codex");
    const patched = await run(["show", "--root", codex, "latest"]);
    expect(patched.out).toContain("▸ Bash cat notes.md\n");
    expect(patched.out).toContain("▸ Edit src/ledger.js, src/new.js\n");
  });

  it("prints a transcript with thoughts, calls, files and context folded", async () => {
    expect(await show(LEDGER_ID)).toMatchInlineSnapshot(`
      "Explain @notes.md
      session   aaaaaaaa-1111-4111-8111-111111111111
      status    success
      project   ledger, /home/ada/ledger (known by marker)
      when      2026-11-14 09:00, for 11s
      models    gemini-2.5-pro, gemini-2.5-flash
      said      3 prompts, 6 live messages, 2 rewound, 3 tool calls (1 failed)
      tokens    4,936: 4,800 input (800 cached), 120 output, 16 thoughts
      file      ROOT/tmp/ledger/chats/session-2026-11-14T09-00-aaaaaaaa.jsonl (append-jsonl, whole)

      You 09:00
        Explain @notes.md
        · file notes.md, 2 lines

      gemini-2.5-pro 09:00
        ∴ Planning
        Let me look.
        ▸ Read src/ledger.js
        ▸ Bash npm test  ✗ Exit code 1
        ▸ Agent Find the cause  agent bbbbbbbb

        The notes say 42.

        · Model set to another

      You 09:00
        The better question

      gemini-2.5-flash 09:00
        The better answer.

      1 thought: --thoughts
      3 tool calls: --tools
      2 messages taken back: --all
      "
    `);
  });

  it("prints thoughts, calls and referenced files in full with options", async () => {
    const out = await show(LEDGER_ID, "--thoughts", "--tools", "--context");
    expect(out).toContain("\n  ∴ Planning\n    Read, then answer.\n");
    expect(out).toContain(
      "\n  ▸ Bash npm test  ✗ Exit code 1\n" +
        "      command: npm test\n      returned:\n      Exit code 1\n",
    );
    expect(out).toContain("\n  · file notes.md, 2 lines\n    First note.\n    Second note.\n");
    expect(out).not.toContain("--tools");
  });

  it("prints rewound messages only with --all, with the reason", async () => {
    expect(await show(LEDGER_ID)).not.toContain("taken back.");
    const out = await show(LEDGER_ID, "--all");
    expect(out).toContain("\nYou, rewound (rewind) 09:00\n  A question to be taken back\n");
    expect(out).toContain("rewound (rewind) 09:00\n  An answer to be taken back.\n");
  });

  it("prints a subagent's task and parent session", async () => {
    const out = await show(AGENT_ID);
    expect(out).toContain(`\nagent of  ${LEDGER_ID}\n`);
    expect(out).toContain("\nTask 09:00\n  Find the cause\n");
  });

  it("lists subagents that no call references", async () => {
    const files = {
      path: "tmp/x/chats/session-2026-03-01T10-00-abcdef12.json",
      at: "2026-03-01T10:00:00.000Z",
    };
    const call = {
      id: "c",
      name: "codebase_investigator",
      args: { objective: "Look" },
      status: "success",
    };
    const parent = {
      sessionId: "abcdef12-parent",
      projectHash: "h",
      startTime: files.at,
      lastUpdated: files.at,
      messages: [
        { id: "u", timestamp: files.at, type: "user", content: "Look into it" },
        { id: "m", timestamp: files.at, type: "gemini", content: "", toolCalls: [call] },
      ],
    };
    const child = {
      ...parent,
      sessionId: "child7",
      kind: "subagent",
      messages: [parent.messages[0]],
    };
    const home = makeRoot({
      [files.path]: JSON.stringify(parent),
      "tmp/x/chats/abcdef12-parent/child7.json": JSON.stringify(child),
    });
    const { out } = await run(["show", "abcdef12-parent", "--root", home]);
    expect(out).toContain("\nagents    child7\n");
  });

  it("prints a saved chat by its tag or id", async () => {
    const { out: list } = await run(["sessions", "--json", "--root", root]);
    const { savedChats }: { savedChats: { id: string; tag: string }[] } = JSON.parse(list);
    const [chat] = savedChats;
    const byTag = await run(["show", chat?.tag ?? "", "--root", root]);
    expect(byTag).toMatchObject({ code: 0, err: "" });
    expect(byTag.out).toContain(`Saved chat "${chat?.tag}"`);
    expect((await run(["show", chat?.id ?? "", "--root", root])).out).toBe(byTag.out);
  });

  it.each([
    ["show", "latest"],
    ["events", "latest"],
    ["export", "latest", "--to", "json"],
    ["explain", "latest"],
    ["secrets", "latest"],
    ["calls", "--session", "latest"],
    ["compare", "latest", "latest"],
  ])(
    "%s %s prints where it looked and suggests the demo if there are no sessions",
    async (...line) => {
      const empty = makeRoot({});
      const { code, out, err } = await run([...line, "--root", empty]);
      expect({ code, out }).toEqual({ code: 3, out: "" });
      expect(err).toContain("No sessions yet.");
      expect(err).toContain(`Searched ${empty}.`);
      expect(err).toContain("--demo");
    },
  );

  it("accepts a session id, a unique prefix, or latest", async () => {
    const whole = await show(BAKERY_ID);
    expect(await show("aaaaaaaa-2")).toBe(whole);
    expect(await show("latest")).toBe(whole);
  });

  it.each([
    ["aaaa", /^pollux: "aaaa" begins 2 session ids\.\nGive more of it: aaaaaaaa-2222.*\n$/],
    ["zzzz", /^pollux: No session matches "zzzz"\.\n.*pollux sessions.*\n$/],
  ])("exits with 3 for %s", async (id, sentence) => {
    for (const json of [[], ["--json"]]) {
      const { code, out, err } = await run(["show", id, "--root", root, ...json]);
      expect({ code, out }).toEqual({ code: EXIT.notFound, out: "" });
      expect(err).toMatch(sentence);
    }
  });

  it("wraps on a terminal only", async () => {
    const options = { isTerminal: true, columns: 50, env: { NO_COLOR: "1" } };
    const wrapped = await run(
      ["show", LEDGER_ID, "--tools", "--no-pager", "--root", root],
      options,
    );
    for (const line of wrapped.out.split("\n")) expect(line.length).toBeLessThanOrEqual(50);
    expect(
      Math.max(...(await show(LEDGER_ID)).split("\n").map(({ length }) => length)),
    ).toBeGreaterThan(80);
  });

  it("prints the library's answer as JSON, with the documented fields", async () => {
    const { out } = await run(["show", LEDGER_ID, "--json", "--root", root]);
    const answer: { messages: { id: string; toolCalls: object[] }[] } = JSON.parse(out);
    const transcript = await open({ roots: [root] }).transcript(LEDGER_ID);
    expect(answer).toEqual({ schemaVersion: 2, ...structuredClone(transcript) });
    const message =
      "id author standing reason at model text isPrompt typed references thoughts toolCalls tokens";
    const call = "id name label canonical category args outcome output agentId";
    const reply = answer.messages.find(({ id }) => id === "m1");
    expect(Object.keys(reply ?? {})).toEqual(expect.arrayContaining(message.split(" ")));
    expect(Object.keys(reply?.toolCalls[0] ?? {})).toEqual(expect.arrayContaining(call.split(" ")));
  });
});
