import { randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { PolluxError } from "../../core/error.ts";
import { mayExist } from "../location.ts";
import { networkUnder } from "../network.ts";
import { Database } from "./database.ts";
import { notCreated } from "./errors.ts";
import { migrate, newestVersion, versionOf } from "./migrations.ts";
import { isAllowed, isNotWritable, openToRead, refuseForbidden } from "./open-to-read.ts";
import { APPLICATION_ID, KEPT_SCHEMA } from "./schema.ts";
import { assertArchive, notAnArchive } from "./versions.ts";

/** Opens or creates the file, and migrates it to the newest version. */
export function openDatabase(path: string): Database {
  refuseNetwork(path);
  refuseForbidden(path);
  makeFolder(path);
  const isNew = !existsSync(path) || !mayExist(path);
  if (!isNew && !isAllowed(path, "write")) return openToRead(path);
  try {
    return openToWrite(path, isNew ? "new" : "known");
  } catch (error) {
    if (!isNotWritable(error)) throw error;
    if (isNew) throw notCreated(path, error);
    // The file is writable but its folder is not: it can still be read.
    return openToRead(path);
  }
}

function openToWrite(path: string, file: "new" | "known"): Database {
  if (file === "new") makeFile(path);
  const database = new Database(path, "write");
  try {
    prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Creates the file readable by its owner only; SQLite gives its companion files the same mode. */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // Opening the database reports the reason.
  }
}

function prepare(database: Database): void {
  const version = versionOf(database);
  // Check before any pragma: setting the journal mode would already change a foreign file.
  if (version !== 0 || hasTables(database)) assertArchive(database);
  // The page size is fixed by the first write, including the journal mode.
  if (version === 0) database.exec("PRAGMA page_size = 8192");
  useWriteAhead(database);
  if (version === 0) create(database);
  assertArchive(database);
  if (versionOf(database) < newestVersion()) migrate(database);
}

/**
 * Uses write-ahead logging: readers continue while one process writes. A larger cache was not
 * faster, for queries or for ingest, because the operating system caches too.
 */
export function useWriteAhead(database: Database): void {
  writeAhead(database);
  database.exec(
    "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8192;" +
      "PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864;" +
      "PRAGMA wal_autocheckpoint = 4000",
  );
}

const TRIES = 200;
const WAIT_MS = 50;

/**
 * Retries, because two processes may start at once and SQLite's busy timeout does not apply to this
 * pragma.
 */
function writeAhead(database: Database): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let left = TRIES; ; left -= 1) {
    try {
      return database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (left === 0 || !(error instanceof PolluxError) || error.code !== "archive-busy") {
        throw error;
      }
      Atomics.wait(sleeper, 0, 0, WAIT_MS);
    }
  }
}

function create(database: Database): void {
  database.write(() => {
    // Another process may have created the tables meanwhile.
    if (versionOf(database) !== 0) return;
    if (hasTables(database)) throw notAnArchive(database.path);
    database.exec(KEPT_SCHEMA);
    database.run("INSERT INTO machines (uid, name) VALUES (?, ?)", randomUUID(), hostname());
    database.run("INSERT INTO meta (key, value) VALUES ('machine', '1')");
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${newestVersion()}`);
  });
}

function hasTables(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema LIMIT 1") !== undefined;
}

function refuseNetwork(path: string): void {
  const network = networkUnder(path, process.platform);
  if (network === undefined) return;
  throw new PolluxError(
    "archive-on-network",
    `The archive ${path} is on a network file system (${network}), where it could be damaged.`,
    { remedy: "Choose a folder on a local disk with --archive or POLLUX_HOME." },
  );
}

function makeFolder(path: string): void {
  try {
    makeFolders(dirname(path));
  } catch (error) {
    throw notCreated(path, error);
  }
}

/**
 * Creates folders one by one: Node's recursive mode never returns where nothing can be created
 * (`/proc`).
 */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(folder)) throw error;
  }
}
