/**
 * The derived half: everything read from the kept bytes. It can be deleted at any time and is
 * rebuilt. A change needs no migration, only a new `DERIVED_VERSION`.
 *
 *     readings     how each file was read (replaced contents have their negated number as id)
 *     sessions     one row per session with the columns to filter and sort by; the rest is JSON in
 *                  session_details, separate so that sums do not read it (`work` follows with the
 *                  texts, see core/rows/session-work.ts)
 *     replies      every paid reply of every session; `is_owner` in the session that it counts in
 *     buckets      replies summed by quarter of an hour and everything a price depends on
 *     tool_calls   every tool call, with the same ownership; tool_buckets has their sums
 *
 * `day-buckets.ts` has the sums of these by day.
 *
 * Copies of a reply or call are found by a digest: their ids are long, and an index on them would
 * be as large as the rows.
 *
 * The SQL is valid in PostgreSQL too, except for `WITHOUT ROWID`. There are no foreign keys: rows
 * of a session are removed together, and checks would only take time.
 */
export const DERIVED_SCHEMA = `
CREATE TABLE readings (
  file INTEGER PRIMARY KEY,
  content INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  format TEXT NOT NULL,
  generation TEXT NOT NULL,
  is_read INTEGER NOT NULL,
  keys TEXT NOT NULL,
  session_ids TEXT NOT NULL,
  diagnostics TEXT
);
CREATE INDEX readings_replaced ON readings (file) WHERE file < 0;
CREATE TABLE reading_keys (
  key TEXT NOT NULL,
  file INTEGER NOT NULL,
  PRIMARY KEY (key, file)
) WITHOUT ROWID;
CREATE INDEX keys_of_reading ON reading_keys (file);
CREATE TABLE snapshots (root INTEGER PRIMARY KEY, snapshot TEXT NOT NULL);
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  ledger_name TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  project TEXT NOT NULL,
  project_name TEXT NOT NULL,
  project_path TEXT,
  project_hash TEXT,
  project_known_by TEXT NOT NULL,
  path_separator TEXT NOT NULL,
  project_name_folded TEXT NOT NULL,
  project_folded TEXT NOT NULL,
  models_folded TEXT NOT NULL,
  title TEXT,
  title_folded TEXT,
  started_at TEXT,
  started_ms INTEGER,
  first_ms INTEGER,
  last_ms INTEGER,
  prompts INTEGER NOT NULL,
  tokens INTEGER,
  own_usage TEXT,
  copy_rank INTEGER NOT NULL,
  recorded_parent TEXT,
  recorded_call TEXT,
  parent TEXT,
  parent_call TEXT,
  top INTEGER NOT NULL,
  generations TEXT NOT NULL,
  origins TEXT,
  unrecorded TEXT,
  is_import INTEGER NOT NULL,
  is_indexed INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  UNIQUE (source, id)
);
CREATE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_time ON sessions (last_ms);
CREATE INDEX sessions_of_parent ON sessions (parent);
CREATE INDEX sessions_not_indexed ON sessions (last_ms) WHERE is_indexed = 0;
CREATE TABLE session_details (
  session INTEGER PRIMARY KEY,
  summary TEXT NOT NULL,
  facts TEXT NOT NULL,
  work TEXT
);
CREATE TABLE session_files (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  file INTEGER,
  root INTEGER,
  root_path TEXT NOT NULL,
  part TEXT NOT NULL,
  is_cleaned INTEGER NOT NULL,
  last_ms INTEGER,
  modified_ms REAL NOT NULL,
  gone_since_ms INTEGER,
  PRIMARY KEY (session, position)
) WITHOUT ROWID;
CREATE INDEX sessions_of_file ON session_files (file);
CREATE INDEX sessions_of_root ON session_files (root, session);
CREATE TABLE agent_calls (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  agent TEXT NOT NULL,
  call TEXT NOT NULL,
  PRIMARY KEY (session, position)
) WITHOUT ROWID;
CREATE INDEX agent_calls_by_agent ON agent_calls (agent);
CREATE TABLE replies (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  digest BLOB NOT NULL,
  reply TEXT NOT NULL,
  message TEXT,
  message_length INTEGER,
  message_hash INTEGER NOT NULL,
  ledger_key TEXT,
  time_ms INTEGER NOT NULL,
  is_own_time INTEGER NOT NULL,
  at_text TEXT,
  model TEXT,
  model_text TEXT,
  standing TEXT NOT NULL,
  reason TEXT,
  is_at_least INTEGER,
  purpose TEXT,
  tier TEXT,
  file INTEGER NOT NULL,
  file_path TEXT,
  line INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  input INTEGER NOT NULL,
  fresh INTEGER NOT NULL,
  cached INTEGER,
  cache_write_5m INTEGER,
  cache_write_1h INTEGER,
  output INTEGER NOT NULL,
  thoughts INTEGER,
  tool INTEGER,
  total INTEGER NOT NULL,
  web_searches INTEGER,
  remainder INTEGER NOT NULL,
  oddities TEXT,
  tools TEXT,
  servers TEXT,
  is_owner INTEGER NOT NULL,
  PRIMARY KEY (session, position)
) WITHOUT ROWID;
CREATE INDEX replies_by_digest ON replies (digest);
CREATE INDEX replies_by_message ON replies (message_hash);
CREATE INDEX replies_by_time ON replies (time_ms);
CREATE INDEX replies_copied ON replies (session) WHERE is_owner = 0;
CREATE INDEX replies_odd ON replies (session) WHERE oddities IS NOT NULL;
CREATE TABLE buckets (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  model TEXT,
  prompt_class INTEGER NOT NULL,
  tier TEXT,
  standing TEXT NOT NULL,
  purpose TEXT,
  requests INTEGER NOT NULL,
  at_least INTEGER NOT NULL,
  odd INTEGER NOT NULL,
  input INTEGER NOT NULL,
  fresh INTEGER NOT NULL,
  cached INTEGER,
  cache_write_5m INTEGER,
  cache_write_1h INTEGER,
  output INTEGER NOT NULL,
  thoughts INTEGER,
  tool INTEGER,
  total INTEGER NOT NULL,
  web_searches INTEGER
);
CREATE INDEX buckets_of_session ON buckets (session);
CREATE INDEX buckets_by_time ON buckets (quarter, session);
CREATE TABLE tool_names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  label TEXT NOT NULL,
  canonical TEXT NOT NULL,
  category TEXT NOT NULL,
  server TEXT NOT NULL,
  server_tool TEXT NOT NULL,
  UNIQUE (name, label, canonical, category, server, server_tool)
);
CREATE TABLE tool_calls (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  digest BLOB NOT NULL,
  tool INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  is_own_time INTEGER NOT NULL,
  outcome TEXT,
  duration_ms INTEGER,
  model TEXT,
  is_owner INTEGER NOT NULL,
  PRIMARY KEY (session, position)
) WITHOUT ROWID;
CREATE INDEX tool_calls_by_digest ON tool_calls (digest);
CREATE TABLE tool_buckets (
  session INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  tool INTEGER NOT NULL,
  model TEXT,
  calls INTEGER NOT NULL,
  success INTEGER NOT NULL,
  error INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  timed INTEGER NOT NULL,
  total_ms INTEGER NOT NULL,
  longest_ms INTEGER NOT NULL
);
CREATE INDEX tool_buckets_of_session ON tool_buckets (session);
CREATE TABLE tool_commands (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  call INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  model TEXT,
  command TEXT NOT NULL,
  is_owner INTEGER NOT NULL,
  PRIMARY KEY (session, position)
) WITHOUT ROWID;
CREATE TABLE tool_files (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  call INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  model TEXT,
  path TEXT NOT NULL,
  is_relative INTEGER NOT NULL,
  how TEXT NOT NULL,
  added_lines INTEGER,
  removed_lines INTEGER,
  is_owner INTEGER NOT NULL,
  PRIMARY KEY (session, position)
) WITHOUT ROWID;
`;

/** Time, and quarter of an hour, of rows without a known time. */
export const NO_TIME: number = Number.MIN_SAFE_INTEGER;

/** Tables whose rows are deleted with their session. */
export const OF_SESSIONS = [
  "session_details",
  "session_places",
  "session_files",
  "agent_calls",
  "replies",
  "buckets",
  "tool_calls",
  "tool_buckets",
  "tool_commands",
  "tool_files",
] as const;

export const DERIVED_TABLES: readonly string[] = [
  "readings",
  "reading_keys",
  "snapshots",
  "sessions",
  "tool_names",
  ...OF_SESSIONS,
];

/** Tables of old archives, to be dropped. */
export const EARLIER_TABLES: readonly string[] = [
  "looks",
  "usage_facts",
  "tool_facts",
  "revision",
  "answers",
  "skims",
  "memos",
  "repeated",
  "texts",
  "words",
  "word_parts",
  "word_blocks",
  "word_sessions",
];

/** The shape of the rows above; the first edition ended with 8. */
export const DERIVED_VERSION = 16;
