import fc from "fast-check";
import { expect, test } from "vitest";
import type { ByteSource } from "../../../src/kernel/bytes.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { Fields } from "../../../src/kernel/json/fields.ts";
import { walkLines } from "../../../src/kernel/json/lines.ts";
import { jsonWalk } from "../../../src/kernel/json/walk.ts";
import { chopped } from "../../contracts/chopped.ts";
import { realLines } from "./real-lines.ts";

const FIELDS = new Fields(["id", "type", "message/id"]);
const lines = realLines();

interface Seen {
  number: number;
  start: number;
  end: number;
  value: unknown;
  isUtf8: boolean;
}

function visited(source: ByteSource): Seen[] {
  const walk = jsonWalk();
  if (!walk) throw new Error("This processor cannot run the walk.");
  const seen: Seen[] = [];
  const isWhole = walkLines(walk, { source, fields: FIELDS }, (line) => {
    const { number, start, end, isUtf8, state, row } = line;
    const value = state === "json" ? row.value(FIELDS.slot("type")) : state;
    seen.push({ number, start, end, isUtf8, value });
    return true;
  });
  expect(isWhole).toBe(true);
  return seen;
}

/** The reference for `visited`: splits with indexOf, parses with JSON.parse. */
function parsedLines(bytes: Buffer): Seen[] {
  const seen: Seen[] = [];
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const text = bytes.toString("utf8", start, end);
    const isUtf8 = Buffer.from(text).equals(bytes.subarray(start, end));
    if (!/^[ \t\r]*$/.test(text)) seen.push({ number, start, end, isUtf8, value: typeIn(text) });
    start = end + 1;
  }
  return seen;
}

function typeIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>)["type"] : undefined;
  } catch {
    // Some cases are damaged on purpose.
    return "not-json";
  }
}

const odd = fc.constantFrom(
  "",
  " ",
  "\r",
  '{"type":1}',
  "[1,",
  "2]",
  '{"type":',
  '{"a":"b',
  "{}{}",
  "\0",
);
const line = fc.oneof(
  fc.constantFrom(...lines.filter((text) => text.length < 2000)).map((text) => Buffer.from(text)),
  odd.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
  fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from([0x22, ...bytes, 0x22])),
);
const file = fc.tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom("\n", "\r\n", " \n"));
const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 });

test("visits the lines that JSON.parse finds, whatever the chunk sizes", () => {
  const seen = { json: 0, other: 0 };
  const cases = fc.property(file, fc.boolean(), sizes, ([parts, newline], isEnded, chunks) => {
    const whole = Buffer.concat(parts.flatMap((part) => [part, Buffer.from(newline)]));
    const bytes = isEnded ? whole : whole.subarray(0, -newline.length);
    const expected = parsedLines(bytes);
    expect(visited(memoryBytes("a", bytes))).toEqual(expected);
    expect(visited(chopped("a", bytes, chunks))).toEqual(expected);
    for (const { value } of expected) seen[value === "not-json" ? "other" : "json"] += 1;
  });
  fc.assert(cases, { numRuns: 400 });
  expect(Math.min(seen.json, seen.other)).toBeGreaterThan(300);
});

test("reads lines longer than the read buffer", () => {
  const long = JSON.stringify({ id: "a".repeat(3_000_000), type: "long" });
  const bytes = Buffer.from(`{"type":"first"}\n${long}\n${long}\n{"type":"last"}`);
  const seen = visited(memoryBytes("a", bytes));
  expect(seen).toEqual(parsedLines(bytes));
  expect(seen.map(({ value }) => value)).toEqual(["first", "long", "long", "last"]);
});

test("reports a line over the size limit as too-long and stops", () => {
  const piece = Buffer.alloc(1 << 20, "a");
  const endless: ByteSource = {
    ...memoryBytes("endless", piece),
    *chunks() {
      yield Buffer.from('{"type":"first"}\n"');
      for (let count = 0; count < 70; count += 1) yield piece;
    },
  };
  const seen = visited(endless);
  expect(seen.map(({ number, value }) => [number, value])).toEqual([
    [1, "first"],
    [2, "too-long"],
  ]);
});

test("walks 500,000 lines with unclosed brackets in linear time", () => {
  const bytes = Buffer.from("[\n".repeat(500_000));
  const began = performance.now();
  expect(visited(memoryBytes("a", bytes)).length).toBe(500_000);
  expect(performance.now() - began).toBeLessThan(5000);
});

test("stops and closes the file when the visitor returns false", () => {
  const walk = jsonWalk();
  if (!walk) throw new Error("This processor cannot run the walk.");
  let isClosed = false;
  let count = 0;
  const source: ByteSource = {
    ...memoryBytes("a", Buffer.alloc(0)),
    reader: () => ({
      read: (into) => into.write('{"type":1}\n{"type":2}\n'),
      close: () => {
        isClosed = true;
      },
    }),
  };
  const isWhole = walkLines(walk, { source, fields: FIELDS }, () => {
    count += 1;
    return count < 5;
  });
  expect({ isWhole, isClosed, count }).toEqual({ isWhole: false, isClosed: true, count: 5 });
});
