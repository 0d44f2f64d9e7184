// @module-tag slow
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync } from "node:fs";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { READER_VERSION } from "../../../src/ingest/reader-version.ts";
import { open } from "../../../src/library/library.ts";
import type { SessionSummary } from "../../../src/core/rows/summary.ts";
import { ChangingHome } from "../changing-home.ts";
import { folder } from "../temporary-archives.ts";
import type { Ended } from "../program.ts";
import { ended, isBuilt, start } from "../program.ts";
import { together } from "../traced.ts";
import { checkAnswers, checkSound } from "../truth.ts";

async function answersOf(root: string, archive?: string): Promise<SessionSummary[]> {
  const library = open({
    roots: [root],
    environment: { homeDir: "/home/ada", env: {} },
    ...(archive === undefined ? {} : { archive, refresh: "none" }),
  });
  const { sessions } = await library.sessions();
  await library.close();
  return sessions.filter(({ goneSince }) => goneSince === null);
}

async function problemsOf(archive: string): Promise<unknown[]> {
  const opened = await openSqliteStore(archive, { reader: READER_VERSION });
  const { problems } = await opened.care.verify(() => undefined);
  await opened.close();
  return problems;
}

describe.skipIf(!isBuilt)("several processes", () => {
  test("three writers and five readers work at the same time", { timeout: 120_000 }, async () => {
    const place = folder();
    const home = new ChangingHome(place, 7, { sessions: 40, sessionBytes: 60_000 });
    const archive = join(place, "archive.db");
    const common = ["--root", home.root, "--archive", archive];
    const writers = Array.from({ length: 3 }, () => ["keep", "--json", ...common]);
    const readers = [
      ["sessions", "--json", "--no-refresh", ...common],
      ["sessions", "--json", ...common],
      ["usage", "--json", ...common],
      ["search", "--json", "--no-refresh", "answer1", ...common],
      ["doctor", "--json", "--no-refresh", ...common],
    ];
    for (let round = 0; round < 3; round += 1) {
      // In the first round there is no archive: any of the processes may create it.
      if (round > 0) home.change();
      const results = await together([...writers, ...readers], join(place, `gate-${round}`));
      expect(results.filter(({ code, err }) => code !== 0 || err !== "")).toEqual([]);
      for (const { out } of results) JSON.parse(out);
      home.seen();
      await checkSound(archive, home);
      expect(await ended(start(writers[0] ?? []))).toMatchObject({ code: 0 });
      await checkAnswers(archive, home);
    }
  });
});

describe.skipIf(!isBuilt)("a large home", () => {
  test("is kept by two threads with the same result as by one", { timeout: 120_000 }, async () => {
    const place = folder();
    const chats = join(place, ".gemini", "tmp", "ledger", "chats");
    mkdirSync(chats, { recursive: true });
    for (let n = 0; n < 60; n += 1) {
      const id = `${String(n).padStart(8, "0")}-large`;
      const text = `${n} words of no interest `.repeat(40_000);
      const tokens = { input: n, output: 1, cached: 0, thoughts: 0, tool: 0, total: n + 1 };
      const messages = [
        { id: `${id}-u`, timestamp: "2026-02-10T17:28:00.000Z", type: "user", content: text },
        {
          id: `${id}-m`,
          timestamp: "2026-02-10T17:29:00.000Z",
          type: "gemini",
          content: "x",
          tokens,
        },
      ];
      writeFileSync(join(chats, `session-${id}.json`), JSON.stringify({ sessionId: id, messages }));
    }
    const archive = join(place, "archive.db");
    const root = join(place, ".gemini");
    const kept = await ended(start(["keep", "--json", "--root", root, "--archive", archive]));
    expect(kept).toMatchObject({ code: 0, err: "" });
    const { roots } = JSON.parse(kept.out) as { roots: object[] };
    expect(roots).toMatchObject([{ opened: 60, added: 60, sessions: 60 }]);
    expect(await answersOf(root, archive)).toEqual(await answersOf(root));
    expect(await problemsOf(archive)).toEqual([]);
    const args = ["search", "59 AND interest", "--json", "--root", root, "--archive", archive];
    const found = JSON.parse((await ended(start(args))).out) as { hits: { sessionId: string }[] };
    expect(found.hits.map(({ sessionId }) => sessionId)).toEqual(["00000059-large"]);
  });
});

/** A root with `sessions` sessions of 12 MB each. */
function largeRoot(place: string, sessions: number): string {
  const chats = join(place, ".gemini", "tmp", "ledger", "chats");
  mkdirSync(chats, { recursive: true });
  const header = { sessionId: "large", startTime: "2026-02-10T17:28:00.000Z" };
  const said = { id: "u", timestamp: "2026-02-10T17:28:00.000Z", type: "user" };
  const line = JSON.stringify({ ...said, content: "words ".repeat(2_000_000) });
  for (let n = 0; n < sessions; n += 1) {
    const text = `${JSON.stringify({ ...header, sessionId: `large-${n}` })}\n${line}\n`;
    writeFileSync(join(chats, `session-2026-02-10T17-28-0000000${n}.jsonl`), text);
  }
  return join(place, ".gemini");
}

describe.skipIf(!isBuilt)("the first command in a large home", () => {
  test("exits on an error, even after a second thread was started", async () => {
    const place = folder();
    const archive = join(place, "archive.db");
    const common = ["--root", largeRoot(place, 6), "--archive", archive, "--json"];
    const prices = ["--prices", join(place, "none.json")];
    const refused = await ended(start(["usage", ...prices, ...common]));
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain("none.json");
    const nowhere = await ended(start(["usage", "--timezone", "Nowhere/Bad", ...common]));
    expect(nowhere.code).not.toBe(0);
    expect(nowhere.err).toContain("Nowhere/Bad");
    expect(await ended(start(["usage", ...common]))).toMatchObject({ code: 0 });
  });

  test("exits if a second thread was started but there is too little work for two", async () => {
    const roots = [folder(), folder()].map((place) => largeRoot(place, 3));
    const [first = ""] = roots;
    const place = folder();
    const usage = ["usage", "--json", "--root", first, "--archive", join(place, "one.db")];
    expect(await ended(start(usage))).toMatchObject({ code: 0, err: "" });
    const options = roots.flatMap((root) => ["--root", root]);
    const keep = ["keep", "--json", ...options, "--archive", join(place, "two.db")];
    expect(await ended(start(keep))).toMatchObject({ code: 0, err: "" });
  });
});

describe.skipIf(!isBuilt)("a full disk", () => {
  test("is reported, and kept data stays intact", async ({ skip }) => {
    const place = folder();
    const disk = smallDisk(place) ?? skip(NO_DISK);
    expect(await fillUp(place, disk)).toBe("reported, and continued");
  });

  test("without an archive: answers are read from the disk and say so", async ({ skip }) => {
    const place = folder();
    const disk = smallDisk(place) ?? skip(NO_DISK);
    const home = new ChangingHome(place, 3);
    fill(disk);
    const run = (...args: string[]): Promise<Ended> => {
      return ended(start([...args, "--archive", join(disk, "new.db")], { HOME: place }));
    };
    const expected = (await answersOf(home.root)).map(({ id }) => id).toSorted();
    const { out: list } = await run("sessions", "--json");
    const { sessions } = JSON.parse(list) as { sessions: { id: string }[] };
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(expected);
    // Without an archive, usage is read from the disk in any case.
    expect(await run("usage")).toMatchObject({ code: 0, err: "" });
    for (const question of ["overview", "doctor", "show latest", "search token"]) {
      const { code, out, err } = await run(...question.split(" "));
      expect([question, code, out.length > 0]).toEqual([question, 0, true]);
      expect(err).toMatch(/^pollux: The disk is full: the archive .* cannot be created\. Nothing/);
    }
    const refused = await run("keep");
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /^pollux: The disk is full: .* cannot be created\.\nFree some space/,
    );
    rmSync(join(disk, "filler"));
    expect(await run("keep")).toMatchObject({ code: 0, err: "" });
  });
});

const NO_DISK = "a small disk cannot be mounted without the rights of root";

/** Mounts a disk of 4 MB until the test ends. */
function smallDisk(place: string): string | undefined {
  const disk = join(place, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]);
  if (mounted.status !== 0) return undefined;
  // The driver releases a file when its statements are collected, not when it is closed.
  onTestFinished(() => void spawnSync("umount", ["-l", disk]));
  return disk;
}

function fill(disk: string): void {
  expect(() => {
    for (;;) appendFileSync(join(disk, "filler"), Buffer.alloc(4096));
  }).toThrow("ENOSPC");
}

async function fillUp(place: string, disk: string): Promise<string> {
  const home = new ChangingHome(place, 3);
  const archive = join(disk, "archive.db");
  const args = ["keep", "--root", home.root, "--archive", archive];
  expect(await ended(start(args))).toMatchObject({ code: 0 });
  home.seen();
  const before = await answersOf(home.root, archive);
  const content = randomBytes(4_500_000).toString("base64");
  const record = {
    sessionId: "large",
    projectHash: "h",
    messages: [{ id: "u", type: "user", content }],
  };
  writeFileSync(
    join(home.root, "tmp", "ledger", "chats", "session-large.json"),
    JSON.stringify(record),
  );
  const full = await ended(start(args));
  expect(full.code).toBe(1);
  expect(full.err).toMatch(/^pollux: The disk is full: .*\nFree some space/);
  expect(await answersOf(home.root, archive)).toEqual(before);
  expect(await problemsOf(archive)).toEqual([]);
  const asked = await ended(
    start(["sessions", "--json", "--root", home.root, "--archive", archive]),
  );
  expect(asked.code).toBe(0);
  expect(asked.err).toMatch(/^pollux: The disk is full: .* Answers show its state/);
  expect((JSON.parse(asked.out) as { sessions: object[] }).sessions).toHaveLength(before.length);
  await expectReadable(disk, ["--root", home.root, "--archive", archive]);
  // With more room it continues where it stopped.
  const roomy = join(place, "roomy");
  cpSync(disk, roomy, { recursive: true });
  const again = ["keep", "--root", home.root, "--archive", join(roomy, "archive.db")];
  expect(await ended(start(again))).toMatchObject({ code: 0 });
  expect(await answersOf(home.root, join(roomy, "archive.db"))).toEqual(await answersOf(home.root));
  return "reported, and continued";
}

/** Queries must work even if the disk has no room for the files that SQLite creates. */
async function expectReadable(disk: string, args: readonly string[]): Promise<void> {
  fill(disk);
  const questions = ["sessions", "usage", "tools", "doctor", "show latest", "search token"];
  for (const question of questions) {
    const { code, out, err } = await ended(start([...question.split(" "), ...args]));
    expect([question, code, out.length > 0]).toEqual([question, 0, true]);
    expect(err).toMatch(/^pollux: The disk is full: .* Answers show its state on \d{4}-/);
  }
  const refused = await ended(start(["keep", ...args]));
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/^pollux: The disk is full/),
  ]);
  rmSync(join(disk, "filler"));
}

describe.skipIf(!isBuilt)("an unusable archive", () => {
  test("stops a command with an error, and --fresh avoids it", async () => {
    const place = folder();
    const home = new ChangingHome(place, 5);
    const archive = join(place, "notes.txt");
    writeFileSync(archive, "These are notes. ".repeat(300));
    const args = ["sessions", "--json", "--root", home.root, "--archive", archive];
    const refused = await ended(start(args));
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/^pollux: The archive .* is damaged, or is not an archive\.\n/);
    expect(readFileSync(archive, "utf8")).toBe("These are notes. ".repeat(300));
    expect(await ended(start([...args, "--fresh"]))).toMatchObject({ code: 0, err: "" });
  });
});
