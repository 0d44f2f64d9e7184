// @module-tag slow
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { READER_VERSION } from "../../../src/ingest/reader-version.ts";
import { ChangingHome } from "../changing-home.ts";
import { folder } from "../temporary-archives.ts";
import type { Ended } from "../program.ts";
import { ended, isBuilt, program, start } from "../program.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
// Windows has other permissions.
const isPossible = isBuilt && process.platform !== "win32";

const places: string[] = [];
afterAll(() => places.forEach((place) => rmSync(place, { recursive: true })));

/** A copy of the program that every user can read: the checkout may be in a private folder. */
function openProgram(): string {
  if (!isRoot) return program;
  const place = open(mkdtempSync(join(tmpdir(), "pollux-program-")));
  places.push(place);
  const load = createRequire(import.meta.url);
  const addons = dirname(dirname(dirname(dirname(load.resolve("@photostructure/sqlite")))));
  const mine = `${process.platform}-${process.arch}`;
  for (const name of [join("@photostructure", "sqlite"), "node-gyp-build"]) {
    const isNeeded = (path: string): boolean => {
      const below = path.slice(join(addons, name).length + 1);
      return !/^(src|scripts|prebuilds[\\/].)/.test(below) || below.includes(mine);
    };
    const to = join(place, "node_modules", name);
    cpSync(join(addons, name), to, { recursive: true, dereference: true, filter: isNeeded });
  }
  for (const name of ["dist", "prices", "package.json"]) {
    cpSync(join(dirname(dirname(program)), name), join(place, name), { recursive: true });
  }
  return join(place, "dist", "pollux.js");
}

let readable = program;
beforeAll(() => void (readable = isPossible ? openProgram() : program));

function open(path: string): string {
  chmodSync(path, 0o755);
  return path;
}

/** Runs the program as a user without any files; as the same user if that is not possible. */
function asNobody(args: readonly string[]): Promise<Ended> {
  const rights = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nowhere" };
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  return ended(spawn(process.execPath, [readable, ...args], { stdio, env, ...rights }));
}

interface Closed {
  home: ChangingHome;
  /** The archive's folder and file. */
  place: string;
  archive: string;
  run: (...args: string[]) => Promise<Ended>;
}

/** A home and an archive that belong to another user. */
async function closedArchive(): Promise<Closed> {
  const above = open(folder());
  const home = new ChangingHome(above, 21);
  const place = join(above, "archive");
  mkdirSync(place);
  const archive = join(place, "archive.db");
  const common = ["--root", home.root, "--archive", archive];
  expect(await ended(start(["keep", ...common]))).toMatchObject({ code: 0, err: "" });
  return { home, place, archive, run: (...args) => asNobody([...args, ...common]) };
}

/** Makes the archive readable for all and writable for nobody but root. Returns its bytes. */
function close({ place }: Closed): Map<string, Buffer> {
  for (const name of readdirSync(place)) chmodSync(join(place, name), 0o444);
  chmodSync(place, 0o555);
  onTestFinished(() => chmodSync(place, 0o755));
  return bytesIn(place);
}

function bytesIn(place: string): Map<string, Buffer> {
  return new Map(readdirSync(place).map((name) => [name, readFileSync(join(place, name))]));
}

const AS_IT_WAS = /^pollux: The archive .* cannot be written to\. Answers show its state on 2/;
const NOT_WRITTEN =
  /^pollux: The archive .* cannot be written to\.\nMake it and its folder writable/;

function idsIn({ out }: Ended): string[] {
  const { sessions } = JSON.parse(out) as { sessions: { id: string }[] };
  return sessions.map(({ id }) => id).toSorted();
}

describe.skipIf(!isPossible)("a read-only archive", () => {
  test("answers queries with a note about its age", async () => {
    const closed = await closedArchive();
    const before = close(closed);
    const { run, place, home } = closed;
    const known = idsIn(await run("sessions", "--json", "--no-refresh"));
    expect(known).toHaveLength(12);
    home.change();
    for (const command of [
      ["sessions", "--json"],
      ["usage", "--json"],
      ["search", "answer1", "--json"],
      ["show", "latest", "--json"],
      ["doctor", "--json"],
      ["tools", "--json"],
    ]) {
      const result = await run(...command);
      expect(result, command.join(" ")).toMatchObject({ code: 0 });
      expect(result.err, command.join(" ")).toMatch(AS_IT_WAS);
      JSON.parse(result.out);
    }
    for (const what of ["stats", "verify"]) {
      expect(await run("archive", what, "--json"), what).toMatchObject({ code: 0, err: "" });
    }
    expect(idsIn(await run("sessions", "--json"))).toEqual(known);
    expect(await run("sessions", "--json", "--fresh")).toMatchObject({ code: 0, err: "" });
    expect(bytesIn(place)).toEqual(before);
  });

  test("reports texts that are not in the index instead of not finding them", async () => {
    const closed = await closedArchive();
    closed.home.change();
    // Only a search indexes texts: other commands leave that for later.
    const common = ["--root", closed.home.root, "--archive", closed.archive];
    expect(await ended(start(["sessions", ...common]))).toMatchObject({ code: 0 });
    const before = close(closed);
    const missed = /The text of \d+ sessions? is not indexed yet and was not searched/;
    for (const how of [[], ["--no-refresh"]]) {
      const result = await closed.run("search", "answer1", "--json", ...how);
      expect(result).toMatchObject({ code: 0 });
      expect(result.err).toMatch(missed);
    }
    expect((await closed.run("sessions", "--no-refresh")).err).toBe("");
    expect(bytesIn(closed.place)).toEqual(before);
  });

  test("is not changed by commands that write, and they report it", async () => {
    const closed = await closedArchive();
    const before = close(closed);
    closed.home.change();
    for (const command of [
      ["keep"],
      ["rebuild"],
      ["archive", "compact"],
      ["forget", "00000001", "--yes"],
    ]) {
      const result = await closed.run(...command);
      expect(result.code, command.join(" ")).toBe(1);
      expect(result.err.replace(/^.*Answers show its state.*\n/, ""), command.join(" ")).toMatch(
        NOT_WRITTEN,
      );
    }
    expect(bytesIn(closed.place)).toEqual(before);
  });

  test("includes changes that are only in its write-ahead log", async () => {
    const closed = await closedArchive();
    const writer = await openSqliteStore(closed.archive, { reader: READER_VERSION });
    onTestFinished(() => writer.close());
    await writer.addRoot({ source: "gemini-cli", path: "/home/ada/new", how: "asked" }, 1);
    const before = close(closed);
    const own = [...before.keys()].filter((name) => !name.includes(".texts."));
    expect(own).toEqual(["archive.db", "archive.db-shm", "archive.db-wal"]);
    const result = await closed.run("archive", "stats", "--json");
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(result.out).toContain("/home/ada/new");
    const keep = await closed.run("keep");
    expect(keep.code).toBe(1);
    expect(keep.err).toMatch(NOT_WRITTEN);
    expect(bytesIn(closed.place)).toEqual(before);
  });

  test("is refused if its write-ahead log cannot be read", async () => {
    const closed = await closedArchive();
    writeFileSync(`${closed.archive}-wal`, "something that was written last");
    const before = close(closed);
    const result = await closed.run("sessions");
    expect(result).toMatchObject({ code: 1, out: "" });
    expect(result.err).toMatch(/The latest changes are in .*-wal\.\nCopy both files/);
    expect(bytesIn(closed.place)).toEqual(before);
  });

  test("answers queries if only its folder is read-only", async () => {
    const closed = await closedArchive();
    const before = close(closed);
    chmodSync(closed.archive, 0o666);
    const result = await closed.run("sessions", "--json");
    expect(result).toMatchObject({ code: 0 });
    expect(result.err).toMatch(AS_IT_WAS);
    expect((await closed.run("keep")).err).toMatch(NOT_WRITTEN);
    expect(bytesIn(closed.place)).toEqual(before);
  });
});

describe.skipIf(!isPossible)("an archive without read permission", () => {
  test.each(["folder", "file"])("for its %s is reported, and --fresh avoids it", async (what) => {
    const { run, place, archive } = await closedArchive();
    chmodSync(what === "folder" ? place : archive, 0);
    onTestFinished(() => chmodSync(place, 0o755));
    for (const command of ["sessions", "keep", "doctor"]) {
      const result = await run(command);
      expect(result, command).toMatchObject({ code: 1, out: "" });
      expect(result.err).toMatch(/^pollux: Permission denied: .* or its folder\.\nAsk its owner/);
    }
    expect(await run("sessions", "--json", "--fresh")).toMatchObject({ code: 0, err: "" });
  });

  test("cannot be created in a read-only folder", async () => {
    const place = folder();
    chmodSync(place, 0o555);
    onTestFinished(() => chmodSync(place, 0o755));
    const result = await asNobody(["keep", "--archive", join(place, "another.db")]);
    expect(result).toMatchObject({ code: 1, out: "" });
    expect(result.err).toMatch(NOT_WRITTEN);
  });
});
