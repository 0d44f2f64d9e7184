import { hash } from "node:crypto";
import type { Database } from "./database.ts";
import { versionOf } from "./migrations.ts";

/** What is moved besides the bytes, which have digests of their own. */
const SEALED: readonly string[] = [
  "SELECT * FROM machines",
  "SELECT * FROM roots",
  "SELECT * FROM files",
  "SELECT * FROM streams",
  "SELECT * FROM versions",
  "SELECT id, hex(digest), size_bytes, codec FROM chunks",
  "SELECT * FROM pieces",
  "SELECT * FROM forgotten",
];

/** Archives of earlier versions have none. */
export const SINCE_ANNOTATIONS = 3;

/** Closes an archive that is moved: a name or a number that is not what it was breaks the seal. */
export function seal(database: Database): void {
  const sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('seal', ?)";
  database.run(sql, sealOf(database));
}

/** Once it was opened to work with, rows were made in it, and it may have changed since. */
export function isSealBroken(database: Database): boolean {
  const sql = `SELECT value FROM meta WHERE key = 'seal'
    AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'derived')`;
  const sealed = database.get<{ value: string }>(sql)?.value;
  return sealed !== undefined && sealed !== sealOf(database);
}

function sealOf(database: Database): string {
  const isOld = versionOf(database) < SINCE_ANNOTATIONS;
  const sealed = isOld ? SEALED : [...SEALED, "SELECT * FROM annotations"];
  const lines = sealed.flatMap((sql) => {
    const rows = [...database.each<Record<string, string | number | null>>(sql)];
    // In an order of their own: that of the database may change.
    return [sql, ...rows.map((row) => JSON.stringify(Object.values(row))).toSorted()];
  });
  return hash("sha256", lines.join("\n"), "hex");
}
