/**
 * Indexes and tables that only speed up queries. They are built from existing rows: an archive
 * without them gets them when it is opened, and no file is read again. This includes indexes on
 * tables of the kept half, which are not part of the kept data.
 *
 *     session_places    columns of session_details that describe where a session's files are
 *     shared_messages   hashes of message ids that occurred in several sessions; may include hashes
 *                       that no longer do
 */
export const DERIVED_INDEXES = `
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
CREATE INDEX buckets_by_model ON buckets (model, session);
CREATE INDEX tool_commands_by_name ON tool_commands (command, is_owner);
CREATE INDEX sessions_unrecorded ON sessions (source, id) WHERE unrecorded IS NOT NULL;
CREATE TABLE session_places (
  session INTEGER PRIMARY KEY,
  updated_at TEXT,
  files TEXT NOT NULL
);
INSERT INTO session_places
  SELECT session, summary ->> '$.updatedAt', facts -> '$.files' FROM session_details;
CREATE TABLE shared_messages (hash INTEGER PRIMARY KEY);
INSERT INTO shared_messages SELECT message_hash FROM replies GROUP BY message_hash
  HAVING min(session) <> max(session);
CREATE TRIGGER replies_shared AFTER INSERT ON replies WHEN EXISTS (SELECT 1 FROM replies AS other
  WHERE other.message_hash = NEW.message_hash AND other.session <> NEW.session)
BEGIN
  INSERT OR IGNORE INTO shared_messages VALUES (NEW.message_hash);
END;
`;

export const INDEX_TABLES = ["session_places", "shared_messages"] as const;
