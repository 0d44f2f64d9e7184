export const ANNOTATIONS_TABLE = `
CREATE TABLE annotations (
  source TEXT NOT NULL,
  session TEXT NOT NULL,
  message TEXT NOT NULL,
  kind TEXT NOT NULL,
  tag TEXT NOT NULL,
  text TEXT NOT NULL,
  text_sorted TEXT NOT NULL,
  is_set INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  PRIMARY KEY (source, session, message, kind, tag)
) WITHOUT ROWID;`;

/**
 * The kept half: precious and append-only (only `forget` removes). Every change needs a step in
 * `migrations.ts`.
 *
 *     chunks       bytes by digest, each stored once
 *     streams      one content of a file as a sequence of pieces; a replaced file starts a new
 * stream
 *     annotations  users' annotations; `message` and `tag` are empty if there is none; a removed
 *                  annotation stays as a row with the time of its removal
 *     versions     length of a stream when it was kept, and the SHA-256 of all its bytes up to
 * there
 */
export const KEPT_SCHEMA: string = `
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
  changed_ms REAL,
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
  kept_ms INTEGER NOT NULL,
  digest BLOB
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
${ANNOTATIONS_TABLE}
CREATE TABLE forgotten (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
`;

/** "PLLX": identifies Pollux archives among SQLite files. */
export const APPLICATION_ID = 0x504c4c58;
