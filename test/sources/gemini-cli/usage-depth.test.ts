import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeHome } from "../../../bench/make-home.mjs";
import type { Diagnostic } from "../../../src/core/files/diagnostic.ts";
import type { SessionFile } from "../../../src/core/files/session-file.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { geminiCli } from "../../../src/sources/gemini-cli/index.ts";
import type { Depth } from "../../../src/sources/source.ts";
import { diskView } from "../../../src/sources/view.ts";
import { readTrees } from "./corpus/trees.ts";

interface Given {
  file: SessionFile;
  bytes: Buffer;
}

/** Usage in a file; undefined if the file is declined at this depth. */
function usageOf({ file, bytes }: Given, depth: Depth) {
  const diagnostics: Diagnostic[] = [];
  const sized = { ...file, sizeBytes: bytes.length };
  const decoded = geminiCli.read(sized, memoryBytes(file.path, bytes), {
    depth,
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  if (decoded === "declined") return undefined;
  const { format, generation } = decoded;
  const home = { root: file.root, folders: [file.folder], view: diskView };
  const sessions = geminiCli.interpret([{ ...decoded, file: sized, home, diagnostics }], depth);
  const usage = sessions.map(({ id, kind, startedAt, directories, isImport, replies, clues }) => {
    const hash = clues?.files.map(({ projectHash }) => projectHash);
    return { id, kind, startedAt, directories, isImport, replies, hash };
  });
  return { format, generation, usage, diagnostics };
}

/** Whether the file can be read at depth "usage"; if so, the result must equal a full read. */
function isSkimmed(file: Given): boolean {
  const skimmed = usageOf(file, "usage");
  if (!skimmed) return false;
  expect(skimmed).toEqual(usageOf(file, "full"));
  expect(skimmed.diagnostics).toEqual([]);
  expect(skimmed.usage).toHaveLength(1);
  return true;
}

function sessionFiles(root: string): Given[] {
  const { files } = geminiCli.find({ path: root, because: "a test", isFound: true }, () => {});
  const sessions = files.filter(({ role }) => role === "main" || role === "subagent");
  return sessions.map((file) => ({ file, bytes: readFileSync(file.path) }));
}

let made: string;
let files: Given[];

beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), "pollux-usage-depth-"));
  makeHome(made, 12, 5);
  files = sessionFiles(join(made, ".gemini"));
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

/** One of the files, by number. */
function given(which: number): Given {
  const found = files[which % files.length];
  if (!found) throw new Error("There are no files.");
  return found;
}

test("no file of a generated home is declined, and all equal a full read", () => {
  expect(files.length).toBe(12);
  expect(files.filter((file) => !isSkimmed(file)).map(({ file }) => basename(file.path))).toEqual(
    [],
  );
});

describe("damaged files", () => {
  test("with changed bytes are declined or equal a full read", () => {
    const place = fc.record({ which: fc.nat(11), at: fc.nat(999_999) });
    const change = fc.record({ place, value: fc.oneof(fc.nat(255), fc.nat(126)) });
    const seen = { skimmed: 0, read: 0 };
    const cases = fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const { file, bytes } = given(changes[0]?.place.which ?? 0);
      const changed = Buffer.from(bytes);
      for (const { place: spot, value } of changes) {
        changed[Math.floor((spot.at / 1e6) * changed.length)] = value;
      }
      seen[isSkimmed({ file, bytes: changed }) ? "skimmed" : "read"] += 1;
    });
    fc.assert(cases, { numRuns: 300 });
    // Otherwise the test would have tried nothing.
    expect(Math.min(seen.skimmed, seen.read)).toBeGreaterThan(20);
  });

  test("with cut, doubled or moved parts are declined or equal a full read", () => {
    const share = fc.nat(999_999).map((part) => part / 1e6);
    let read = 0;
    const cases = fc.property(fc.nat(11), share, share, share, (which, a, b, c) => {
      const { file, bytes } = given(which);
      const at = (part: number): number => Math.floor(part * bytes.length);
      const [from, to] = [Math.min(at(a), at(b)), Math.max(at(a), at(b))];
      const [piece, head, tail] = [
        bytes.subarray(from, to),
        bytes.subarray(0, at(c)),
        bytes.subarray(at(c)),
      ];
      isSkimmed({ file, bytes: Buffer.concat([head, piece, tail]) });
      isSkimmed({ file, bytes: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]) });
      if (!isSkimmed({ file, bytes: bytes.subarray(0, from) })) read += 1;
    });
    fc.assert(cases, { numRuns: 100 });
    expect(read).toBeGreaterThan(50);
  });

  test("with whole lines removed, doubled or moved equal a full read", () => {
    const lines = files.filter(({ file }) => file.path.endsWith(".jsonl"));
    const order = fc.array(fc.nat(200), { maxLength: 60 });
    let skimmed = 0;
    const cases = fc.property(fc.nat(lines.length - 1), order, (which, picks) => {
      const { file, bytes } = lines[which] ?? given(0);
      const [first = "", ...others] = bytes.toString("utf8").split("\n").slice(0, -1);
      const picked = picks.map((pick) => others[pick % others.length]);
      if (isSkimmed({ file, bytes: Buffer.from([first, ...picked, ""].join("\n")) })) skimmed += 1;
    });
    fc.assert(cases, { numRuns: 200 });
    expect(skimmed).toBeGreaterThan(20);
  });

  test("that have grown meanwhile are declined", () => {
    const { file, bytes } = given(1);
    const older = { ...file, sizeBytes: bytes.length - 10 };
    for (const path of ["a.json", "a.jsonl"]) {
      const options = { depth: "usage", report: () => {} } as const;
      expect(geminiCli.read(older, memoryBytes(path, bytes), options)).toBe("declined");
    }
  });
});

const HEADER = { sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00Z" };
const REPLY = {
  id: "g1",
  timestamp: "2026-01-01T00:00:01Z",
  type: "gemini",
  content: "x",
  tokens: { input: 5, output: 2, cached: 1, thoughts: 1, tool: 0, total: 8 },
  model: "gemini-2.5-pro",
};

function linesOf(records: readonly unknown[]): Given {
  const lines = [HEADER, ...records].map((record) => {
    return typeof record === "string" ? record : JSON.stringify(record);
  });
  const { file } = given(0);
  const path = file.path.replace(/\.jsonl?$/, ".jsonl");
  return { file: { ...file, path }, bytes: Buffer.from(`${lines.join("\n")}\n`) };
}

describe('files that need no text are read at depth "usage"', () => {
  const cases: Record<string, unknown[]> = {
    "a plain reply": [REPLY],
    "a name with non-ASCII characters": [{ ...REPLY, id: "größe", model: "模型" }],
    "a duplicate key": [REPLY, '{"id":"g9","type":"gemini","type":"user"}'],
    "a key with escapes": [REPLY, '{"id":"g9","typ\\u0065":"gemini","type":"user"}'],
    "blank lines": ["", " \t", REPLY, "\r"],
    "added directories": [{ $set: { directories: ["/a", "/b"] } }, REPLY],
    "a missing count": [{ ...REPLY, tokens: { input: 5, output: null } }],
  };
  test.each(Object.entries(cases))("%s", (_name, records) => {
    expect(isSkimmed(linesOf(records))).toBe(true);
  });
});

describe("files that need text or have a diagnostic are declined", () => {
  const cases: Record<string, unknown[]> = {
    "a reply without an id": [{ ...REPLY, id: undefined }],
    "an invalid count": [{ ...REPLY, tokens: { ...REPLY.tokens, input: -1 } }],
    "a count that is too large": [{ ...REPLY, tokens: { ...REPLY.tokens, input: 1e13 } }],
    "an invalid number": ['{"id":"g9","type":"user","x":01}'],
    "a text with a raw tab": ['{"id":"g9","type":"user","content":"a\tb"}'],
    "a reply without a time": [{ ...REPLY, timestamp: undefined }],
    "a list of messages": [REPLY, { $set: { messages: [{ ...REPLY, id: "g2" }] } }],
    "two reports of one request": [REPLY, { ...REPLY, id: "g2" }],
    "an unknown author": [{ ...REPLY, type: "robot" }],
    "an unknown record": [{ hello: "world" }],
    "an import": [{ ...HEADER, hasResumableContent: true }],
    "a header with messages": [{ ...HEADER, messages: [REPLY] }],
  };
  test.each(Object.entries(cases))("%s", (_name, records) => {
    expect(isSkimmed(linesOf(records))).toBe(false);
  });

  test("a document that could be a saved chat", () => {
    const { file } = given(0);
    const path = file.path.replace(/\.jsonl?$/, ".json");
    const sample = { ...HEADER, messages: [REPLY] };
    const chat = { ...HEADER, history: [{ role: "user", parts: [] }], messages: [REPLY] };
    const written = (value: unknown): Given => {
      return { file: { ...file, path }, bytes: Buffer.from(JSON.stringify(value, null, 2)) };
    };
    expect(isSkimmed(written(sample))).toBe(true);
    expect(isSkimmed(written(chat))).toBe(false);
    expect(isSkimmed(linesOf([REPLY, { history: [], id: "h", type: "user" }]))).toBe(false);
  });
});

test("files of the corpus equal a full read or are declined", () => {
  const found = readTrees().flatMap(({ folder }) => sessionFiles(join(folder, ".gemini")));
  const skimmed = found.filter((file) => isSkimmed(file));
  expect(skimmed.length).toBeGreaterThan(found.length / 3);
});
