// @module-tag slow
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claudeCode } from "../../../src/sources/claude-code/index.ts";
import { committedTrees } from "../../corpora/trees.ts";
import type { MadeFile } from "./read-files.ts";
import {
  answer,
  ID,
  mainFile,
  ownFacts,
  prompt,
  readFiles,
  readLines,
  record,
  textBlock,
} from "./read-files.ts";

const GROUPS: readonly MadeFile[][] = committedTrees("claude-code").map((tree) => {
  const found = tree.roots.flatMap((path) => {
    const files = claudeCode.find({ path, because: "", isFound: true }, () => undefined).files;
    return files.filter(({ role }) => role === "main" || role === "subagent");
  });
  return found.map(({ path }) => ({ name: basename(path), bytes: readFileSync(path) }));
});

/** Depths at which the sums differ. */
function otherSums(files: readonly MadeFile[]): string[] {
  const full = JSON.stringify(ownFacts(readFiles(files)));
  return (["usage", "outline"] as const).filter((depth) => {
    return JSON.stringify(ownFacts(readFiles(files, depth))) !== full;
  });
}

describe("damaged files", () => {
  test("exist for these tests", () => {
    expect(GROUPS.flat().length).toBeGreaterThan(20);
  });

  test("cut anywhere are read up to the cut", () => {
    for (const group of GROUPS) {
      for (const { name, bytes } of group) {
        for (const part of [1, 3, 5, 7]) {
          const cut = { name, bytes: bytes.subarray(0, Math.floor((bytes.length * part) / 8)) };
          const { diagnostics } = readFiles([cut]);
          const isWhole = cut.bytes.length === 0 || cut.bytes.at(-1) === 10;
          if (!isWhole) expect(diagnostics.map(({ code }) => code)).toContain("torn-line");
          expect(otherSums([cut])).toEqual([]);
        }
      }
    }
  });

  test("with any changed bytes cause no exception and give the same facts at every depth", () => {
    const group = fc.constantFrom(...GROUPS.filter((files) => files.length > 0));
    const change = fc.record({
      file: fc.nat(),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      how: fc.constantFrom("flip", "nul", "delete", "join", "repeat", "quote", "bytes"),
      byte: fc.nat(255),
    });
    const property = fc.property(group, fc.array(change, { minLength: 1, maxLength: 4 }), check);
    expect(fc.check(property, { numRuns: 100 })).toMatchObject({ failed: false });

    function check(files: MadeFile[], changes: Change[]): boolean {
      const damaged = files.map((file, index) => {
        return changes
          .filter(({ file: chosen }) => chosen % files.length === index)
          .reduce((bytes, how) => damage(bytes, how), Buffer.from(file.bytes));
      });
      const made = files.map(({ name }, index) => {
        return { name, bytes: damaged[index] ?? Buffer.alloc(0) };
      });
      return otherSums(made).length === 0;
    }
  });

  test("two records on one line, and half a record before a whole one, are read", () => {
    const first = JSON.stringify(answer("msg_1", [textBlock("one")]));
    const second = JSON.stringify(answer("msg_2", [textBlock("two")]));
    const glued = readLines([first + second]);
    expect(glued.sessions[0]?.replies.map(({ id }) => id)).toEqual(["msg_1", "msg_2"]);
    expect(glued.diagnostics.map(({ code }) => code)).toEqual(["glued-line"]);
    const torn = readLines([first.slice(0, 100) + second]);
    expect(torn.sessions[0]?.replies.map(({ id }) => id)).toEqual(["msg_2"]);
    expect(torn.diagnostics[0]).toMatchObject({ code: "glued-line", severity: "damage", line: 1 });
  });

  test("NUL bytes between records are skipped and reported", () => {
    const line = JSON.stringify(answer("msg_1", [textBlock("one")]));
    const { sessions, diagnostics } = readLines([`\0\0\0${line}`]);
    expect(sessions[0]?.replies).toHaveLength(1);
    expect(diagnostics.map(({ code }) => code)).toEqual(["nul-bytes"]);
  });

  test("an empty file has no session", () => {
    const { sessions, diagnostics } = readFiles([{ name: `${ID}.jsonl`, bytes: Buffer.alloc(0) }]);
    expect(sessions).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "empty-file", severity: "notice" }]);
  });
});

describe("hostile records", () => {
  const odd: readonly unknown[] = [
    null,
    1,
    "text",
    true,
    [],
    {},
    -1,
    1.5,
    1e300,
    { a: { b: [] } },
    "x".repeat(5000),
    "\u0000\u001b[2J\u202e",
    "__proto__",
    "constructor",
    "\ud83d",
  ];

  test("any value in any field causes no exception", () => {
    const paths = placesIn(
      answer("msg_1", [{ type: "tool_use", id: "c", name: "Bash", input: {} }]),
    );
    const more = placesIn(
      record("user", {
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c", content: "" }],
        },
        toolUseResult: { structuredPatch: [{ lines: [""] }], filePath: "/a", agentId: "x" },
        origin: { kind: "human" },
        forkedFrom: { sessionId: "s" },
      }),
    );
    for (const { template, path } of [...paths, ...more]) {
      for (const value of odd) {
        const changed = structuredClone(template);
        put(changed, path, value);
        const lines = [prompt("hello"), changed, answer("msg_2", [textBlock("done")])];
        expect(otherSums([mainFile(lines)])).toEqual([]);
        expect(
          readLines(lines).sessions.flatMap(({ replies }) => replies.map(({ id }) => id)),
        ).toContain("msg_2");
      }
    }
  });

  test("deeply nested values are skipped", () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    const call = JSON.stringify(
      answer("msg_1", [{ type: "tool_use", id: "c1", name: "Bash", input: "DEEP" }]),
    ).replace('"DEEP"', deep);
    const { sessions } = readLines([prompt("hello"), call]);
    expect(sessions[0]?.messages[1]?.toolCalls[0]?.args).toEqual({});
    expect(() => JSON.stringify(sessions)).not.toThrow();
    expect(otherSums([mainFile([prompt("hello"), call])])).toEqual([]);
  });

  test("ids that are too long are reported and not used", () => {
    const { sessions, diagnostics } = readLines([prompt("hello", { uuid: "u".repeat(100_000) })]);
    expect(sessions[0]?.messages[0]?.id.length).toBeLessThan(100);
    expect(diagnostics).toMatchObject([{ code: "bad-message", line: 1 }]);
  });

  test("keys of the prototype are plain data", () => {
    const line = JSON.stringify(answer("msg_1", [textBlock("one")])).replace(
      '"requestId"',
      '"__proto__":{"isSidechain":true,"polluted":1},"requestId"',
    );
    const { sessions } = readLines([line]);
    expect(sessions.map(({ kind }) => kind)).toEqual(["main"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a cycle of parents ends, and a missing parent ends the live branch and is reported", () => {
    const circle = [
      prompt("one", { uuid: "a", parentUuid: "b" }),
      answer("msg_1", [textBlock("x")], { uuid: "b", parentUuid: "a" }),
    ];
    expect(readLines(circle).sessions[0]?.messages.map(({ standing }) => standing)).toEqual([
      "live",
      "live",
    ]);
    const lost = [
      prompt("one", { uuid: "a" }),
      prompt("two", { uuid: "c", parentUuid: "nowhere" }),
    ];
    const [session] = readLines(lost).sessions;
    expect(session?.messages).toMatchObject([
      { standing: "rewritten", reason: "truncation" },
      { standing: "live" },
    ]);
    expect(session?.diagnostics).toMatchObject([{ code: "bad-message", line: 2 }]);
  });

  test("invalid counts are unknown and reported", () => {
    const usage = { input_tokens: -5, output_tokens: "many", cache_read_input_tokens: 7 };
    const { sessions, diagnostics } = readLines([answer("msg_1", [], { message: { usage } })]);
    expect(sessions[0]?.replies[0]?.counts).toEqual({
      shape: "cache-beside-input",
      reasoning: "inside-output",
      cached: 7,
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(["bad-tokens", "bad-tokens"]);
  });

  test("unknown record types are ignored, and those with an id stay links of the chain", () => {
    const lines = [
      prompt("hello", { uuid: "a" }),
      record("hologram", { uuid: "b", parentUuid: "a", secret: 1 }),
      answer("msg_1", [textBlock("hi")], { uuid: "c", parentUuid: "b" }),
      { type: "hologram-state", sessionId: ID },
    ];
    const { sessions, diagnostics } = readLines(lines);
    expect(sessions[0]?.messages.map(({ standing }) => standing)).toEqual(["live", "live"]);
    expect(diagnostics).toEqual([]);
  });
});

interface Change {
  at: number;
  how: string;
  byte: number;
  file: number;
}

function damage(bytes: Buffer, { at, how, byte }: Change): Buffer<ArrayBuffer> {
  const place = Math.min(bytes.length - 1, Math.floor(bytes.length * at));
  if (place < 0) return Buffer.from(bytes);
  const changed = Buffer.from(bytes);
  const end = (changed.indexOf(10, place) + 1 || changed.length) - 1;
  const start = changed.lastIndexOf(10, Math.max(0, end - 1)) + 1;
  const before = changed.subarray(0, start);
  if (how === "flip") changed[place] = byte;
  else if (how === "nul") changed.fill(0, place, Math.min(changed.length, place + 8));
  else if (how === "delete") return Buffer.concat([before, changed.subarray(end + 1)]);
  else if (how === "join")
    return Buffer.concat([changed.subarray(0, end), changed.subarray(end + 1)]);
  else if (how === "repeat") return Buffer.concat([changed, changed.subarray(start, end + 1)]);
  else if (how === "quote") changed[place] = 34;
  else changed.fill(byte | 0x80, place, Math.min(changed.length, place + 3));
  return changed;
}

interface Spot {
  template: Record<string, unknown>;
  path: string[];
}

/** Every path inside a record that has a value. */
function placesIn(template: Record<string, unknown>): Spot[] {
  const walk = (value: unknown, path: string[]): string[][] => {
    const inner =
      typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, child]) => walk(child, [...path, key]))
        : [];
    return path.length === 0 ? inner : [path, ...inner];
  };
  return walk(template, []).map((path) => ({ template, path }));
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) target[key] = value;
  else put(target[key] as Record<string, unknown>, rest, value);
}
