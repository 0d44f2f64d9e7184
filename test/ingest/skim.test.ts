// @module-tag slow
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeHome } from "../../bench/make-home.mjs";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { findHome, sessionFilesOf } from "../../src/ingest/gather.ts";
import type { Home } from "../../src/ingest/gather.ts";
import { playFile } from "../../src/ingest/read.ts";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import { hasSession, sessionIdOf } from "../../src/ingest/assemble.ts";
import { skimFile } from "../../src/ingest/skim-file.ts";
import type { SkimmedFile } from "../../src/ingest/skim-file.ts";
import { open } from "../../src/library/library.ts";
import type { SessionFile } from "../../src/core/session-file.ts";
import { PriceBook } from "../../src/queries/prices.ts";
import { mergeFiles } from "../../src/sources/gemini-cli/interpret/session.ts";
import { factsOf } from "../../src/core/usage-facts.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";
import type { Source } from "../../src/sources/source.ts";
import { ended, isBuilt, start } from "../store/program.ts";
import { corpusTrees } from "../corpora/trees.ts";

/** The same source, read the slow way. */
const slow: Source = { ...geminiCli, skim: () => undefined };

function homeAt(path: string): Home {
  const root = { path: join(path, ".gemini"), because: "a test", isFound: true };
  return findHome(geminiCli, root);
}

/** What the reader says of the same bytes. */
function readAll(file: SessionFile, bytes: Buffer) {
  const source = memoryBytes(file.path, bytes);
  const played = playFile(geminiCli, file, { bytes: source, weight: "outline" });
  const id = sessionIdOf(played);
  const session = { ...mergeFiles(id, [played]), ledgerName: geminiCli.ledgerName };
  const { format, generation, diagnostics, replay } = played;
  const { kind, startedAt, projectHash } = replay.facts;
  const usage = factsOf(session);
  const told = { sessionId: id, format, generation, kind, startedAt, projectHash, usage };
  return { told, diagnostics, isRead: hasSession(played) };
}

function toldBy({ sessionId, format, generation, facts, usage }: SkimmedFile) {
  const { kind, startedAt, projectHash } = facts;
  return { sessionId, format, generation, kind, startedAt, projectHash, usage };
}

/** Says whether the file was skimmed; then it must have been skimmed right. */
function checkSkim(file: SessionFile, bytes: Buffer): boolean {
  const skimmed = skimFile(geminiCli, file, bytes);
  if (!skimmed) return false;
  const read = readAll(file, bytes);
  expect(toldBy(skimmed)).toEqual(read.told);
  expect({ diagnostics: read.diagnostics, isRead: read.isRead }).toEqual({
    diagnostics: [],
    isRead: true,
  });
  return true;
}

async function reports(path: string, sources: Source[]) {
  const wishes = [["month"], ["day", "model"], ["kind", "root"]] as const;
  const library = () => open({ roots: [path], sources });
  return Promise.all(wishes.map((by) => library().usage({ by, timezone: "UTC" })));
}

let made: string;
let files: { file: SessionFile; bytes: Buffer }[];

beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), "pollux-skim-"));
  makeHome(made, 12, 5);
  files = sessionFilesOf(homeAt(made)).map((file) => ({ file, bytes: readFileSync(file.path) }));
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

describe("skimming a generated home", () => {
  test("takes every file, and finds what reading finds", () => {
    expect(files.length).toBe(12);
    expect(files.filter(({ file, bytes }) => !checkSkim(file, bytes))).toEqual([]);
  });

  test("gives the same reports", async () => {
    expect(await reports(made, [geminiCli])).toEqual(await reports(made, [slow]));
  });
});

describe("with an archive that is still empty", () => {
  const wish = { by: ["month", "model"], timezone: "UTC" } as const;

  async function usage(home: string, options: { refresh?: "fresh" } = {}) {
    const archive = join(home, "archive.db");
    // A file that was written this very moment is not trusted to stay as it is.
    const clock = (): number => Date.now() + 60_000;
    const library = open({ roots: [home], archive, clock, ...options });
    const report = await library.usage(wish);
    library.archive.close();
    return report;
  }

  function skims(home: string): string[] {
    const archive = openArchive(join(home, "archive.db"), READER_VERSION);
    const { stamp } = new PriceBook();
    const known = [...archive.skims.find(`days UTC ${stamp}`)];
    expect(archive.files.roots()).toEqual([]);
    archive.close();
    return known.map(([path, sum]) => `${path} ${sum.look}`);
  }

  test("usage is told before anything is taken in, and the same afterwards", async () => {
    const home = mkdtempSync(join(tmpdir(), "pollux-skim-cold-"));
    try {
      makeHome(home, 150, 3);
      const cold = await usage(home);
      const first = skims(home);
      expect(first).toHaveLength(150);
      expect(await usage(home)).toEqual(cold);
      const [grown] = sessionFilesOf(homeAt(home)).filter(({ path }) => path.endsWith(".jsonl"));
      const at = "2026-11-15T07:00:00.000Z";
      const tokens = { input: 7, output: 3, cached: 0, thoughts: 0, tool: 0, total: 10 };
      const reply = { id: "new", timestamp: at, type: "gemini", content: "", tokens, model: "m" };
      appendFileSync(grown?.path ?? "", `${JSON.stringify(reply)}\n`);
      const later = await usage(home);
      // Only the file that has grown was skimmed again.
      expect(skims(home).filter((one) => !first.includes(one))).toHaveLength(1);
      expect(later).toEqual(await usage(home, { refresh: "fresh" }));
      const library = open({ roots: [home], archive: join(home, "archive.db") });
      expect(library.archive.isUnused).toBe(true);
      library.archive.keep();
      expect(library.archive.isUnused).toBe(false);
      expect(await library.usage(wish)).toEqual(later);
      library.archive.close();
      const archive = openArchive(join(home, "archive.db"), READER_VERSION);
      expect(archive.skims.find(`days UTC ${new PriceBook().stamp}`).size).toBe(0);
      archive.close();
      expect(await usage(home)).toEqual(later);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }, 60_000);

  test.skipIf(!isBuilt)(
    "two threads find what one finds",
    async () => {
      const home = mkdtempSync(join(tmpdir(), "pollux-skim-two-"));
      try {
        makeHome(home, 480, 9);
        const bytes = sessionFilesOf(homeAt(home)).reduce((sum, one) => sum + one.sizeBytes, 0);
        // Else the second thread is not worth its start.
        expect(bytes).toBeGreaterThan(64 * 1024 * 1024);
        const args = ["usage", "--by", "month,model", "--timezone", "UTC", "--json"];
        const place = ["--root", home, "--archive", join(home, "two.db")];
        const fresh = await usage(home, { refresh: "fresh" });
        // The second time, it is told from what was remembered.
        for (const turn of ["skimmed", "remembered"]) {
          const { out } = await ended(start([...args, ...place]));
          expect(JSON.parse(out), turn).toEqual(fresh);
        }
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
    60_000,
  );
});

describe("skimming what is damaged", () => {
  test("a changed byte never goes unnoticed", () => {
    const place = fc.record({ which: fc.nat(11), at: fc.nat(999_999) });
    const change = fc.record({ place, value: fc.oneof(fc.nat(255), fc.nat(126)) });
    const seen = { skimmed: 0, read: 0 };
    const cases = fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const one = files[changes[0]?.place.which ?? 0];
      if (!one) return;
      const bytes = Buffer.from(one.bytes);
      for (const { place: spot, value } of changes) {
        bytes[Math.floor((spot.at / 1e6) * bytes.length)] = value;
      }
      seen[checkSkim(one.file, bytes) ? "skimmed" : "read"] += 1;
    });
    fc.assert(cases, { numRuns: 300 });
    // Else nothing was tried.
    expect(Math.min(seen.skimmed, seen.read)).toBeGreaterThan(20);
  });

  test("nor does a cut, a doubled or a moved piece", () => {
    const share = fc.nat(999_999).map((part) => part / 1e6);
    let read = 0;
    const cases = fc.property(fc.nat(11), share, share, share, (which, a, b, c) => {
      const one = files[which];
      if (!one) return;
      const at = (part: number): number => Math.floor(part * one.bytes.length);
      const [from, to] = [Math.min(at(a), at(b)), Math.max(at(a), at(b))];
      const piece = one.bytes.subarray(from, to);
      const [head, tail] = [one.bytes.subarray(0, at(c)), one.bytes.subarray(at(c))];
      checkSkim(one.file, Buffer.concat([head, piece, tail]));
      checkSkim(one.file, Buffer.concat([one.bytes.subarray(0, from), one.bytes.subarray(to)]));
      if (!checkSkim(one.file, one.bytes.subarray(0, from))) read += 1;
    });
    fc.assert(cases, { numRuns: 100 });
    expect(read).toBeGreaterThan(50);
  });

  test("whole lines may be taken out, doubled and moved", () => {
    const lines = files.filter(({ file }) => file.path.endsWith(".jsonl"));
    const order = fc.array(fc.nat(200), { maxLength: 60 });
    let skimmed = 0;
    const cases = fc.property(fc.nat(lines.length - 1), order, (which, picks) => {
      const one = lines[which];
      if (!one) return;
      const [first = "", ...others] = one.bytes.toString("utf8").split("\n").slice(0, -1);
      const picked = picks.map((pick) => others[pick % others.length]);
      const bytes = Buffer.from([first, ...picked, ""].join("\n"));
      if (checkSkim(one.file, bytes)) skimmed += 1;
    });
    fc.assert(cases, { numRuns: 200 });
    expect(skimmed).toBeGreaterThan(20);
  });
});

describe("what is unusual is read", () => {
  const line = { sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00Z" };
  const reply = {
    id: "g1",
    timestamp: "2026-01-01T00:00:01Z",
    type: "gemini",
    content: "x",
    tokens: { input: 5, output: 2, cached: 1, thoughts: 1, tool: 0, total: 8 },
    model: "gemini-2.5-pro",
  };
  const cases: Record<string, unknown[]> = {
    "a name beyond ASCII": [{ ...reply, id: "größe" }],
    "a reply without an id": [{ ...reply, id: undefined }],
    "a count that is none": [{ ...reply, tokens: { ...reply.tokens, input: -1 } }],
    "a key given twice": ['{"id":"g9","type":"gemini","type":"user"}'],
    "a key in disguise": ['{"id":"g9","typ\\u0065":"gemini","type":"user"}'],
    "a number that is none": ['{"id":"g9","type":"user","x":01}'],
    "a text with a tab in it": ['{"id":"g9","type":"user","content":"a\tb"}'],
    "a reply without a time": [{ ...reply, timestamp: undefined }],
    "a list of messages": [reply, { $set: { messages: [{ ...reply, id: "g2" }] } }],
    "two reports of one request": [reply, { ...reply, id: "g2" }],
    "an unfamiliar author": [{ ...reply, type: "robot" }],
    "an unfamiliar record": [{ hello: "world" }],
    "an import": [{ ...line, hasResumableContent: true }],
  };
  test.each(Object.entries(cases))("%s", (_name, records) => {
    const [file] = files;
    if (!file) throw new Error("There are no files.");
    const bytes = (more: unknown[]): Buffer =>
      Buffer.from([line, ...more].map((record) => `${textOf(record)}\n`).join(""));
    expect(skimFile(geminiCli, file.file, bytes([reply]))).toBeDefined();
    expect(skimFile(geminiCli, file.file, bytes(records))).toBeUndefined();
  });

  test("a document that could be a saved chat: both ways leave it out", async () => {
    const home = mkdtempSync(join(tmpdir(), "pollux-skim-chat-"));
    try {
      makeHome(home, 12, 4);
      const chats = dirname(sessionFilesOf(homeAt(home))[0]?.path ?? "");
      const document = { ...line, history: [{ role: "user", parts: [] }], messages: [reply] };
      const text = JSON.stringify(document, null, 2);
      writeFileSync(join(chats, "session-2026-01-01T00-00-12345678.json"), text);
      expect(await reports(home, [geminiCli])).toEqual(await reports(home, [slow]));
      expect(sessionFilesOf(homeAt(home))).toHaveLength(12);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

function textOf(record: unknown): string {
  return typeof record === "string" ? record : JSON.stringify(record);
}

describe("skimming the corpus", () => {
  const trees = corpusTrees("gemini-cli");

  test("finds what reading finds, file by file", () => {
    const found = trees.flatMap(({ folder }) => sessionFilesOf(homeAt(folder)));
    const skimmed = found.filter((file) => checkSkim(file, readFileSync(file.path)));
    expect(skimmed.length).toBeGreaterThan(found.length / 3);
  });

  test("gives the same reports, tree by tree", async () => {
    for (const { folder } of trees) {
      expect(await reports(folder, [geminiCli])).toEqual(await reports(folder, [slow]));
    }
  }, 60_000);
});
