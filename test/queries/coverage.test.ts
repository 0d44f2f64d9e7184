import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/files/diagnostic.ts";
import { coverageOf } from "../../src/queries/coverage.ts";

const NOTHING = {
  files: [],
  parts: [],
  sessions: [],
  goneSessions: 0,
  projects: [],
};

test("diagnostics are listed by file and place, in whatever order files were read", () => {
  const about = (file: string, line?: number): Diagnostic => ({
    code: "bad-line",
    severity: "damage",
    message: "The line is not JSON.",
    file,
    ...(line === undefined ? {} : { line, start: line * 100, end: line * 100 + 50 }),
  });
  const ordered = [about("/a"), about("/a", 2), about("/a", 10), about("/b", 1), about("/c")];
  const read = { ...NOTHING, diagnostics: ordered.slice(1).toReversed() };
  expect(coverageOf(read, ordered.slice(0, 1)).diagnostics).toEqual(ordered);
});
