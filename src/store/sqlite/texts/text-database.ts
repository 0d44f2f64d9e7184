import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { Access } from "../database.ts";
import { Database } from "../database.ts";
import { versionOf } from "../migrations.ts";
import { connectToRead, isNotWritable } from "../open-to-read.ts";
import { makeFile, useWriteAhead } from "../open.ts";
import { newer, notAnArchive } from "../versions.ts";

/**
 * The text index is a separate file next to the archive: it is the larger part of the derived data,
 * can be written while another thread writes rows, and can be deleted as a file
 * (docs/decisions/0027).
 *
 *     texts   one row per piece of text; ids fall with time
 *     words   the words of the texts, without the texts themselves
 */
const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE text_sessions (
  key INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  files TEXT NOT NULL,
  UNIQUE (source, id)
);
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  digest BLOB NOT NULL,
  message TEXT,
  role INTEGER NOT NULL,
  standing INTEGER NOT NULL,
  at_ms INTEGER,
  length INTEGER NOT NULL,
  places TEXT NOT NULL
);
CREATE INDEX texts_of_session ON texts (session);
CREATE VIRTUAL TABLE words USING fts5 (
  text, content = '', contentless_delete = 1, detail = full, tokenize = 'ascii'
);
INSERT INTO words (words, rank) VALUES ('hashsize', 8388608);
`;
const TABLES = ["meta", "text_sessions", "texts", "words"];

/** Version of the schema above. */
const VERSION = 2;
/** "PLTX" */
const APPLICATION_ID = 0x504c5458;

export function textsPath(archive: string): string {
  return `${archive.replace(/\.db$/, "")}.texts.db`;
}

/** Opens or creates the index of an archive; undefined if it may not be created. */
export function openTexts(archive: string, access: Access): Database | undefined {
  const path = textsPath(archive);
  const isThere = existsSync(path);
  if (access !== "write" && !isThere) return undefined;
  if (!isThere) makeFile(path);
  try {
    return prepared(access === "write" ? new Database(path, access) : connectToRead(path));
  } catch (error) {
    if (access !== "write" || !isThere || !isNotWritable(error)) throw error;
    return prepared(connectToRead(path));
  }
}

function prepared(database: Database): Database | undefined {
  try {
    return prepare(database) ? database : undefined;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: Database): boolean {
  refuseStrangers(database);
  if (database.access !== "write") return versionOf(database) === VERSION;
  if (versionOf(database) === 0) database.exec("PRAGMA page_size = 8192");
  useWriteAhead(database);
  if (versionOf(database) === VERSION) return true;
  database.write(() => {
    // Checked again inside the transaction: another thread may have created the tables.
    if (versionOf(database) !== VERSION) createTextTables(database);
  });
  return true;
}

/** Drops all tables and creates empty ones. */
export function createTextTables(database: Database): void {
  database.write(() => {
    for (const table of TABLES) database.exec(`DROP TABLE IF EXISTS ${table}`);
    database.exec(SCHEMA);
    database.run("INSERT INTO meta (key, value) VALUES ('uid', ?)", randomUUID());
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${VERSION}`);
  });
}

function refuseStrangers(database: Database): void {
  const id = database.get<{ application_id: number }>("PRAGMA application_id")?.application_id;
  const isEmpty = database.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined;
  if (!isEmpty && id !== APPLICATION_ID) throw notAnArchive(database.path);
  const version = versionOf(database);
  if (version > VERSION) throw newer(database.path, `a text index of version ${version}`);
}

/** Id of the index; it changes whenever the index is created anew. */
export function textsUid(database: Database): string {
  const sql = "SELECT value FROM meta WHERE key = 'uid'";
  return database.get<{ value: string }>(sql)?.value ?? "";
}
