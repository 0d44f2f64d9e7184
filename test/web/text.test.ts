// @module-tag slow
import { describe, expect, test } from "vitest";
import { foundText } from "../../web/found-text.ts";
import { addDays, daysBetween, spanOf } from "../../web/period.ts";
import { safeText } from "../../web/safe-text.ts";
import { ansiRuns } from "../../web/transcript/ansi.ts";
import { diffLines } from "../../web/transcript/diff-lines.ts";

describe("how much a search found", () => {
  const of = (hits: number, sessions: number) => ({
    hits: Array.from({ length: hits }),
    sessions: Array.from({ length: sessions }),
  });
  test.each([
    [{ ...of(7, 2), total: 7, order: "rank" }, "7 hits in 2 sessions"],
    [{ ...of(100, 5), total: 340, order: "rank" }, "the best 100 of 340 hits in 5 sessions"],
    [
      { ...of(100, 5), total: 1001, order: "newest" },
      "the newest 100 of at least 1,001 hits in 5 sessions",
    ],
  ] as const)("of %j", (found, actual) => {
    expect(foundText(found)).toBe(actual);
  });
});

describe("terminal output", () => {
  test.each<[string, string[]]>([
    ["plain", ["plain|"]],
    ["\x1b[31mFAIL\x1b[0m total", ["FAIL|f1", " total|"]],
    ["\x1b[1;92mok\x1b[22m on\x1b[39m", ["ok|f2 bold", " on|f2"]],
    ["\x1b[38;5;208mx\x1b[48;2;1;2;3my\x1b[m", ["x|", "y|"]],
    ["\x1b]0;title\x07a\x1b[2Jb\x1b[?25lc", ["abc|"]],
    ["10%\r50%\r100%\ndone\r\n", ["100%\ndone\n|"]],
    ["\x1b[31", ["31|"]],
  ])("%j", (output, expected) => {
    const actual = ansiRuns(output).map(({ text, classes }) => `${text}|${classes}`);
    expect(actual.join("").replace(/\|$/, "")).toBe(expected.join("").replace(/\|$/, ""));
  });

  test("has no control characters left", () => {
    const odd = [
      "\x1b",
      "\x1b[",
      "\x1bP1$r\x1b\\x",
      "\x9b31mx",
      "\x00\x07\x08",
      "\x1b]8;;http://e\x07l",
    ];
    for (const text of odd) expect(safeText(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  });

  test("shows characters that change the text direction", () => {
    expect(safeText("a\u202eb\u2066c")).toBe("a[U+202e]b[U+2066]c");
    expect(safeText("שלום, 日本語 👩‍💻")).toBe("שלום, 日本語 👩‍💻");
  });
});

describe("diffs", () => {
  test("have line numbers of both files", () => {
    const diff =
      "Index: a.ts\n=====\n--- a.ts\n+++ a.ts\n@@ -3,3 +3,3 @@\n one\n-two\n+zwei\n+drei\n end\n";
    const actual = diffLines(diff.replace("=====", "=".repeat(67))).map(
      ({ kind, text, oldLine, newLine }) => {
        return [kind, text, oldLine, newLine];
      },
    );
    expect(actual).toEqual([
      ["place", "@@ -3,3 +3,3 @@", undefined, undefined],
      ["same", "one", 3, 3],
      ["removed", "two", 4, undefined],
      ["added", "zwei", undefined, 4],
      ["added", "drei", undefined, 5],
      ["same", "end", 5, 6],
    ]);
  });

  test("keep a removed line that looks like a header", () => {
    expect(diffLines("@@ -1 +1 @@\n--- x\n+++ y\n").map(({ kind }) => kind)).toEqual([
      "place",
      "removed",
      "added",
    ]);
  });
});

describe("periods", () => {
  const now = new Date(2026, 10, 15, 12);
  test.each<[string, object]>([
    ["period=7d", { since: "2026-11-09" }],
    ["period=today", { since: "2026-11-15" }],
    ["period=month", { since: "2026-11-01" }],
    ["period=all", {}],
    ["period=nonsense", { since: "2026-10-17" }],
    ["since=2026-01-01&until=2026-01-31&period=7d", { since: "2026-01-01", until: "2026-01-31" }],
    ["since=yesterday", { since: "2026-10-17" }],
  ])("%s", (query, expected) => {
    expect(spanOf(new URLSearchParams(query), now, "30d")).toEqual(expected);
  });

  test("count days over the ends of months and years", () => {
    expect(addDays("2025-12-31", 1)).toBe("2026-01-01");
    expect(daysBetween("2026-02-27", "2026-03-01")).toEqual([
      "2026-02-27",
      "2026-02-28",
      "2026-03-01",
    ]);
  });
});
