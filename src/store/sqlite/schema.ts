/**
 * The kept half: precious, and only ever added to (`forget` alone takes away). Every change of it
 * needs a step in `migrations.ts`.
 *
 *     chunks    bytes under their digest, each once
 *     streams   the content of a file from one beginning on: pieces, one after the other
 *     versions  how far a stream reached when it was looked at; a replaced file begins a new stream
 */
export const KEPT_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE machines (id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE roots (
  id INTEGER PRIMARY KEY,
  machine INTEGER NOT NULL REFERENCES machines,
  source TEXT NOT NULL,
  path TEXT NOT NULL,
  how TEXT NOT NULL,
  looked_ms INTEGER NOT NULL,
  diagnostics TEXT NOT NULL DEFAULT '[]',
  UNIQUE (machine, source, path)
);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  root INTEGER NOT NULL REFERENCES roots,
  path TEXT NOT NULL,
  role TEXT NOT NULL,
  folder TEXT NOT NULL,
  parent TEXT,
  is_cleaned INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  inode INTEGER,
  is_settled INTEGER NOT NULL,
  stream INTEGER NOT NULL,
  first_seen_ms INTEGER NOT NULL,
  last_seen_ms INTEGER NOT NULL,
  gone_since_ms INTEGER,
  UNIQUE (root, path)
);
CREATE TABLE streams (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES files
);
CREATE INDEX streams_of_file ON streams (file);
CREATE TABLE versions (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES streams,
  size_bytes INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  kept_ms INTEGER NOT NULL
);
CREATE INDEX versions_of_stream ON versions (stream);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  size_bytes INTEGER NOT NULL,
  codec TEXT NOT NULL,
  effort TEXT NOT NULL,
  bytes BLOB NOT NULL
);
CREATE TABLE pieces (
  stream INTEGER NOT NULL REFERENCES streams,
  start INTEGER NOT NULL,
  chunk INTEGER NOT NULL REFERENCES chunks,
  PRIMARY KEY (stream, start)
) WITHOUT ROWID;
CREATE INDEX pieces_of_chunk ON pieces (chunk);
CREATE TABLE forgotten (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
`;

/**
 * The derived half: what was read from the kept bytes. It may be thrown away at any time and is
 * made again; a change of it needs no migration, only another `DERIVED_VERSION`.
 */
export const DERIVED_SCHEMA: string = `
CREATE TABLE readings (
  file INTEGER PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  stream INTEGER NOT NULL,
  session TEXT,
  format TEXT NOT NULL,
  generation TEXT NOT NULL,
  is_read INTEGER NOT NULL,
  diagnostics TEXT,
  leftover TEXT
);
CREATE INDEX readings_of_session ON readings (session);
CREATE INDEX readings_replaced ON readings (file) WHERE file < 0 AND is_read = 1;
CREATE TABLE looks (root INTEGER PRIMARY KEY, stamp TEXT NOT NULL);
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  scope TEXT NOT NULL,
  root INTEGER,
  has_text INTEGER NOT NULL DEFAULT 0,
  project TEXT NOT NULL,
  summary TEXT NOT NULL,
  rest TEXT NOT NULL,
  agent_calls TEXT,
  clues TEXT NOT NULL,
  UNIQUE (id, scope)
);
CREATE INDEX sessions_without_text ON sessions (root) WHERE has_text = 0;
CREATE TABLE usage_facts (session INTEGER PRIMARY KEY, facts TEXT NOT NULL);
CREATE TABLE tool_facts (session INTEGER PRIMARY KEY, facts TEXT NOT NULL);
CREATE TABLE revision (number INTEGER NOT NULL);
INSERT INTO revision VALUES (1);
CREATE TABLE answers (
  question TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE skims (number INTEGER PRIMARY KEY, name TEXT NOT NULL, sums TEXT NOT NULL);
CREATE TABLE memos (
  session INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (session, name)
) WITHOUT ROWID;
CREATE TABLE replies (
  number INTEGER NOT NULL,
  session INTEGER NOT NULL,
  PRIMARY KEY (number, session)
) WITHOUT ROWID;
CREATE INDEX replies_of_session ON replies (session);
CREATE TABLE repeated (number INTEGER PRIMARY KEY);
CREATE TABLE texts (
  session INTEGER NOT NULL,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  pieces TEXT NOT NULL,
  PRIMARY KEY (session, first)
);
CREATE TABLE word_parts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  size_bytes INTEGER NOT NULL,
  length INTEGER NOT NULL,
  newest INTEGER NOT NULL,
  texts BLOB NOT NULL,
  firsts TEXT NOT NULL
);
CREATE TABLE word_blocks (id INTEGER PRIMARY KEY, words BLOB NOT NULL, positions BLOB NOT NULL);
CREATE TABLE word_sessions (
  part INTEGER NOT NULL,
  session INTEGER NOT NULL,
  PRIMARY KEY (part, session)
) WITHOUT ROWID;
CREATE INDEX word_parts_of_session ON word_sessions (session);
${revisionTriggers()}
`;

/** Whatever changes in these tables may change an answer; `has_text`, looks and memos do not. */
function revisionTriggers(): string {
  const columns = "id, scope, root, project, summary, rest, agent_calls, clues";
  const watched = [
    ["roots", "UPDATE OF how, path, diagnostics"],
    ["files", "UPDATE"],
    ["readings", "UPDATE"],
    ["sessions", `UPDATE OF ${columns}`],
  ] as const;
  const triggers = watched.flatMap(([table, update]) =>
    ["INSERT", "DELETE", update].map((change) => {
      const name = `${table}_${change.slice(0, 6).toLowerCase()}_is_news`;
      return `CREATE TRIGGER ${name} AFTER ${change} ON ${table}
        BEGIN UPDATE revision SET number = number + 1; END;`;
    }),
  );
  return triggers.join("\n");
}

export const DERIVED_TABLES = [
  "readings",
  "looks",
  "sessions",
  "usage_facts",
  "tool_facts",
  "revision",
  "answers",
  "skims",
  "memos",
  "replies",
  "repeated",
  "texts",
  // Of an older shape.
  "words",
  "word_parts",
  "word_blocks",
  "word_sessions",
] as const;

/** Tables with rows that go with their session. */
export const OF_SESSIONS = [
  "texts",
  "usage_facts",
  "tool_facts",
  "memos",
  "replies",
  "word_sessions",
] as const;

/** The shape of the rows above. */
export const DERIVED_VERSION = 8;

/** "PLLX": tells our files from other databases. */
export const APPLICATION_ID = 0x504c4c58;
