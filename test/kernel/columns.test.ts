import { describe, expect, test } from "vitest";
import { buffersOf, fromColumns, toColumns } from "../../src/kernel/columns.ts";

describe("objects as columns", () => {
  test.each([
    ["nothing", []],
    [
      "numbers",
      [
        { a: 1, b: 0 },
        { a: -2.5, b: 2 ** 52 },
      ],
    ],
    ["what is absent, undefined or null", [{ a: 1 }, { b: null }, { a: null, b: "x" }, {}]],
    ["texts, also odd ones", [{ a: "x" }, { a: "" }, { a: "\u{0}" }, { a: "ä\n長" }]],
    ["members inside of members", [{ at: { file: "a", line: 1 } }, { at: { file: "b", line: 2 } }]],
    ["lists and truth values", [{ a: ["x", 1], b: true }, { b: false }, { a: [] }]],
    ["a member that is of several kinds", [{ a: 1 }, { a: "1" }, { a: [1] }, { a: null }]],
    ["a text that looks like the mark of JSON", [{ a: "\u{1}[1]" }]],
  ])("come back: %s", (_, list) => {
    const columns = structuredClone(toColumns(list));
    expect(fromColumns(columns)).toEqual(list);
    expect(buffersOf(columns).every((buffer) => buffer instanceof ArrayBuffer)).toBe(true);
  });
});
