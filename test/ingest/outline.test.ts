import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { layOut, readCases } from "../../scripts/conformance/cases.mjs";
import type { Home } from "../../src/ingest/gather.ts";
import { findHome, readSessions, sessionFilesOf } from "../../src/ingest/gather.ts";
import type { Weight } from "../../src/sources/decoding/outline.ts";
import { outlineOf } from "../../src/sources/decoding/outline.ts";
import { playFile } from "../../src/ingest/read.ts";
import { LARGE_BYTES } from "../../src/ingest/spare-memory.ts";
import type { Digest } from "../../src/core/digest.ts";
import type { Entry } from "../../src/sources/gemini-cli/entry.ts";
import type { SessionFile } from "../../src/core/session-file.ts";
import { digestOf } from "../../src/core/make-digest.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";

const cases = readCases().filter(({ kind }) => kind !== "saved-chat");
const homes: string[] = [];
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })));

interface Laid {
  home: Home;
  file: SessionFile;
}

function laidOut(one: (typeof cases)[number]): Laid[] {
  const folder = mkdtempSync(join(tmpdir(), "pollux-outline-"));
  homes.push(folder);
  layOut(one, folder);
  const root = { path: join(folder, ".gemini"), because: "a test", isFound: true };
  const home = findHome(geminiCli, root);
  return sessionFilesOf(home).map((file) => ({ home, file }));
}

function digestsOf(files: readonly Laid[], weight: Weight): Digest[] {
  return readSessions(files, weight).sessions.map((session) => digestOf(session));
}

describe("an outline", () => {
  test.each(cases)("tells of $id what the whole session tells to lists and sums", (one) => {
    const files = laidOut(one);
    expect(digestsOf(files, "outline")).toEqual(digestsOf(files, "full"));
  });

  test.each(cases)("tells so of $id, too, were it very large", (one) => {
    const files = laidOut(one).map(({ home, file }) => {
      return { home, file: { ...file, sizeBytes: LARGE_BYTES + 1 } };
    });
    expect(digestsOf(files, "outline")).toEqual(digestsOf(files, "full"));
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

const file: SessionFile = {
  path: "file",
  root: "",
  role: "main",
  sizeBytes: 0,
  modifiedMs: 0,
  folder: "ledger",
  isCleaned: true,
};

describe("the outline of a very large file", () => {
  const task = `Look for the ledger ${"in every folder ".repeat(10)}`;
  const asked = (id: string, text: string): object => ({ id, type: "user", content: [{ text }] });
  const call = { id: "c1", name: "invoke_agent", args: { agent_name: "finder", prompt: task } };
  const lines = [
    { sessionId: "S", projectHash: "H" },
    asked("u1", `First. ${"words ".repeat(200)}`),
    asked("u2", `You are an agent. ${"Mind this. ".repeat(15)}${task}`),
    { id: "g1", type: "gemini", content: "", toolCalls: [{ ...call, status: "success" }] },
  ];
  const bytes = memoryBytes(
    "file",
    Buffer.from(lines.map((one) => JSON.stringify(one)).join("\n")),
  );
  const large = { ...file, sizeBytes: LARGE_BYTES + 1 };
  const { replay } = playFile(geminiCli, large, { bytes, weight: "outline" });

  test("holds of a prompt what a title shows", () => {
    expect(replay.messages[0]?.text.length).toBe(160);
  });

  test("holds of what may be an agent's task enough to tell it", () => {
    expect(replay.messages[1]?.text).toContain(task.slice(0, 200));
  });
});

describe("a file full of damage", () => {
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
