import type { Database } from "../database.ts";
import { DAY_SCHEMA, DAY_TABLES } from "./day-buckets.ts";
import { DERIVED_INDEXES, INDEX_TABLES } from "./derived-indexes.ts";
import { newer, older } from "../versions.ts";
import {
  DERIVED_SCHEMA,
  DERIVED_TABLES,
  DERIVED_VERSION,
  EARLIER_TABLES,
} from "./derived-schema.ts";

/**
 * Makes sure that the derived half has the current schema and was read by a reader at least as new
 * as `reader`. Returns `made-new` if it is empty and must be rebuilt from the bytes.
 */
export function openDerived(database: Database, reader: number): "unchanged" | "made-new" {
  const isGood = (): boolean => isUsable(database, stampOf(database), reader);
  if (isGood()) return "unchanged";
  if (database.access !== "write") {
    // Rows of an older reader may lack something, but they are correct.
    if (stampOf(database).shape === DERIVED_VERSION) return "unchanged";
    throw older(database.path);
  }
  return database.write(() => {
    // Another process may have rebuilt it meanwhile.
    if (isGood()) return "unchanged";
    recreateDerived(database);
    const sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('derived', ?)";
    database.run(sql, `${DERIVED_VERSION}.${reader}`);
    return "made-new";
  });
}

/** Drops all derived tables and creates empty ones. */
export function recreateDerived(database: Database): void {
  const triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger'";
  for (const { name } of database.all<{ name: string }>(triggers)) {
    database.exec(`DROP TRIGGER ${name}`);
  }
  for (const table of [...INDEX_TABLES, ...DAY_TABLES, ...DERIVED_TABLES, ...EARLIER_TABLES]) {
    database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
  database.exec(DERIVED_SCHEMA + DERIVED_INDEXES + DAY_SCHEMA);
}

interface Stamp {
  shape: number;
  reader: number;
}

function stampOf(database: Database): Stamp {
  const sql = "SELECT value FROM meta WHERE key = 'derived'";
  const [shape = 0, reader = 0] = (database.get<{ value: string }>(sql)?.value ?? "0.0")
    .split(".")
    .map(Number);
  return { shape, reader };
}

/** Rows of a newer reader are fine; rows of another schema version cannot be read. */
function isUsable(database: Database, { shape, reader }: Stamp, own: number): boolean {
  if (shape > DERIVED_VERSION) throw newer(database.path, `rows of version ${shape}`);
  return shape === DERIVED_VERSION && reader >= own;
}
