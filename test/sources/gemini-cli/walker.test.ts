import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIRST, slotOf } from "../../../src/sources/gemini-cli/skim/layout.ts";
import type { Field } from "../../../src/sources/gemini-cli/skim/layout.ts";
import { BAD } from "../../../src/sources/gemini-cli/skim/scalars.ts";
import { Walker } from "../../../src/sources/gemini-cli/skim/walker.ts";

const walker = new Walker();

/** Whether the walk takes a text for one record and nothing else. */
function isTaken(text: string): boolean {
  walker.load(Buffer.from(text));
  const end = walker.walkRecord(walker.space(FIRST));
  return end !== BAD && walker.space(end) === walker.end;
}

/** What the engine's parser says of the same text. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    return isRecord ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Damaged, as was to be expected.
    return undefined;
  }
}

/** Escapes, control characters, quotes and long stretches of nothing special, in any order. */
const said = fc
  .array(
    fc.oneof(
      fc.constantFrom("\\", '"', "\n", "\t", "\u0001", "\u007f", "é", "函数", "\u{1f600}"),
      fc.string({ maxLength: 5 }),
      fc.nat(70).map((length) => "a".repeat(length)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));
const leaf = fc.oneof(
  said,
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(said, tie("any"), { maxKeys: 4 }),
  ),
}));
const names = ["id", "type", "model", "tokens", "content", "$set", "messages", "summary", "other"];
const record = fc.dictionary(fc.constantFrom(...names), any, { maxKeys: 9 });
const indent = fc.constantFrom(0, 1, 2, 20, "\t");

describe("the walk over a record", () => {
  test("takes all JSON, and finds where values begin and end", () => {
    let taken = 0;
    const cases = fc.property(record, indent, (value, spaces) => {
      const text = JSON.stringify(value, null, spaces);
      const isWhole = isTaken(text);
      expect(isWhole || isUnusual(text)).toBe(true);
      if (!isWhole) return;
      taken += 1;
      expect(walker.breaks).toBe(text.split("\n").length - 1);
      for (const name of names.slice(0, -1)) {
        const slot = slotOf(name as Field);
        expect(walker.row.has(slot)).toBe(name in value);
        if (!(name in value)) continue;
        const { row } = walker;
        const bytes = row.bytes.subarray(row.start(slot), row.end(slot));
        expect(JSON.parse(bytes.toString("utf8"))).toEqual(JSON.parse(JSON.stringify(value[name])));
      }
    });
    fc.assert(cases, { numRuns: 1000 });
    expect(taken).toBeGreaterThan(300);
  });

  test("takes nothing else", () => {
    const pieces = ['"', "\\", "\\u00", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "1", " "];
    const words = ["true", "nul", "\n", "\u0000", "\u001f", "x", "é", "E+", "\\u12g4", "\\x", "\r"];
    const edit = fc.record({
      at: fc.nat(999),
      cut: fc.nat(3),
      put: fc.constantFrom("", ...pieces, ...words),
    });
    const seen = { taken: 0, left: 0 };
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    const cases = fc.property(record, indent, edits, (value, spaces, changes) => {
      let text = JSON.stringify(value, null, spaces);
      for (const { at, cut, put } of changes) {
        const place = Math.floor((at / 1000) * (text.length + 1));
        text = text.slice(0, place) + put + text.slice(place + cut);
      }
      // Half of a surrogate pair is other bytes than it was.
      text = Buffer.from(text).toString("utf8");
      const isJson = parsed(text) !== undefined;
      if (isTaken(text)) {
        seen.taken += 1;
        expect(isJson).toBe(true);
      } else {
        seen.left += 1;
        // What is twice there, or in disguise, is left to the reader.
        if (isJson) expect(isUnusual(text)).toBe(true);
      }
    });
    fc.assert(cases, { numRuns: 3000 });
    expect(Math.min(seen.taken, seen.left)).toBeGreaterThan(200);
  });

  test.each(["0", "-0", "10", "1.5", "1e5", "1E-05", "-1.25e+7", "true", "false", "null", '""'])(
    "takes %s as a value",
    (value) => {
      expect(isTaken(`{"a":${value}}`)).toBe(true);
      expect(isTaken(`{"a":[ ${value} , ${value}\r\n]\t}\n`)).toBe(true);
    },
  );

  const none = [
    "",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1e",
    "1e+",
    "0x1",
    "tru",
    "truex",
    "nulll",
    "NaN",
  ];
  test.each([
    ...none,
    '"',
    "'a'",
    '"\\x"',
    '"\\u12"',
    "[1,]",
    "[,1]",
    "{,}",
    '{"a"}',
    "{1:2}",
    "[}",
  ])("does not take %s as a value", (value) => {
    expect(isTaken(`{"a":${value}}`)).toBe(false);
    expect(parsed(`{"a":${value}}`)).toBeUndefined();
  });

  test("finds what ends a text wherever it stands", () => {
    for (let length = 0; length < 140; length += 1) {
      const text = "a".repeat(length);
      expect(isTaken(`{"a":"${text}"}`)).toBe(true);
      expect(isTaken(`{"a":"${text}`)).toBe(false);
      expect(isTaken(`{"a":"${text}\u001f"}`)).toBe(false);
      expect(isTaken(`{"a":"${text}\\"}`)).toBe(false);
      for (let more = 1; more < 4; more += 1) {
        const escapes = "\\\\".repeat(more);
        expect(isTaken(`{"a":"${text}${escapes}","b":"${text}${escapes}\\""}`)).toBe(true);
        expect(isTaken(`{"a":"${text}${escapes}\\"}`)).toBe(false);
        expect(isTaken(`{"a":"${text}${escapes}\\q"}`)).toBe(false);
        expect(isTaken(`{"a":"${text}${escapes}\\u00e9"}`)).toBe(true);
        expect(isTaken(`{"a":"${text}${escapes}\\u00g9"}`)).toBe(false);
      }
    }
  });

  test("leaves depth, doubles and disguise to the reader", () => {
    const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(isTaken(`{"a":${deep(150)}}`)).toBe(true);
    expect(isTaken(`{"a":${deep(201)}}`)).toBe(false);
    expect(isTaken('{"id":"a","id":"b"}')).toBe(false);
    expect(isTaken('{"\\u0069d":"a"}')).toBe(false);
    expect(isTaken('{"tokens":{"input":1,"input":2}}')).toBe(false);
    expect(isTaken('{"other":1,"other":2}')).toBe(true);
  });
});

/** A key with a backslash in it, or one that is written twice. */
function isUnusual(text: string): boolean {
  const keys = [...text.matchAll(/[{,]\s*("(?:[^"\\]|\\.)*")\s*:/gsu)].map(([, key]) => key ?? "");
  return keys.some((key) => key.includes("\\")) || new Set(keys).size < keys.length;
}
