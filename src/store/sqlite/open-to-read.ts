import { accessSync, constants, statSync } from "node:fs";
import { PolluxError } from "../../core/error.ts";
import { Database } from "./database.ts";
import { notReadable, notWritable } from "./errors.ts";
import { newestVersion, versionOf } from "./migrations.ts";
import { older, refuseStrangers, stranger } from "./versions.ts";

/** Opens an archive that cannot be written to: on a read-only or full disk, or somebody else's. */
export function openToRead(path: string): Database {
  const database = connectToRead(path);
  try {
    refuseStrangers(database);
    if (versionOf(database) < newestVersion()) throw older(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Readers share memory with writers, in a file beside the archive. Where that is not there and
 * cannot be made, nobody writes either, and the archive is read as it lies; unless a log of what
 * was written last is there, which cannot be read without it.
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
  throw new PolluxError(code, `${message} What was kept last is in ${path}-wal.`, {
    remedy: "Copy both files to a folder that can be written to, and name it with --archive.",
  });
}

const NOT_WRITABLE = new Set(["archive-read-only", "disk-full"]);

/** What the archive holds can still be told. */
export function isNotWritable(error: unknown): boolean {
  return error instanceof PolluxError && NOT_WRITABLE.has(error.code);
}

export function isAllowed(path: string, what: "read" | "write"): boolean {
  try {
    accessSync(path, what === "read" ? constants.R_OK : constants.W_OK);
    return true;
  } catch {
    // Why not is told when it is opened.
    return false;
  }
}

/** Not there, and there but closed, look alike to a database. */
export function refuseForbidden(path: string): void {
  let there: ReturnType<typeof statSync>;
  try {
    there = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isClosed(error)) return;
    throw notReadable(path);
  }
  if (!there) return;
  if (there.isDirectory()) throw stranger(path, "a folder");
  if (!isAllowed(path, "read")) throw notReadable(path);
}

function isClosed(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EACCES" || code === "EPERM";
}
