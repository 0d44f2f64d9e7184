import type { Database } from "./database.ts";
import { ANNOTATIONS_TABLE } from "./schema.ts";

/**
 * Steps of the kept half: the first one leads from version 1 to version 2, and so on. A released
 * step is never changed. `test/fixtures/archives/` holds an archive of every released version.
 */
export const migrations: readonly Migration[] = [
  // The digest of a whole content; of what was kept before, it is not known.
  (database) => database.exec("ALTER TABLE versions ADD COLUMN digest BLOB"),
  (database) => database.exec(ANNOTATIONS_TABLE),
  // When the file system noted the last change; a file of which it is not known is read again.
  (database) => database.exec("ALTER TABLE files ADD COLUMN changed_ms REAL"),
];

/** Changes the tables; runs inside of a transaction, once. */
export type Migration = (database: Database) => void;

/** The version that this program writes. */
export function newestVersion(steps: readonly Migration[] = migrations): number {
  return steps.length + 1;
}

/** Brings an archive up to date. Each step is whole: a crash leaves the version before or after. */
export function migrate(database: Database, steps: readonly Migration[] = migrations): void {
  for (;;) {
    const isDone = database.write(() => {
      // Asked inside: another process may have done the step meanwhile.
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
