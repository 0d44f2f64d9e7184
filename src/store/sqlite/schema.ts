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
 * The kept half: precious, and only ever added to (`forget` alone takes away). Every change of it
 * needs a step in `migrations.ts`.
 *
 *     chunks    bytes under their digest, each once
 *     streams   the content of a file from one beginning on: pieces, one after the other
 *     annotations  what people put on sessions and messages; `message` and `tag` are empty where
 *               there is none, and what was taken away stays as a note of when
 *     versions  how far a stream reached when it was looked at, and the SHA-256 of all of it;
 *               a replaced file begins a new stream
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

/** "PLLX": tells our files from other databases. */
export const APPLICATION_ID = 0x504c4c58;
