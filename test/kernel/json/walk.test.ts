// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileKernel } from "../../../scripts/build-kernel.mjs";
import { walkValue } from "../../../src/kernel/json/document.ts";
import { Fields, WHOLE } from "../../../src/kernel/json/fields.ts";
import { PROGRAM } from "../../../src/kernel/json/program.ts";
import type { Row } from "../../../src/kernel/json/row.ts";
import type { JsonWalk } from "../../../src/kernel/json/walk.ts";
import { jsonWalk } from "../../../src/kernel/json/walk.ts";
import { realLines } from "./real-lines.ts";

function theWalk(): JsonWalk {
  const walk = jsonWalk();
  if (!walk) throw new Error("This processor cannot run the walk.");
  return walk;
}

const PATHS = [
  "id",
  "type",
  "tokens",
  "tokens/input",
  "tokens/other/deep",
  "message/id",
  "message/model",
  "message/usage/input_tokens",
  "message/usage/cache_creation/ephemeral_5m_input_tokens",
  "payload/info/total_token_usage/input_tokens",
  "payload/type",
  "systemPayload/uiEvent/event.name",
  "systemPayload/uiEvent/response_text",
  "timestamp",
  "sessionId",
  "$set/messages",
  "$set/lastUpdated",
  "a rather long key that does not fit into sixteen bytes",
] as const;
const FIELDS = new Fields(PATHS);

function walked(text: string | Buffer): Row | undefined {
  return walkValue(theWalk(), Buffer.from(text), FIELDS)?.row;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // Some cases are damaged on purpose.
    return undefined;
  }
}

/** Returns the value at a path of a value that JSON.parse returned. */
function valueAt(value: unknown, path: string): unknown {
  return path.split("/").reduce((outer: unknown, key) => {
    const isObject = typeof outer === "object" && outer !== null && !Array.isArray(outer);
    return isObject && Object.hasOwn(outer, key)
      ? (outer as Record<string, unknown>)[key]
      : undefined;
  }, value);
}

/** Checks that the walk accepts the same input as JSON.parse and finds the same values. */
function compared(bytes: Buffer): "json" | "other" {
  const text = bytes.toString("utf8");
  const json = parsed(text);
  const row = walked(bytes);
  expect(row !== undefined, text).toBe(json !== undefined);
  if (!row || !json) return "other";
  expect(row.value(WHOLE)).toEqual(json.value);
  for (const path of PATHS) {
    const slot = FIELDS.slot(path);
    const value = valueAt(json.value, path);
    expect(row.value(slot), path).toEqual(value);
    expect(row.has(slot)).toBe(value !== undefined);
    expect(row.text(slot)).toBe(typeof value === "string" ? value : undefined);
  }
  return "json";
}

/** Escapes, control characters, quotes and long runs of plain characters, in any order. */
const said = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\\",
        '"',
        "\n",
        "\t",
        "\u0001",
        "\u007f",
        "é",
        "函数",
        "\u{1f600}",
        "\ud83d",
      ),
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
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...new Set(PATHS.flatMap((path) => path.split("/")))) },
  said,
);
const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(name, tie("any"), { maxKeys: 6 }),
  ),
}));
const indent = fc.constantFrom(0, 1, 2, 20, "\t");
const lines = realLines();
const realLine = fc.constantFrom(...lines);
const made = fc.tuple(any, indent).map(([value, spaces]) => JSON.stringify(value, null, spaces));

const PIECES = ['"', "\\", "\\u00", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "1", " "];
const WORDS = ["true", "nul", "\n", "\u0000", "\u001f", "x", "é", "E+", "\\u12g4", "\\x", "\r"];
const KEYS = ['"id":1,', '"i\\u0064":"b",', '"message":{"id":"c"},', '"message":5,', '"\\/":0,'];
const edit = fc.record({
  at: fc.nat(999),
  cut: fc.nat(3),
  put: fc.oneof(
    fc.constantFrom("", ...PIECES, ...WORDS, ...KEYS).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
  ),
});

describe("the walk accepts the same input as JSON.parse", () => {
  test("the fixtures have more than 5,000 lines", () => {
    expect(lines.length).toBeGreaterThan(5000);
  });

  test("for real lines, with the same values", () => {
    // One line in five is enough and takes a second.
    const tried = lines.filter((_line, at) => at % 5 === 0);
    const states = tried.map((line) => compared(Buffer.from(line)));
    expect(states.filter((state) => state === "json").length).toBeGreaterThan(1000);
  });

  test("for generated JSON", () => {
    const cases = fc.property(made, (text) => {
      expect(compared(Buffer.from(text))).toBe("json");
    });
    fc.assert(cases, { numRuns: 1000 });
  });

  test("for damaged texts and repeated keys", () => {
    const seen = { json: 0, other: 0 };
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    const cases = fc.property(fc.oneof(realLine, made), edits, (text, changes) => {
      let bytes = Buffer.from(text);
      for (const { at, cut, put } of changes) {
        const place = Math.floor((at / 1000) * (bytes.length + 1));
        bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + cut)]);
      }
      seen[compared(bytes)] += 1;
    });
    fc.assert(cases, { numRuns: 4000 });
    expect(Math.min(seen.json, seen.other)).toBeGreaterThan(300);
  });

  test("for parts of lines, and lines with a part repeated", () => {
    const seen = { json: 0, other: 0 };
    const share = fc.nat(999).map((part) => part / 1000);
    const cases = fc.property(realLine, share, share, share, (line, a, b, c) => {
      const bytes = Buffer.from(line);
      const at = (part: number): number => Math.floor(part * bytes.length);
      const piece = bytes.subarray(Math.min(at(a), at(b)), Math.max(at(a), at(b)));
      const doubled = Buffer.concat([bytes.subarray(0, at(c)), piece, bytes.subarray(at(c))]);
      for (const part of [doubled, piece]) seen[compared(part)] += 1;
    });
    fc.assert(cases, { numRuns: 500 });
    expect(seen.other).toBeGreaterThan(300);
  });

  test.each(["0", "-0", "10", "1.5", "1e5", "1E-05", "-1.25e+7", "true", "false", "null", '""'])(
    "accepts %s",
    (value) => {
      for (const text of [value, `{"a":${value}}`, ` [ ${value} , ${value}\r\n]\t\n`]) {
        expect(compared(Buffer.from(text))).toBe("json");
      }
    },
  );

  test.each([
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
  ])("rejects %s", (value) => {
    for (const text of [value, `{"a":${value}}`]) {
      expect(compared(Buffer.from(text))).toBe("other");
    }
  });

  test("for strings of any length up to 140, with every kind of ending", () => {
    for (let length = 0; length < 140; length += 1) {
      const text = "a".repeat(length);
      const endings = [
        '"',
        "",
        '\u001f"',
        '\\"',
        '\\\\"',
        '\\\\\\"',
        '\\q"',
        '\\u00e9"',
        '\\u00g9"',
      ];
      const found = endings.map((ending) => compared(Buffer.from(`{"id":"${text}${ending}}`)));
      expect(found.filter((state) => state === "json").length).toBe(3);
    }
  });

  test("except that it rejects more than 1,025 levels of nesting", () => {
    const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(walked(deep(1025)) !== undefined).toBe(true);
    expect(walked(deep(1026)) === undefined).toBe(true);
    expect(walked(`{"message":{"usage":${deep(1024)}}}`)).toBeDefined();
    expect(walked("[".repeat(1_000_000))).toBeUndefined();
  });
});

test("the committed WebAssembly program matches its source", async () => {
  const text = await compileKernel();
  expect(
    text
      .match(/"[^"]*"/g)
      ?.join("")
      .replaceAll('"', ""),
  ).toBe(PROGRAM);
});
