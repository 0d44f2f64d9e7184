import { hash } from "node:crypto";
import type { Database } from "../database.ts";
import { versionOf } from "../migrations.ts";

/** Exported rows other than the bytes, which have their own digests. */
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

/** Archives of earlier versions have no annotations. */
export const SINCE_ANNOTATIONS = 3;

/** Stores a digest of all exported rows; a changed name or number breaks it. */
export function seal(database: Database): void {
  const sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('seal', ?)";
  database.run(sql, sealOf(database));
}

/**
 * Checks the seal of an exported archive. An archive with derived rows was opened and may have
 * changed since, so its seal is ignored.
 */
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
    // Sorted, because the database's order may change.
    return [sql, ...rows.map((row) => JSON.stringify(Object.values(row))).toSorted()];
  });
  return hash("sha256", lines.join("\n"), "hex");
}
