import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { versioned } from "../../src/core/schema-version.ts";
import { open } from "../../src/library/library.ts";
import { AGENT_ID, BAKERY_ID, LEDGER_ID, smallHome } from "./homes.ts";
import { makeRoot, run } from "./run.ts";

const root = smallHome();

async function ids(...args: string[]): Promise<string[]> {
  const { out } = await run(["sessions", "--json", "--root", root, ...args]);
  const answer: { sessions: { id: string }[] } = JSON.parse(out);
  return answer.sessions.map(({ id }) => id);
}

describe("pollux sessions", () => {
  it("lists sessions, newest first, with what is left out and the coverage", async () => {
    const { code, out, err } = await run(["sessions", "--root", root]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatchInlineSnapshot(`
      "when    id          project  title                      status       pr  tokens
      08:00   aaaaaaaa-2  bakery   Count the loaves of bread  interrupted   1       0
      Nov 14  aaaaaaaa-1  ledger   Explain @notes.md          success       3   4.94k
      Nov 14  bbbbbbbb    ledger   ↳ Find the cause           success       0   1.23k

      3 sessions
      1 saved chat: --kind saved-chat
      1 session with only the prompts left: --kind prompt-log
      3 files, 3 read, 1 with damage: pollux doctor
      "
    `);
  });

  it("gives a subagent with its parent's id an id that commands accept", async () => {
    const sessionId = "cccccccc-1111-4111-8111-111111111111";
    const chat = (kind: string, id: string): string => {
      const at = "2026-11-10T10:00:00.000Z";
      const tokens = { input: 5, output: 1, cached: 0, thoughts: 0, tool: 0, total: 6 };
      const user = { id: `u${id}`, timestamp: at, type: "user", content: `look ${id}` };
      const reply = { id, timestamp: at, type: "gemini", content: "ok", tokens, model: "m" };
      const messages = [user, reply];
      const head = { sessionId, projectHash: "h", startTime: at, lastUpdated: at, kind };
      return JSON.stringify({ ...head, messages });
    };
    const shared = makeRoot({
      "tmp/p/chats/session-2026-11-10T10-00-cccccccc.json": chat("main", "g1"),
      "tmp/p/chats/session-2026-11-10T10-03-cccccccc.json": chat("subagent", "g2"),
      "tmp/p/chats/session-2026-11-10T10-04-cccccccc.json": chat("subagent", "g3"),
    });
    const { out } = await run(["sessions", "--root", shared]);
    const shown = [...out.matchAll(/cccccccc\S*/g)].map(([id]) => id).toSorted();
    expect(shown).toEqual(["cccccccc", "cccccccc~10-03", "cccccccc~10-04"]);
    expect(out).toMatch(/ tokens\n/);
    const usage = await run(["usage", "--by", "session", "--root", shared]);
    for (const id of shown) expect(usage.out).toMatch(new RegExp(`^${id} `, "m"));
    for (const command of ["show", "explain"]) {
      const answer = await run([command, "cccccccc~10-04", "--root", shared, "--json"]);
      expect(answer.code).toBe(0);
      expect(answer.out).toContain(`${sessionId}~2026-11-10T10-04`);
      expect(answer.out).not.toContain("10-03");
    }
    expect((await run(["show", "cccccccc~10-05", "--root", shared])).code).toBe(3);
  });

  it("counts the selected sessions in its footer", async () => {
    const { out } = await run(["sessions", "--kind", "subagent", "--root", root]);
    expect(out).toContain("\n1 subagent session\n");
    const none = await run(["sessions", "--kind", "main", "--project", "bak", "--root", root]);
    expect(none.out).toContain("\n1 of 2 main sessions\n");
  });

  it("uses a wider terminal for times and models", async () => {
    const { out } = await run(["sessions", "--root", root], { columns: 140 });
    expect(out).toMatch(/^when +id +project +title +status +prompts +models +tokens +cost\n/);
    expect(out).toMatch(
      /\nNov 14 09:00 +aaaaaaaa-1 .* 3 +gemini-2.5-pro, gemini-2.… +4.94k +\$[\d.]+\n/,
    );
  });

  it("names the agents if the list has several, even if all rows shown are of one", async () => {
    const titles = async (...words: string[]): Promise<string | undefined> => {
      return (await run(["sessions", "--demo", ...words])).out.split("\n")[0];
    };
    expect(await titles("--limit", "1")).toMatch(/^when +id +agent +project/);
    expect(await titles("--limit", "1", "--agent", "claude")).toMatch(/^when +id +project/);
  });

  it("fits 80 columns and fewer", async () => {
    for (const columns of [80, 64]) {
      const { out } = await run(["sessions", "--root", root], { columns });
      for (const line of out.split("\n").slice(0, 4))
        expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it("is coloured only on a terminal, and never with --no-color or NO_COLOR", async () => {
    const args = ["sessions", "--no-pager", "--root", root];
    const isTerminal = true;
    expect((await run(args, { isTerminal })).out).toContain("\x1b[");
    expect((await run(args)).out).not.toContain("\x1b");
    expect((await run([...args, "--no-color"], { isTerminal })).out).not.toContain("\x1b");
    const env = { NO_COLOR: "1" };
    expect((await run(args, { isTerminal, env })).out).not.toContain("\x1b");
  });

  it.each([
    [["--project", "BAK"], [BAKERY_ID]],
    [
      ["--project", "/home/ada/ledger"],
      [LEDGER_ID, AGENT_ID],
    ],
    [["--since", "today"], [BAKERY_ID]],
    [
      ["--until", "yesterday"],
      [LEDGER_ID, AGENT_ID],
    ],
    [
      ["--since", "2026-11-14", "--until", "2026-11-14"],
      [LEDGER_ID, AGENT_ID],
    ],
    [["--model", "flash"], [LEDGER_ID]],
    [["--status", "interrupted"], [BAKERY_ID]],
    [["--kind", "subagent"], [AGENT_ID]],
    [["--kind", "main", "--limit", "1"], [BAKERY_ID]],
    [["--kind", "saved-chat"], []],
    [["-p", "ledger", "-s", "30d", "-u", "today", "-m", "pro", "-n", "1"], [LEDGER_ID]],
  ])("filters by %j", async (args, expected) => expect(await ids(...args)).toEqual(expected));

  it("prints the library's answer as JSON", async () => {
    const { out, err } = await run(["list", "--json", "--root", root]);
    expect(JSON.parse(out)).toEqual(
      versioned(structuredClone(await open({ roots: [root] }).sessions())),
    );
    expect(err).toBe("");
    const answer: Record<string, object[]> = JSON.parse(out);
    expect(Object.keys(answer)).toEqual([
      "sessions",
      "schemaVersion",
      "savedChats",
      "promptLogs",
      "total",
      "coverage",
    ]);
    const names =
      "id source project kind parentId title startedAt updatedAt status prompts messages " +
      "toolCalls models tokens files";
    expect(Object.keys(answer["sessions"]?.[0] ?? {})).toEqual(
      expect.arrayContaining(names.split(" ")),
    );
    expect(answer["coverage"]).toMatchObject({ files: 3, read: 3, damaged: 1, diagnostics: [{}] });
  });

  it("lists saved chats and prompt logs with --kind", async () => {
    const chats = await run(["sessions", "--kind", "saved-chat", "--root", root]);
    expect(chats.out).toMatch(/saved +project +tag +prompts +messages\n.* bakery +before +1 +2\n/);
    const logs = await run(["sessions", "--kind", "prompt-log", "--root", root]);
    expect(logs.out).toMatch(/2026-01-02 +cccccccc +bakery +A lost question +1\n/);
  });

  it("reports that nothing matches, with the total", async () => {
    const { code, out } = await run(["sessions", "--project", "nothing", "--root", root]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Nothing matches\.\n\n0 of 3 sessions\n/);
  });
});

describe("pollux sessions without any session", () => {
  it.each([["insights"], ["search", "rain"], ["calls"], ["uses", "a.ts"], ["secrets"]])(
    "%s suggests the demo, too",
    async (...words) => {
      const folder = mkdtempSync(join(tmpdir(), "pollux-none-"));
      const { code, out } = await run(words, { env: { GEMINI_CLI_HOME: folder } });
      expect(code).toBe(0);
      expect(out).toContain("No sessions found.");
      expect(out).toContain("pollux --demo");
    },
  );

  it("prints where it looked, and suggests the demo", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pollux-none-"));
    const env = { GEMINI_CLI_HOME: folder };
    const { code, out } = await run(["sessions"], { env });
    expect(code).toBe(0);
    expect(out).toContain("No sessions found.");
    expect(out).toMatch(new RegExp(`${folder}/.gemini +GEMINI_CLI_HOME, does not exist`));
    expect(out).toMatch(/\/home\/\.gemini +the home folder, does not exist/);
    expect(out).toContain("pollux --demo");
    expect(out).toContain("npm start -- --demo");
    const json = await run(["sessions", "--json"], { env });
    expect(JSON.parse(json.out)).toMatchObject({ sessions: [], coverage: { files: 0 } });
  });

  it("reports files that could not be read", async () => {
    const unread = makeRoot({ "tmp/x/chats/session-2026-01-01T00-00-aaaaaaaa.json": "" });
    const { out } = await run(["sessions", "--root", unread]);
    expect(out).toMatch(/no sessions in it/);
    expect(out).toContain("1 file could not be read. See pollux doctor.");
  });
});
