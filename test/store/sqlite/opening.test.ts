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
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/store.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import type { Driver } from "../../../src/store/sqlite/driver.ts";
import { migrate, newestVersion, versionOf } from "../../../src/store/sqlite/migrations.ts";
import { PolluxError } from "../../../src/core/error.ts";
import { begin, keep } from "../../contracts/kept-samples.ts";
import { archiveAt, folder, READER } from "../temporary-archives.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
const fixtures = join(import.meta.dirname, "../../fixtures/archives");

function openArchive(path: string, reader: number): Promise<Store> {
  return openSqliteStore(path, { reader });
}

async function errorOf(work: () => unknown): Promise<PolluxError> {
  try {
    await work();
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
  test("is created if missing, accessible only by its owner", async () => {
    const path = join(folder(), "deep", "er", "archive.db");
    await (await archiveAt(path)).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  });

  test("has its data when it is opened again", async () => {
    const path = join(folder(), "archive.db");
    const first = await archiveAt(path);
    await first.addRoot({ source: "test", path: "/home/ada/agent", how: "usual" }, 1);
    await first.close();
    const roots = await (await archiveAt(path)).roots();
    expect(roots).toMatchObject([{ path: "/home/ada/agent" }]);
  });

  test("of a newer version is refused and not changed", async () => {
    const path = join(folder(), "archive.db");
    await (await archiveAt(path)).close();
    change(path, `PRAGMA user_version = ${newestVersion() + 1}`);
    const before = readFileSync(path);
    const error = await errorOf(() => openArchive(path, READER));
    expect(error.code).toBe("archive-newer");
    expect(error.message).toMatch(/newer version of Pollux/);
    expect(error.remedy).toMatch(/Update/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("with rows of a newer schema is refused", async () => {
    const path = join(folder(), "archive.db");
    await (await archiveAt(path)).close();
    change(path, "UPDATE meta SET value = '999.1' WHERE key = 'derived'");
    expect((await errorOf(() => openArchive(path, READER))).code).toBe("archive-newer");
  });

  test("with rows of a newer reader is used; rows of an older reader are deleted", async () => {
    const path = join(folder(), "archive.db");
    await (await archiveAt(path)).close();
    change(path, "INSERT INTO readings VALUES (1, 1, 1, 'lines', '', 0, '[]', '[]', NULL)");
    const count = async (reader: number): Promise<number> => {
      await (await openArchive(path, reader)).close();
      const database = new Database(path, "read");
      const rows = database.all("SELECT file FROM readings");
      database.close();
      return rows.length;
    };
    expect(await count(READER)).toBe(1);
    expect(await count(READER - 1)).toBe(1);
    expect(await count(READER + 1)).toBe(0);
  });

  test("is not mistaken for another database or file", async () => {
    const other = join(folder(), "other.db");
    change(other, "CREATE TABLE songs (title TEXT)");
    expect((await errorOf(() => openArchive(other, READER))).code).toBe("archive-strange");
    const text = join(folder(), "notes.txt");
    writeFileSync(text, "These are notes. ".repeat(200));
    const error = await errorOf(() => openArchive(text, READER));
    expect(error.code).toBe("archive-damaged");
    expect(readFileSync(text, "utf8")).toBe("These are notes. ".repeat(200));
  });

  test("with a damaged page is reported, and opens unchanged", async () => {
    const path = join(folder(), "archive.db");
    const archive = await archiveAt(path);
    const root = await begin(archive);
    for (let n = 0; n < 40; n += 1) {
      await keep(archive, root, { path: String(n), text: `${n} `.repeat(20_000 + n) });
    }
    await archive.care.compact(() => undefined);
    await archive.close();
    const bytes = readFileSync(path);
    // Pages in the middle of the file contain chunks.
    bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8192);
    writeFileSync(path, bytes);
    const damaged = await archiveAt(path);
    const { problems } = await damaged.care.verify(() => undefined);
    expect(problems.length).toBeGreaterThan(0);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  // For processes without permissions see `no-rights.test.ts`.
  test("opened read-only refuses writes with an error", async () => {
    const path = join(folder(), "archive.db");
    await (await archiveAt(path)).close();
    const readOnly = new Database(path, "read");
    for (const work of [
      () => readOnly.exec("DELETE FROM meta"),
      () => readOnly.write(() => undefined),
    ]) {
      const error = await errorOf(work);
      expect(error.code).toBe("archive-read-only");
      expect(error.remedy).toMatch(/--fresh/);
    }
    readOnly.close();
  });

  test("cannot be created if its folder cannot be", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const error = await errorOf(() => openArchive(join(file, "archive.db"), READER));
    expect(error.code).toBe("archive-not-created");
    const nowhere = await errorOf(() => openArchive("/proc/no/such/place/archive.db", READER));
    expect(nowhere.code).toBe("archive-not-created");
  });
});

/** A copy of an archive of a released version. */
function released(name: string): string {
  const path = join(folder(), "archive.db");
  copyFileSync(join(fixtures, name), path);
  chmodSync(path, 0o600);
  return path;
}

/** A session in every released archive; `scripts/make-archive-fixture.mjs` writes them. */
const REWOUND = "305fe996-7a06-4cff-8c2f-ff897f90637e";

describe("archives of released versions", () => {
  test.each(readdirSync(fixtures))("%s is migrated with all its bytes", async (name) => {
    const store = await archiveAt(released(name));
    const known = await store.known({});
    expect(known).toHaveLength(6);
    expect(known.filter(({ goneSinceMs }) => goneSinceMs !== undefined)).toHaveLength(1);
    const rewound = known.find(({ path }) => path.includes(REWOUND.slice(0, 8)));
    const versions = await store.versions(rewound?.id ?? 0);
    expect(versions.map(({ sizeBytes }) => sizeBytes)).toEqual([2644, 6763]);
    expect((await store.care.verify(() => undefined)).problems).toEqual([]);
    expect(await store.care.stats()).toMatchObject({ forgotten: 1, versions: 8 });
    // Rows of an older schema are gone; session files wait to be read again.
    expect((await store.sessions({ scope: "own", filter: {}, sort: "newest" })).total).toBe(0);
    expect((await store.unread()).length).toBeGreaterThan(1);
    await store.care.compact(() => undefined);
    expect((await store.care.verify(() => undefined)).problems).toEqual([]);
    expect(await store.known({})).toEqual(known);
  });

  test.each(readdirSync(fixtures))("%s gets the tables of a new archive", async (name) => {
    const tables = async (path: string): Promise<unknown[]> => {
      await (await openArchive(path, READER)).close();
      const database = new Database(path, "read");
      const sql = "SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name";
      const names = database.all(sql);
      const columns = database.all("SELECT * FROM versions LIMIT 0");
      database.close();
      return [...names, ...columns];
    };
    expect(await tables(released(name))).toEqual(await tables(join(folder(), "new.db")));
  });

  test("every version has a fixture", () => {
    const versions = Array.from({ length: newestVersion() }, (_, at) => `version-${at + 1}.db`);
    expect(readdirSync(fixtures).toSorted()).toEqual(versions);
  });
});

describe("migrations", () => {
  test("run one by one, each once and atomically", async () => {
    const path = join(folder(), "archive.db");
    await (await archiveAt(path)).close();
    const database = new Database(path, "write");
    const done: string[] = [];
    const steps = [
      (changed: Database): void => {
        changed.exec("CREATE TABLE first (a)");
        done.push("first");
      },
      (changed: Database): void => {
        changed.exec("CREATE TABLE second (a)");
        if (done.length < 2) {
          done.push("stopped");
          throw new RangeError("stop");
        }
        done.push("second");
      },
    ];
    database.exec("PRAGMA user_version = 1");
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
