import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import type { Piece, SplitEnd, Wanted } from "../../../src/kernel/json/split.ts";
import { splitJson } from "../../../src/kernel/json/split.ts";
import { chopped } from "../../contracts/chopped.ts";

const DOCUMENT: Wanted = { lists: ["", "messages"], rest: "fields" };
const NESTED: Wanted = { lists: ["s/list", "s/x/more"], rest: "skeleton" };

interface Found {
  pieces: (Omit<Piece, "bytes"> & { text: string })[];
  end: SplitEnd;
}

/** Splits a text and checks the offset and line number of each piece. */
function split(text: string, wanted: Wanted, sizes: readonly number[]): Found {
  const bytes = Buffer.from(text);
  const pieces: Found["pieces"] = [];
  const end = splitJson(chopped("a", bytes, sizes).chunks(), wanted, ({ bytes: own, ...piece }) => {
    const { start, line } = piece;
    expect(bytes.subarray(start, start + own.length).equals(own)).toBe(true);
    expect(line).toBe(bytes.toString("latin1", 0, start).split("\n").length);
    pieces.push({ ...piece, text: own.toString("utf8") });
  });
  expect(end.sizeBytes).toBe(bytes.length);
  return { pieces, end };
}

function described({ pieces }: Found): string[] {
  return pieces.map(({ path, text }) => `${path}:${text}`);
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });

describe("splitting a document into fields and elements", () => {
  const key = fc.oneof(fc.constantFrom("messages", "sessionId", "history", ""), fc.string());
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 6 });
  const document = fc.oneof(object, fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 }));
  const space = fc.constantFrom(undefined, 2, "\t");

  test("finds the values that JSON.parse finds", () => {
    const cases = fc.property(document, space, sizes, (value, indent, chunkSizes) => {
      const text = JSON.stringify(value, null, indent);
      const { pieces, end } = split(text, DOCUMENT, chunkSizes);
      const parsed = pieces.map((piece) => ({
        ...piece,
        value: JSON.parse(piece.text) as unknown,
      }));
      const elements = parsed.filter(({ isElement }) => isElement).map((piece) => piece.value);
      const fields = parsed.filter(({ isElement }) => !isElement);
      const whole = JSON.parse(text) as Record<string, unknown> | unknown[];
      const list = Array.isArray(whole) ? whole : whole["messages"];
      const isList = Array.isArray(list);
      const others = Array.isArray(whole) ? {} : whole;
      expect(elements).toEqual(isList ? list : []);
      expect(fields.map(({ path, value: field }) => [path, field])).toEqual(
        Object.entries(others).filter(([name]) => !(name === "messages" && isList)),
      );
      expect([end.isComplete, end.hasOddCommas, end.trailingBytes]).toEqual([true, false, 0]);
    });
    fc.assert(cases, { numRuns: 500 });
  });

  test("returns the pieces before a cut at any byte, as incomplete", () => {
    const text = '{"sessionId":"S","messages":[{"id":"a","x":"}]"},{"id":"b"}],"z":1}';
    const all = described(split(text, DOCUMENT, [100]));
    expect(all).toHaveLength(4);
    for (let length = 0; length < text.length; length += 1) {
      const found = split(text.slice(0, length), DOCUMENT, [7]);
      expect(found.end.isComplete).toBe(false);
      expect(described(found)).toEqual(all.slice(0, found.pieces.length));
      expect(found.end.offset).toBeLessThanOrEqual(length);
    }
  });

  test("reports the number of trailing bytes", () => {
    expect(split('{"a":1} \n {"b":2}', DOCUMENT, [3]).end.trailingBytes).toBe(7);
  });

  test("accepts keys with escapes and keys with invalid escapes", () => {
    expect(described(split('{"m\\u0065ssages":[1],"\\q":2}', DOCUMENT, [4]))).toEqual([
      "messages:1",
      "\\q:2",
    ]);
  });

  test("returns pieces that span many chunks", () => {
    const long = JSON.stringify("a".repeat(3_000_000));
    const bytes = Buffer.from(`{"messages":[${long},${long}]}`);
    const lengths: number[] = [];
    const visit = ({ bytes: own }: Piece): void => void lengths.push(own.length);
    splitJson(memoryBytes("a", bytes).chunks(), DOCUMENT, visit);
    expect(lengths).toEqual([long.length, long.length]);
  });
});

describe("splitting a document into elements and a skeleton", () => {
  test("cuts out the elements for any chunk size", () => {
    const text = `{"list":[0],"s":{"list":[{"a":"]},\\""},[1,2],"x,\\\\",3],
      "x":{"more":[{"s":{"list":[9]}}],"list":[7]}},"t":[{"s":{"list":[5]}}]}`;
    for (const size of [1, 2, 3, 7, 16, 1000]) {
      const found = split(text, NESTED, [size]);
      expect(described(found)).toEqual([
        's/list:{"a":"]},\\""}',
        "s/list:[1,2]",
        's/list:"x,\\\\"',
        "s/list:3",
        's/x/more:{"s":{"list":[9]}}',
      ]);
      expect(found.end.skeleton.toString()).toBe(
        text.replace('{"a":"]},\\""},[1,2],"x,\\\\",3', "").replace('[{"s":{"list":[9]}}]', "[]"),
      );
      expect([found.end.isComplete, found.end.hasOddCommas]).toEqual([true, false]);
    }
  });

  test("returns the elements and skeleton of any value, for any chunk sizes", () => {
    const lists = fc.tuple(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()));
    const cases = fc.property(lists, sizes, ([list, more], chunkSizes) => {
      const value = { a: list, s: { list, x: { more, y: "]" } } };
      const found = split(JSON.stringify(value), NESTED, chunkSizes);
      expect(found.end).toMatchObject({ isComplete: true, hasOddCommas: false, hasSpaces: false });
      expect(JSON.parse(found.end.skeleton.toString())).toEqual(
        JSON.parse(JSON.stringify({ ...value, s: { list: [], x: { more: [], y: "]" } } })),
      );
      expect(described(found)).toEqual([
        ...list.map((item) => `s/list:${JSON.stringify(item)}`),
        ...more.map((item) => `s/x/more:${JSON.stringify(item)}`),
      ]);
    });
    fc.assert(cases);
  });

  test.each(["[1,]", "[,1]", "[1,,2]"])("reports odd commas in %s", (list) => {
    expect(split(`{"s":{"list":${list}}}`, NESTED, [5]).end.hasOddCommas).toBe(true);
  });

  test.each(['{"s":{"list":[1', '{"s":{"list":[1]}', "", "5"])("%s is incomplete", (text) => {
    expect(split(text, NESTED, [5]).end.isComplete).toBe(false);
  });

  test("does not treat a key with a slash as a path", () => {
    const text = '{"s/list":[1],"s":{"x/more":[2]},"s/x":{"more":[3]}}';
    const found = split(text, NESTED, [9]);
    expect(found.pieces).toEqual([]);
    expect(found.end.skeleton.toString()).toBe(text);
  });

  test("reports spaces between elements", () => {
    expect(split('{"s":{"list":[1, 2]}}', NESTED, [9]).end.hasSpaces).toBe(true);
    expect(split('{"s": {"list":[1,2]} }', NESTED, [9]).end.hasSpaces).toBe(false);
  });
});
