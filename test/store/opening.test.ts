import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import type { Driver } from "../../src/store/sqlite/driver.ts";
import { migrate, newestVersion, versionOf } from "../../src/store/sqlite/migrations.ts";
import { open } from "../../src/library/library.ts";
import { PolluxError } from "../../src/core/error.ts";
import { archiveAt, folder, READER } from "./places.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
const fixtures = join(import.meta.dirname, "../fixtures/archives");

function errorOf(work: () => unknown): PolluxError {
  try {
    work();
  } catch (error) {
    if (error instanceof PolluxError) return error;
    throw error;
  }
  throw new RangeError("It went well.");
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

describe("an archive", () => {
  test("is made where there is none, for its owner alone", () => {
    const path = join(folder(), "deep", "er", "archive.db");
    archiveAt(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  });

  test("is known to itself when it is opened again", () => {
    const path = join(folder(), "archive.db");
    const first = archiveAt(path);
    first.files.addRoot({ source: "test", path: "/home/ada/agent", how: "usual" }, 1);
    first.close();
    expect(archiveAt(path).files.roots()).toMatchObject([{ path: "/home/ada/agent" }]);
  });

  test("of a newer version is refused and not touched", () => {
    const path = join(folder(), "archive.db");
    archiveAt(path).close();
    change(path, `PRAGMA user_version = ${newestVersion() + 1}`);
    const before = readFileSync(path);
    const error = errorOf(() => openArchive(path, READER));
    expect(error.code).toBe("archive-newer");
    expect(error.message).toMatch(/newer Pollux/);
    expect(error.remedy).toMatch(/Update/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("with rows of a newer shape is refused", () => {
    const path = join(folder(), "archive.db");
    archiveAt(path).close();
    change(path, "UPDATE meta SET value = '999.1' WHERE key = 'derived'");
    expect(errorOf(() => openArchive(path, READER)).code).toBe("archive-newer");
  });

  test("with rows of a newer reader is used as it is; an older one's are thrown away", () => {
    const path = join(folder(), "archive.db");
    archiveAt(path).close();
    change(path, "INSERT INTO readings VALUES (1, 1, 1, NULL, 'unknown', '', 0, NULL, NULL)");
    const count = (reader: number): number => {
      const archive = openArchive(path, reader);
      const isThere = archive.rows.reading(1) !== undefined;
      archive.close();
      return isThere ? 1 : 0;
    };
    expect(count(READER)).toBe(1);
    expect(count(READER - 1)).toBe(1);
    expect(count(READER + 1)).toBe(0);
  });

  test("is no other database, and no other file", () => {
    const other = join(folder(), "other.db");
    change(other, "CREATE TABLE songs (title TEXT)");
    expect(errorOf(() => openArchive(other, READER)).code).toBe("archive-strange");
    const text = join(folder(), "notes.txt");
    writeFileSync(text, "These are notes. ".repeat(200));
    const error = errorOf(() => openArchive(text, READER));
    expect(error.code).toBe("archive-damaged");
    expect(readFileSync(text, "utf8")).toBe("These are notes. ".repeat(200));
  });

  test("with a damaged page tells so, and what is whole stays readable", () => {
    const path = join(folder(), "archive.db");
    const archive = archiveAt(path);
    const root = archive.files.addRoot(
      { source: "test", path: "/home/ada/agent", how: "usual" },
      1,
    );
    for (let n = 0; n < 40; n += 1) {
      const content = archive.files.prepare([Buffer.from(`${n} `.repeat(20_000 + n))]);
      const where = { path: `/home/ada/agent/${n}`, root: root.path, folder: "x" };
      const file = {
        ...where,
        role: "main",
        sizeBytes: 1,
        modifiedMs: 1,
        isCleaned: true,
      } as const;
      archive.files.keep(root, file, { content, how: "whole", isSettled: true, nowMs: 1 });
    }
    archive.care.compact(() => undefined);
    archive.close();
    const bytes = readFileSync(path);
    // The pages in the middle of the file hold chunks.
    bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8192);
    writeFileSync(path, bytes);
    const damaged = archiveAt(path);
    const { problems } = damaged.care.verify(() => undefined);
    expect(problems.length).toBeGreaterThan(0);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  // What a process without rights is told: see `no-rights.test.ts`.
  test("that must not be written says so", () => {
    const path = join(folder(), "archive.db");
    archiveAt(path).close();
    const readOnly = new Database(path, "read");
    for (const work of [
      () => readOnly.exec("DELETE FROM meta"),
      () => readOnly.write(() => undefined),
    ]) {
      const error = errorOf(work);
      expect(error.code).toBe("archive-read-only");
      expect(error.remedy).toMatch(/--fresh/);
    }
    readOnly.close();
  });

  test("cannot lie in a folder that cannot be made", () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const error = errorOf(() => openArchive(join(file, "archive.db"), READER));
    expect(error.code).toBe("archive-read-only");
    const nowhere = errorOf(() => openArchive("/proc/no/such/place/archive.db", READER));
    expect(nowhere.code).toBe("archive-read-only");
  });
});

/** A released archive, as somebody has it. */
function released(name: string): string {
  const path = join(folder(), "archive.db");
  copyFileSync(join(fixtures, name), path);
  chmodSync(path, 0o600);
  return path;
}

/** What every released archive holds: `scripts/make-archive-fixture.mjs` writes them. */
const REWOUND = "305fe996-7a06-4cff-8c2f-ff897f90637e";
const GONE = "0ac9048d";

describe("archives of released versions", () => {
  test.each(readdirSync(fixtures))("%s is brought up to date and answers", async (name) => {
    const environment = { homeDir: "/home/ada", env: {} };
    const library = open({ archive: released(name), refresh: "none", environment });
    const { sessions } = library.sessions();
    const [rewound, gone] = [REWOUND, GONE].map((id) => {
      return sessions.find((session) => session.id.startsWith(id));
    });
    const project = { name: "ledger", path: "/home/ada/projects/ledger" };
    expect(rewound).toMatchObject({ project, prompts: 4, goneSince: null });
    expect(gone).toMatchObject({ project, goneSince: "2026-09-21T15:13:20.000Z" });
    expect(sessions).toHaveLength(2);
    expect(library.versions(REWOUND).map(({ sizeBytes }) => sizeBytes)).toEqual([2644, 6763]);
    expect((await library.search("rewind OR ledger")).hits.length).toBeGreaterThan(0);
    const { care } = library.archive;
    expect(care.verify().problems).toEqual([]);
    expect(care.stats()).toMatchObject({ forgotten: 1, files: { total: 6, gone: 1 }, versions: 8 });
    const before = library.sessions();
    expect(library.archive.rebuild()).toBe(2);
    expect(library.sessions()).toEqual(before);
    care.compact();
    expect(care.verify().problems).toEqual([]);
    library.archive.close();
  });

  test.each(readdirSync(fixtures))("%s gets the tables that a new one has", (name) => {
    const tables = (path: string): unknown[] => {
      openArchive(path, READER).close();
      const database = new Database(path, "read");
      const sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
      const rows = database.all(sql);
      database.close();
      return rows;
    };
    expect(tables(released(name))).toEqual(tables(join(folder(), "new.db")));
  });

  test("there is one of each", () => {
    const versions = Array.from({ length: newestVersion() }, (_, at) => `version-${at + 1}.db`);
    expect(readdirSync(fixtures).toSorted()).toEqual(versions);
  });
});

describe("migrations", () => {
  test("are done one by one, each once, each whole", () => {
    const path = join(folder(), "archive.db");
    archiveAt(path).close();
    const database = new Database(path, "write");
    const done: string[] = [];
    const steps = [
      (one: Database): void => {
        one.exec("CREATE TABLE first (a)");
        done.push("first");
      },
      (one: Database): void => {
        one.exec("CREATE TABLE second (a)");
        if (done.length < 2) {
          done.push("stopped");
          throw new RangeError("stop");
        }
        done.push("second");
      },
    ];
    expect(() => migrate(database, steps)).toThrow("stop");
    expect(versionOf(database)).toBe(2);
    const tables = "SELECT name FROM sqlite_schema WHERE name IN ('first', 'second')";
    expect(database.all(tables)).toHaveLength(1);
    migrate(database, steps);
    migrate(database, steps);
    expect(done).toEqual(["first", "stopped", "second"]);
    expect(versionOf(database)).toBe(3);
    database.close();
  });
});
