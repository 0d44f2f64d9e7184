import type { Database } from "../database.ts";
import { DAY_SCHEMA, DAY_TABLES } from "./day-buckets.ts";
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

/**
 * Indexes and tables that only speed up queries. This includes indexes on tables of the kept half,
 * which are not part of the kept data.
 *
 *     session_places    columns of session_details that describe where a session's files are
 *     shared_messages   hashes of message ids that occurred in several sessions; may include hashes
 *                       that no longer do
 */
const DERIVED_INDEXES = `
DROP INDEX IF EXISTS files_state;
CREATE INDEX files_state ON files (root, role, id, stream, size_bytes, gone_since_ms);
CREATE INDEX IF NOT EXISTS files_gone ON files (id) WHERE gone_since_ms IS NOT NULL;
CREATE INDEX readings_state
  ON readings (file, content, size_bytes, format, generation, is_read);
CREATE INDEX readings_odd ON readings (file) WHERE diagnostics IS NOT NULL;
CREATE INDEX sessions_by_kind ON sessions (source, kind, generations, project);
CREATE INDEX sessions_by_project
  ON sessions (project_name, project_path, project_hash, project_known_by, project);
CREATE INDEX sessions_newest ON sessions (coalesce(-last_ms, 0), id, source, kind);
CREATE INDEX tool_commands_by_name ON tool_commands (command, is_owner);
CREATE INDEX sessions_unrecorded ON sessions (source, id) WHERE unrecorded IS NOT NULL;
CREATE TABLE session_places (
  session INTEGER PRIMARY KEY,
  updated_at TEXT,
  files TEXT NOT NULL
);
CREATE TABLE shared_messages (hash INTEGER PRIMARY KEY);
CREATE TRIGGER replies_shared AFTER INSERT ON replies WHEN EXISTS (SELECT 1 FROM replies AS other
  WHERE other.message_hash = NEW.message_hash AND other.session <> NEW.session)
BEGIN
  INSERT OR IGNORE INTO shared_messages VALUES (NEW.message_hash);
END;
`;

const INDEX_TABLES = ["session_places", "shared_messages"] as const;
