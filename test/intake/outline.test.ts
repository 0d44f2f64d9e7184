import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { layOut, readCases } from "../../scripts/conformance/cases.mjs";
import { findHome, readSessions, sessionFilesOf } from "../../src/intake/gather.ts";
import { outlineOf } from "../../src/intake/outline.ts";
import { playFile } from "../../src/intake/read.ts";
import type { Entry } from "../../src/model/entry.ts";
import type { SessionFile } from "../../src/model/session-file.ts";
import { digestOf } from "../../src/replay/digest.ts";
import { memoryBytes } from "../../src/sources/bytes.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";

const cases = readCases().filter(({ kind }) => kind !== "saved-chat");
const homes: string[] = [];
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })));

describe("an outline", () => {
  test.each(cases)("tells of $id what the whole session tells to lists and sums", (one) => {
    const folder = mkdtempSync(join(tmpdir(), "pollux-outline-"));
    homes.push(folder);
    layOut(one, folder);
    const path = join(folder, ".gemini");
    const home = findHome(geminiCli, { path, because: "a test", isFound: true });
    const files = sessionFilesOf(home).map((file) => ({ home, file }));
    const [outline, full] = (["outline", "full"] as const).map((weight) =>
      readSessions(files, weight).sessions.map((session) => digestOf(session)),
    );
    expect(outline).toEqual(full);
  });

  test("holds nothing of what was said at length", () => {
    const long = "x".repeat(100_000);
    const line = JSON.stringify({
      id: "g1",
      type: "gemini",
      content: long,
      thoughts: [{ subject: long, description: long }],
      toolCalls: [
        {
          id: "c1",
          name: "write_file",
          args: { file_path: "/a", content: long },
          result: [{ functionResponse: { id: "c1", response: { output: long } } }],
          resultDisplay: { fileDiff: long, fileName: "a", newContent: long },
          description: long,
          status: "success",
        },
      ],
    });
    let size = Number.POSITIVE_INFINITY;
    const entry = (one: Entry): void => {
      size = JSON.stringify(outlineOf(one)).length;
    };
    geminiCli.read(memoryBytes("file", Buffer.from(`${line}\n`)), {
      entry,
      report: () => undefined,
    });
    expect(size).toBeLessThan(1500);
  });
});

describe("a file full of damage", () => {
  const file: SessionFile = {
    path: "file",
    root: "",
    role: "main",
    sizeBytes: 0,
    modifiedMs: 0,
    folder: "ledger",
    isCleaned: true,
  };

  test("is told of in a hundred sentences and a number", () => {
    const header = '{"sessionId":"S","projectHash":"H"}\n';
    const bytes = memoryBytes("file", Buffer.from(header + "{bad\n".repeat(5000)));
    const { diagnostics } = playFile(geminiCli, file, { bytes, weight: "full" });
    expect(diagnostics.length).toBe(101);
    expect(diagnostics.at(-1)).toMatchObject({
      code: "bad-line",
      severity: "damage",
      message: "4900 more of this kind are not listed.",
    });
  });

  test("on a disk that fails is a diagnostic, too", () => {
    const failing = {
      path: "file",
      range: (): Buffer => Buffer.from('{"sessionId":"S"}'),
      *chunks(): Generator<Buffer> {
        yield Buffer.from('{"sessionId":"S"}\n');
        throw Object.assign(new Error("broken"), { code: "EIO" });
      },
    };
    const played = playFile(geminiCli, file, { bytes: failing, weight: "full" });
    expect(played.replay.facts.sessionId).toBe("S");
    expect(played.diagnostics.map(({ code }) => code)).toEqual(["unreadable-file"]);
  });
});
