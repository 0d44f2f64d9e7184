import { PolluxError } from "../../core/error.ts";
import type { Database } from "./database.ts";
import { MOVE_ASIDE } from "./errors.ts";
import { newestVersion, versionOf } from "./migrations.ts";
import { APPLICATION_ID } from "./schema.ts";

/** Throws for other databases, and for archives of a newer Pollux. */
export function assertArchive(database: Database): void {
  const id = database.get<{ application_id: number }>("PRAGMA application_id")?.application_id;
  if (id !== APPLICATION_ID) throw notAnArchive(database.path);
  const version = versionOf(database);
  if (version < 1) throw wrongVersion(database.path, version);
  if (version <= newestVersion()) return;
  throw newer(database.path, `version ${version}; this Pollux reads up to ${newestVersion()}`);
}

export function newer(path: string, what: string): PolluxError {
  return new PolluxError(
    "archive-newer",
    `The archive ${path} was written by a newer version of Pollux (${what}). It was not changed.`,
    { remedy: "Update Pollux, or use --fresh to answer directly from disk." },
  );
}

export function notAnArchive(path: string, what = "a database"): PolluxError {
  return new PolluxError("archive-strange", `${path} is ${what}, but not a Pollux archive.`, {
    remedy: "Choose another path with --archive or POLLUX_HOME.",
  });
}

function wrongVersion(path: string, version: number): PolluxError {
  return new PolluxError(
    "archive-damaged",
    `The archive ${path} has the version ${version}, which does not exist. ` +
      "It was not changed.",
    { remedy: MOVE_ASIDE },
  );
}

/** The archive needs a migration but is not writable. */
export function older(path: string): PolluxError {
  return new PolluxError(
    "archive-older",
    `The archive ${path} was written by an older version of Pollux and must be migrated, ` +
      "but it is not writable.",
    { remedy: "Make it and its folder writable, or use --fresh to answer directly from disk." },
  );
}
