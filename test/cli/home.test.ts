// @module-tag slow
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { firstKeepLines } from "../../src/cli/print/first-keep.ts";
import { progressText } from "../../src/cli/print/progress.ts";
import { widthOf } from "../../src/cli/print/width.ts";
import { lines, makeRoot, NOW, run } from "./run.ts";

describe("pollux without a terminal", () => {
  test.each([[[]], [["home"]], [["open"]], [["home", "--plain"]]])(
    "%j prints the overview",
    async (args) => {
      const [home, overview] = [await run([...args, "--demo"]), await run(["overview", "--demo"])];
      expect(home).toEqual(overview);
      expect(home.code).toBe(0);
    },
  );

  test("--json prints the JSON of the overview", async () => {
    const [home, overview] = [
      await run(["--demo", "--json"]),
      await run(["overview", "--demo", "--json"]),
    ];
    expect(JSON.parse(home.out)).toEqual(JSON.parse(overview.out));
  });
});

describe("the overview", () => {
  test.each([44, 60, 80, 120, 200])("uses exactly %i columns", async (columns) => {
    const { out } = await run(["overview", "--demo"], { columns });
    const widths = out.split("\n").map((line) => widthOf(line));
    expect(Math.max(...widths)).toBe(columns);
    expect(out).toMatch(/^Pollux · \d+ sessions of /);
    expect(out).toMatch(/\d+ calls, \d+ failed/);
    expect(out).toMatch(/\d+ requests? /);
    if (columns >= 80) expect(out).toMatch(/bakery-api .*█/);
  });

  test("has the width of --width", async () => {
    const { out } = await run(["overview", "--demo", "--width", "100"], { columns: 80 });
    expect(Math.max(...out.split("\n").map((line) => widthOf(line)))).toBe(100);
  });
});

describe("tables in a pipe", () => {
  test("are not cut", async () => {
    const { out } = await run(["sessions", "--demo"], { isTerminal: false, columns: undefined });
    const long = "Summarise the commits since the last tag as release notes, at most";
    expect(out).toContain(long);
    expect(out).toMatch(
      /^when +id +agent +project +title +status +prompts +models +tokens +cost$/m,
    );
  });

  test("have at most the width of --width", async () => {
    const { out } = await run(["sessions", "--demo", "--width", "90"], { columns: undefined });
    expect(Math.max(...out.split("\n").map((line) => widthOf(line)))).toBeLessThanOrEqual(90);
    expect(out).toMatch(/…/);
  });

  test("have cost, agent and models if there is room", async () => {
    const { out } = await run(["sessions", "--demo"], { columns: 140 });
    expect(out).toMatch(/^when +id +agent +project +title .*models +tokens +cost$/m);
    expect(out).toMatch(/Move orders to Postgres.*\$1\.38$/m);
  });
});

describe("the first run", () => {
  const file = "tmp/app/chats/session-2026-11-15T10-00-aaaaaaaa.jsonl";
  const head = {
    sessionId: "aaaaaaaa-1",
    projectHash: "f".repeat(64),
    startTime: NOW,
    lastUpdated: NOW,
  };
  const said = { id: "m1", timestamp: NOW, type: "user", content: [{ text: "a question" }] };
  const root = makeRoot({ [file]: lines(head, said) });
  const env = {
    POLLUX_HOME: join(root, "kept"),
    GEMINI_CLI_HOME: dirname(root),
    HOME: dirname(root),
  };

  test("prints what it found, the archive and how to opt out, once", async () => {
    const fresh = await run(["sessions", "--fresh"], { env });
    expect(fresh.err).toBe("");
    const first = await run(["sessions"], { env });
    expect(first.err).toMatch(
      /^Found 1 session file of Gemini CLI \([\d.]+ k?B\)\.\nArchive:\s\S+\s\(about[^]*--fresh\n$/,
    );
    expect(first.out).toContain("a question");
    expect((await run(["sessions"], { env })).err).toBe("");
  });

  test.each([60, 80, 120])("prints two lines of at most %i columns for many agents", (columns) => {
    const agents = ["Gemini CLI", "Claude Code", "Codex", "Qwen Code"];
    const found = { agents, files: 2717, besideFiles: 30, sizeBytes: 541e6 };
    const actual = firstKeepLines(
      { ...found, archive: join(homedir(), ".local/share/pollux/archive.db") },
      columns,
    );
    expect(actual).toHaveLength(2);
    expect(actual[0]).toMatch(/^Found 2,717 session files .*\(541 MB\)\.$/);
    expect(actual[1]).toMatch(/^Archiv.*about 231 MB.*--fresh/);
    for (const line of actual) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("and a later `keep` reports that everything is kept", async () => {
    expect((await run(["keep"], { env })).out).toContain("1 session file; all already archived");
  });
});

test("progress shows files, speed and time left if there is room", () => {
  const bytes = { doneBytes: 50e6, totalBytes: 200e6 };
  const files = { doneFiles: 120, totalFiles: 480 };
  const progress = { work: "keeping", agent: "Codex", ...bytes, ...files } as const;
  const at = (columns: number): string => progressText(progress, { elapsedMs: 5000, columns });
  const bar = "keeping █████░░░░░░░░░░░░░░░  25 %";
  expect(at(100)).toBe(`${bar}  120 of 480 files  10.0 MB/s  15 s left  Codex`);
  expect(at(70)).toBe(`${bar}  120 of 480 files  10.0 MB/s`);
  expect(at(44)).toBe(bar);
});
