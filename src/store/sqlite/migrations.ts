import type { Database } from "./database.ts";
import { ANNOTATIONS_TABLE } from "./schema.ts";

/**
 * Migrations of the kept half: the first one leads from version 1 to version 2, and so on. A
 * released migration is never changed. `test/fixtures/archives/` has an archive of every released
 * version.
 */
const migrations: readonly Migration[] = [
  // Digest of the whole content; unknown for versions kept before.
  (database) => database.exec("ALTER TABLE versions ADD COLUMN digest BLOB"),
  (database) => database.exec(ANNOTATIONS_TABLE),
  // The file's ctime; files without it are read again.
  (database) => database.exec("ALTER TABLE files ADD COLUMN changed_ms REAL"),
];

/** Changes the tables; runs once, inside a transaction. */
export type Migration = (database: Database) => void;

/** The schema version that this program writes. */
export function newestVersion(): number {
  return migrations.length + 1;
}

/**
 * Migrates an archive to the newest version. Each step is one transaction, so a crash leaves it
 * complete or not done.
 */
export function migrate(database: Database, steps: readonly Migration[] = migrations): void {
  for (;;) {
    const isDone = database.write(() => {
      // Checked inside the transaction: another process may have done the step.
      const version = versionOf(database);
      const step = steps[version - 1];
      if (!step) return true;
      step(database);
      database.exec(`PRAGMA user_version = ${version + 1}`);
      return false;
    });
    if (isDone) return;
  }
}

export function versionOf(database: Database): number {
  return database.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}
