import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileOf, fixtures } from "../samples/gemini-fixtures.ts";
import { FileReplay } from "../../src/sources/gemini-cli/interpret/file-replay.ts";
import { mergeFiles } from "../../src/sources/gemini-cli/interpret/session.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { readEntries } from "../../src/sources/gemini-cli/read.ts";
import { diskView } from "../../src/sources/view.ts";
import { damage, damaged, oddBytes } from "../contracts/odd-bytes.ts";

/** All lines and small documents of the fixtures; the test damages them. */
function pieces(): Buffer[] {
  return (["append-jsonl", "single-json"] as const).flatMap((kind) =>
    readdirSync(join(fixtures, kind)).flatMap((name) => {
      const bytes = fileOf(kind, name);
      if (kind === "single-json") return bytes.length < 4000 ? [bytes] : [];
      const lines = bytes.toString("latin1").split("\n");
      return lines.filter((line) => line.length < 3000).map((line) => Buffer.from(line, "latin1"));
    }),
  );
}

/** Decodes, replays and merges a file, as every reading does. */
function read(bytes: Buffer): void {
  const replay = new FileReplay();
  let explained = 0;
  const readAs = readEntries(memoryBytes("file", bytes), {
    entry: (entry) => {
      explained += 1;
      replay.play(entry);
    },
    report: () => {
      explained += 1;
    },
  });
  const where = { path: "file", root: "", folder: "x", isCleaned: true, modifiedMs: 0 };
  const file = { ...where, role: "main" as const, sizeBytes: bytes.length };
  const home = { root: "", folders: [], view: diskView };
  mergeFiles("id", [{ file, ...readAs, content: replay, diagnostics: [], home }]);
  const isBlank = !bytes.some((byte) => byte > 32);
  if (explained === 0 && !isBlank) expect(bytes.toString("latin1")).toBe("reported");
}

const RUNS = 1_000_000;

describe("a million damaged inputs", () => {
  test("are read without an exception, and each gives an entry or a diagnostic", () => {
    const all = pieces();
    expect(all.length).toBeGreaterThan(200);
    const some = fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 3 });
    const joined = some.map((few) =>
      few.reduce((a, b) => Buffer.concat([a, Buffer.from("\n"), b])),
    );
    const broken = fc
      .tuple(joined, fc.array(damage, { minLength: 1, maxLength: 3 }))
      .map(([bytes, blows]) => blows.reduce(damaged, bytes));
    const property = fc.property(fc.oneof({ weight: 9, arbitrary: broken }, oddBytes), read);
    fc.assert(property, { numRuns: RUNS });
  });
});
