import { describe, expect, it } from "vitest";
import { versioned } from "../../src/core/schema-version.ts";
import { nodeNote } from "../../src/cli/node-support.ts";
import { doctorLines } from "../../src/cli/print/doctor.ts";
import { Style } from "../../src/cli/print/style.ts";
import { open } from "../../src/library/library.ts";
import { smallHome } from "./homes.ts";
import { lines, makeRoot, NOW, run } from "./run.ts";

const root = smallHome();

describe("pollux doctor", () => {
  it("reports roots, counts, projects, risks and damage", async () => {
    await run(["keep", "--root", root]);
    const { code, out, err } = await run(["doctor", "--root", root], { columns: 100 });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    // The line about Node depends on the running version.
    const actual = out.replaceAll(root, "ROOT").replace(/\n+node .*[^]*/, "\n");
    expect(actual).toMatchInlineSnapshot(`
      "sends      nothing leaves this machine
      roots      ROOT (--root)
                 3 session files, deletes sessions after 30 days (the default)
      sessions   2 main, 1 subagent, 1 saved chat, 1 with only the prompts left
      files      3 of 3 read; append-jsonl (3)
      written by 0.39–0.43 (3)
      projects   2: 2 with their path
                 project  sessions  named by  path
                 ledger          2  marker    /home/ada/ledger
                 bakery          1  marker    /home/ada/bakery
      at risk    No session is about to be deleted.
      archive    ~/.local/share/pollux/archive.db
                 7 files archived
      damage     1 file with damage, 1 remark

      damage torn-line, 1
        ROOT/tmp/bakery/chats/session-2026-11-15T08-00-aaaaaaaa.jsonl:3
          The last line is cut off: it was still being written, or the agent was stopped.
      "
    `);
  });

  it("names the versions of each of several agents", async () => {
    const { out } = await run(["doctor", "--demo"], { columns: 200 });
    expect(out).toMatch(/Codex: 2 sessions; 2 of 2 files read; written by 0\.32–0\.147 \(2\)$/m);
    expect(out).not.toMatch(/^written by/m);
  });

  it("does not report everything as read when the archived bytes were not checked", async () => {
    const made = makeRoot({
      "tmp/x/chats/session-2026-01-01T00-00-aaaaaaaa.jsonl": lines(
        { sessionId: "x", projectHash: "h", startTime: "2026-01-01T00:00:00Z", kind: "main" },
        { id: "u1", timestamp: "2026-01-01T00:00:00Z", type: "user", content: "x" },
      ),
    });
    await run(["keep", "--root", made]);
    const library = open({ roots: [made], archive: "default" });
    const printed = async (bytes: "verified" | "trusted"): Promise<string> => {
      const answer = await library.doctor(NOW.getTime(), { bytes });
      return doctorLines(answer, { columns: 100, style: new Style("plain"), most: 3 }).join("\n");
    };
    expect(await printed("verified")).toMatch(/damage +none: everything was read$/m);
    const unchecked = await printed("trusted");
    expect(unchecked).toMatch(/archived bytes not checked/);
    expect(unchecked).toMatch(/damage +none in session files$/m);
    await library.close();
  });

  it("reports a root that does not exist, with the setting it comes from", async () => {
    const { out } = await run(["doctor"], { env: { GEMINI_DIR: "/no/such/place" } });
    expect(out).toMatch(/\nroots +\/no\/such\/place \(GEMINI_DIR\)\n +does not exist\n/);
  });

  it("prints three diagnostics of each kind, and all with --rejects", async () => {
    const bad = makeRoot({
      "tmp/x/chats/session-2026-01-01T00-00-aaaaaaaa.jsonl":
        lines({
          sessionId: "x",
          projectHash: "h",
          startTime: "2026-01-01T00:00:00Z",
          kind: "main",
        }) + "{broken}\n".repeat(5),
    });
    const some = await run(["doctor", "--root", bad]);
    expect(some.out.match(/\.jsonl:\d+\n/g)).toHaveLength(3);
    expect(some.out).toContain("and 2 more: --rejects lists all");
    const all = await run(["doctor", "--rejects", "--root", bad]);
    expect(all.out.match(/\.jsonl:\d+\n/g)).toHaveLength(5);
  });

  it("counts different replies with the same id separately and reports them", async () => {
    const session = (name: string, at: string): string =>
      lines(
        { sessionId: name, projectHash: "h", startTime: at, kind: "main" },
        { id: "u1", timestamp: at, type: "user", content: name },
        {
          id: "g1",
          timestamp: at,
          type: "gemini",
          content: `${name}, too`,
          model: "gemini-2.5-pro",
          tokens: { input: 10, output: 1, cached: 0, thoughts: 0, tool: 0, total: 11 },
        },
      );
    const made = makeRoot({
      "tmp/x/chats/session-2026-01-01T00-00-one.jsonl": session("one", "2026-01-01T00:00:00.000Z"),
      "tmp/x/chats/session-2026-01-02T00-00-two.jsonl": session("two", "2026-01-02T00:00:00.000Z"),
      // A copy of the first, as an import leaves it, is not a coincidence.
      "tmp/y/chats/session-2026-01-01T00-00-one.jsonl": session("one", "2026-01-01T00:00:00.000Z"),
    });
    for (const ways of [["--fresh"], []]) {
      await run(["keep", "--root", made]);
      const { out } = await run(["doctor", "--json", "--root", made, ...ways]);
      const { coverage } = JSON.parse(out) as { coverage: { diagnostics: { code: string }[] } };
      const shared = coverage.diagnostics.filter(({ code }) => code === "shared-id");
      expect(shared).toMatchObject([{ severity: "notice" }, { severity: "notice" }]);
      const usage = await run([
        "usage",
        "--since",
        "2026-01-01",
        "--json",
        "--root",
        made,
        ...ways,
      ]);
      expect(JSON.parse(usage.out)).toMatchObject({
        totals: { requests: 2, tokens: { total: 22 } },
      });
    }
  });

  it("counts a reply in several sessions once, and reports copies with other counts", async () => {
    const at = "2026-01-03T00:00:00.000Z";
    const session = (name: string, total: number): string => {
      const tokens = { input: total - 1, output: 1, cached: 0, thoughts: 0, tool: 0, total };
      const model = "gemini-2.5-pro";
      return lines(
        { sessionId: name, projectHash: "h", startTime: at, kind: "main" },
        { id: "g7", timestamp: at, type: "gemini", content: "x", model, tokens },
      );
    };
    const made = makeRoot({
      "tmp/x/chats/session-2026-01-01T00-00-one.jsonl": session("copied", 11),
      "tmp/x/chats/session-2026-01-01T00-00-two.jsonl": session("copy-a", 111),
      "tmp/x/chats/session-2026-01-01T00-00-three.jsonl": session("copy-b", 11),
    });
    for (const ways of [["--fresh"], []]) {
      await run(["keep", "--root", made]);
      const { out } = await run(["doctor", "--json", "--root", made, ...ways]);
      const { coverage } = JSON.parse(out) as {
        coverage: { diagnostics: { code: string; file: string }[] };
      };
      const unequal = coverage.diagnostics.filter(({ code }) => code === "unequal-copy");
      expect(unequal).toMatchObject([{ file: expect.stringContaining("two.jsonl") }]);
    }
    // Answers that leave out its counts say so, in every way of reading.
    const other = makeRoot({
      "tmp/x/chats/session-2026-01-01T00-00-one.jsonl": session("copied", 11),
      "tmp/x/chats/session-2026-01-01T00-00-two.jsonl": session("copy-a", 111),
    });
    const since = ["--since", "2026-01-01"];
    for (const [kept, ways] of [
      [made, ["--fresh"]],
      [made, []],
      [other, []],
    ] as const) {
      for (const question of [["usage", ...since], ["overview"], ["sessions"]]) {
        const { out } = await run([...question, "--json", "--root", kept, ...ways]);
        expect(JSON.parse(out)).toMatchObject({ coverage: { unequalCopies: 1 } });
      }
      const usage = await run(["usage", ...since, "--root", kept, ...ways]);
      expect(usage.out).toMatch(/1 reply is a copy with other token counts than the original/);
      const listed = await run(["sessions", "--root", kept, ...ways]);
      expect(listed.out).toMatch(/read, 1 copied reply not counted: pollux doctor/);
    }
  });

  it("warns about sessions that will be deleted", async () => {
    const now = new Date("2026-12-12T12:00:00Z");
    const { out } = await run(["doctor", "--root", root], { now });
    expect(out).toMatch(/at risk +2 sessions will be deleted/);
    expect(out).toMatch(/aaaaaaaa-1 .* ledger +in 1 day +Explain @notes.md/);
  });

  it("prints the library's answer as JSON", async () => {
    const { out } = await run(["doctor", "--json", "--root", root]);
    const answer = await open({ roots: [root], archive: "default" }).doctor(NOW.getTime(), {
      bytes: "verified",
    });
    expect(JSON.parse(out)).toEqual(versioned(structuredClone(answer)));
  });
});

describe("nodeNote", () => {
  it("warns after the end of life of a Node version", () => {
    expect(nodeNote("20.20.2", new Date("2026-04-30T12:00:00Z"))).toBeUndefined();
    expect(nodeNote("20.20.2", new Date("2026-05-01T12:00:00Z"))).toContain("2026-04-30");
    expect(nodeNote("24.1.0", NOW)).toBeUndefined();
    expect(nodeNote("99.0.0", NOW)).toBeUndefined();
  });
});
