import { accessSync, constants, statSync } from "node:fs";
import { codeOf, PolluxError } from "../../core/error.ts";
import { Database } from "./database.ts";
import { notReadable, notWritable } from "./errors.ts";
import { newestVersion, versionOf } from "./migrations.ts";
import { older, assertArchive, notAnArchive } from "./versions.ts";

/** Opens an archive that is not writable: on a read-only or full disk, or another user's. */
export function openToRead(path: string): Database {
  const database = connectToRead(path);
  try {
    assertArchive(database);
    if (versionOf(database) < newestVersion()) throw older(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * SQLite's readers and writers share memory through a file next to the archive. If it does not
 * exist and cannot be created, no process can write, and the archive is opened as immutable. A
 * non-empty write-ahead log prevents that: without the shared memory it cannot be read.
 */
export function connectToRead(path: string): Database {
  const database = new Database(path, "read");
  try {
    versionOf(database);
    return database;
  } catch (error) {
    database.close();
    if (!isNotWritable(error)) throw error;
  }
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return new Database(path, "still");
  const { code, message } = notWritable(path);
  throw new PolluxError(code, `${message} The latest changes are in ${path}-wal.`, {
    remedy: "Copy both files to a writable folder, and name it with --archive.",
  });
}

const NOT_WRITABLE = new Set(["archive-read-only", "disk-full"]);

/** Returns true for errors after which the archive can still be read. */
export function isNotWritable(error: unknown): boolean {
  return error instanceof PolluxError && NOT_WRITABLE.has(error.code);
}

export function isAllowed(path: string, what: "read" | "write"): boolean {
  try {
    accessSync(path, what === "read" ? constants.R_OK : constants.W_OK);
    return true;
  } catch {
    // Opening the file reports the reason.
    return false;
  }
}

/** SQLite reports missing and inaccessible files alike, so check first. */
export function refuseForbidden(path: string): void {
  let there: ReturnType<typeof statSync>;
  try {
    there = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isClosed(error)) return;
    throw notReadable(path);
  }
  if (!there) return;
  if (there.isDirectory()) throw notAnArchive(path, "a folder");
  if (!isAllowed(path, "read")) throw notReadable(path);
}

function isClosed(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes(codeOf(error) ?? "");
}
