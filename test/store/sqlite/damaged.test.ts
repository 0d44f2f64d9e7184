// @module-tag slow
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Driver } from "../../../src/store/sqlite/driver.ts";
import { ChangingHome } from "../changing-home.ts";
import { folder } from "../temporary-archives.ts";
import type { Ended } from "../program.ts";
import { ended, isBuilt, start } from "../program.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function cut(path: string, part: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * part)));
}

/** Overwrites whole pages. */
function spoil(path: string, pages: { from: number; count: number }): void {
  const bytes = readFileSync(path);
  const at = Math.floor((bytes.length * pages.from) / 8192) * 8192;
  writeFileSync(path, bytes.fill(0x5a, at, at + pages.count * 8192));
}

interface Kept {
  archive: string;
  run: (...args: string[]) => Promise<Ended>;
}

const base = mkdtempSync(join(tmpdir(), "pollux-damaged-"));
const home = new ChangingHome(base, 41);
beforeAll(async () => {
  const args = ["keep", "--root", home.root, "--archive", join(base, "archive.db")];
  if (isBuilt) await ended(start(args));
});
afterAll(() => rmSync(base, { recursive: true }));

/** A copy of the archive for each test to damage. */
function keptArchive(): Kept {
  const archive = join(folder(), "archive.db");
  copyFileSync(join(base, "archive.db"), archive);
  const run = (...args: string[]): Promise<Ended> => {
    return ended(start([...args, "--root", home.root, "--archive", archive]));
  };
  return { archive, run };
}

const DAMAGED =
  /^pollux: The archive .* is damaged, or is not an archive\.\nNothing was changed\. .*backup/;
const NEWER =
  /^pollux: The archive .* was written by a newer version of Pollux \(.*\)\. It was not changed\.\nUpdate/;
const WRONG = /^pollux: The archive .* has the version -?\d, which does not exist\..*\nRestore/;
const STRANGE = /^pollux: .* is a database, but not a Pollux archive\.\nChoose another path/;

const KINDS: [what: string, spoil: (path: string) => void, expected: RegExp][] = [
  ["whose first pages are damaged", (path) => spoil(path, { from: 0.0001, count: 6 }), DAMAGED],
  [
    "whose header is damaged",
    (path) => writeFileSync(path, readFileSync(path).fill(1, 0, 100)),
    DAMAGED,
  ],
  ["cut to a third", (path) => cut(path, 0.33), DAMAGED],
  ["cut to less than a page", (path) => cut(path, 0.001), DAMAGED],
  ["that is a text file", (path) => writeFileSync(path, "These are notes. ".repeat(200)), DAMAGED],
  ["of a newer version", (path) => change(path, "PRAGMA user_version = 7"), NEWER],
  [
    "with newer rows",
    (path) => change(path, "UPDATE meta SET value = '999.1' WHERE key = 'derived'"),
    NEWER,
  ],
  ["of version 0", (path) => change(path, "PRAGMA user_version = 0"), WRONG],
  ["of version -3", (path) => change(path, "PRAGMA user_version = -3"), WRONG],
  ["that is another database", (path) => change(path, "PRAGMA application_id = 7"), STRANGE],
];

describe.skipIf(!isBuilt)("an archive", () => {
  test.each(KINDS)("%s is reported and not changed", async (_, damage, expected) => {
    const { archive, run } = keptArchive();
    damage(archive);
    const before = readFileSync(archive);
    const commands = [["sessions"], ["keep"], ["archive", "verify"]];
    const refused = await Promise.all(commands.map((command) => run(...command)));
    for (const answer of refused) {
      expect(answer).toMatchObject({ code: 1, out: "" });
      expect(answer.err).toMatch(expected);
    }
    expect(readFileSync(archive).equals(before)).toBe(true);
    expect(await run("sessions", "--json", "--fresh")).toMatchObject({ code: 0, err: "" });
  });

  test("that is another program's database is not changed", async () => {
    const place = folder();
    const path = join(place, "songs.db");
    change(path, "CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('Gloria')");
    const before = readFileSync(path);
    const refused = await ended(start(["keep", "--archive", path]));
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(STRANGE);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("that is a folder is reported", async () => {
    const place = folder();
    mkdirSync(join(place, "archive.db"));
    const refused = await ended(start(["keep", "--archive", `${place}/`]));
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/archive\.db is a folder, but not a Pollux archive\.\nChoose/);
  });

  test("with a damaged page loses only that page, and verify reports it", async () => {
    const { archive, run } = keptArchive();
    change(archive, "VACUUM");
    // A page with chunks: they are the largest part.
    const database = new DatabaseSync(archive);
    const sql = "SELECT pageno FROM dbstat WHERE name = 'chunks' AND pagetype = 'leaf' LIMIT 1";
    const { pageno } = database.prepare(sql).get() as { pageno: number };
    database.close();
    const bytes = readFileSync(archive).fill(0x5a, (pageno - 1) * 8192, pageno * 8192);
    writeFileSync(archive, bytes);
    const verified = await run("archive", "verify");
    expect(verified).toMatchObject({ code: 1, err: "" });
    expect(verified.out).toMatch(/problems? in/);
    expect(await run("sessions", "--no-refresh")).toMatchObject({ code: 0, err: "" });
    const rebuilt = await run("rebuild", "--no-refresh");
    expect(rebuilt.err).toMatch(/could not be read: `pollux doctor`/);
  });

  test("without one of its tables is reported as damaged", async () => {
    const { archive, run } = keptArchive();
    change(archive, "DROP TABLE versions");
    const verified = await run("archive", "verify");
    expect(verified).toMatchObject({ code: 1, err: "" });
    expect(verified.out).toMatch(/is damaged: no such table: versions\./);
  });

  test("and the files beside it are readable only by their owner", async ({ skip }) => {
    if (process.platform === "win32") skip("rights are stored in another way there");
    const archive = join(folder(), "mine.db");
    const made = await ended(start(["keep", "--root", home.root, "--archive", archive]));
    expect(made).toMatchObject({ code: 0 });
    const database = new DatabaseSync(archive);
    database.exec("BEGIN IMMEDIATE; UPDATE meta SET value = value; COMMIT");
    const modes = ["", "-wal", "-shm"].map((end) => statSync(`${archive}${end}`).mode & 0o777);
    database.close();
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });
});
