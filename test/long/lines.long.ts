import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { appendJsonl } from "../../src/sources/gemini-cli/formats/append-jsonl.ts";
import { readWith } from "../contracts/format.ts";
import { BigHome, SESSION } from "./big-home.ts";
import { MB, runMeasured, printFigure } from "./measured.ts";

const header = JSON.stringify({ sessionId: SESSION, projectHash: "a".repeat(64), kind: "main" });

/** A reply whose tool printed 100 MB or more. */
function* hugeReply(megabytes = 100): Generator<string> {
  yield '{"id":"g1","timestamp":"2026-01-01T00:00:01.000Z","type":"gemini","content":"Here.",';
  yield '"tokens":{"input":10,"output":1,"cached":0,"thoughts":0,"tool":0,"total":11},"model":"m",';
  yield '"toolCalls":[{"id":"c1","name":"run_shell_command","args":{},"status":"success",';
  yield '"result":[{"functionResponse":{"id":"c1","response":{"output":"';
  for (let size = 0; size < megabytes * MB; size += 16 * 1024)
    yield "0123456789abcde ".repeat(1024);
  yield '"}}}]}]}';
}

function listed(home: BigHome): { tokens: number; damaged: number; peakBytes: number } {
  const { stdout, peakBytes } = runMeasured(["sessions", "--json", "--root", home.root]);
  const list = JSON.parse(stdout) as {
    sessions: { tokens: { total: number } }[];
    coverage: { damaged: number };
  };
  const tokens = list.sessions[0]?.tokens.total ?? 0;
  return { tokens, damaged: list.coverage.damaged, peakBytes };
}

describe("a very long line", () => {
  test("of 100 MB is read", () => {
    const home = new BigHome();
    const after = '\n{"id":"u2","type":"user","content":"and on"}\n';
    home.write("session-2026-01-01T00-00-5e551008.jsonl", [`${header}\n`, ...hugeReply(), after]);
    const { tokens, damaged, peakBytes } = listed(home);
    printFigure("a line of 100 MB", peakBytes);
    expect([tokens, damaged]).toEqual([11, 0]);
  });

  test("of 100 MB is reported if damaged, and a record after the damage is read", () => {
    const home = new BigHome();
    const glued = '{"id":"g2","type":"gemini","content":"x","tokens":{"input":5,"total":5}}\n';
    const half = [...hugeReply()].slice(0, -1);
    home.write("session-2026-01-01T00-00-5e551008.jsonl", [`${header}\n`, ...half, glued]);
    const { tokens, damaged } = listed(home);
    expect([tokens, damaged]).toEqual([5, 1]);
  });

  test("with 500,000 torn records is read to its end", () => {
    const bytes = Buffer.from(
      `${header}\n${'{"id":"x","type":"user","content":['.repeat(500_000)}\n`,
    );
    const { entries, diagnostics } = readWith(appendJsonl, memoryBytes("file", bytes));
    expect(entries.map(({ kind }) => kind)).toEqual(["header"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["bad-line"]);
  });

  test("with brackets nested 100,000 deep is read to its end", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const line = `{"id":"u1","type":"user","content":${deep},"tokens":${deep},"timestamp":${deep}}`;
    const bytes = Buffer.from(`${header}\n${line}\n{"x":${deep}}\n`);
    const { entries } = readWith(appendJsonl, memoryBytes("file", bytes));
    expect(entries.map(({ kind }) => kind)).toEqual(["header", "message", "unknown"]);
  });
});

describe("a line of 300 MB", () => {
  test("is listed, counted, kept and shown", { timeout: 1_800_000 }, () => {
    const home = new BigHome();
    const asked =
      '{"id":"u1","timestamp":"2026-01-01T00:00:00.500Z","type":"user","content":"all"}\n';
    const reply = [...hugeReply(300)];
    home.write("session-2026-01-01T00-00-5e551008.jsonl", [`${header}\n`, asked, ...reply, "\n"]);
    const archive = ["--archive", join(home.root, "..", "archive.db")];
    const commands: [name: string, args: string[], mostBytes: number][] = [
      ["usage", ["usage", "--since", "2026-01-01", "--json"], 2048 * MB],
      ["sessions", ["sessions", "--json"], 2048 * MB],
      ["keep", ["keep", ...archive], 4096 * MB],
      ["show", ["show", SESSION, ...archive], 3072 * MB],
    ];
    for (const [name, args, mostBytes] of commands) {
      const { stdout, peakBytes } = runMeasured([...args, "--root", home.root]);
      printFigure(`${name} of a line of 300 MB`, peakBytes);
      expect(stdout, name).toMatch(/"total": 11|1 new|5e551008/);
      expect(peakBytes, name).toBeLessThan(mostBytes);
    }
  });
});
