import { PolluxError } from "../../core/error.ts";
import { forgottenKey } from "../forgotten.ts";
import type { ForgetSelection } from "../store.ts";
import { dropUnused } from "./bytes/compact.ts";
import type { Database } from "./database.ts";
import { addUpAllDays } from "./derived/day-buckets.ts";
import { dropReading } from "./derived/readings.ts";
import { SessionWriter } from "./derived/write-sessions.ts";

/**
 * Permanently removes the bytes and rows of files and sessions, and notes that they must not be
 * kept again. Freed pages are overwritten. Pages freed by earlier changes may hold text of the same
 * sessions, so the whole file is rewritten.
 */
export function forget(database: Database, selection: ForgetSelection): void {
  const { files, sessions, rows = [], paths, nowMs } = selection;
  database.exec("PRAGMA secure_delete = ON");
  try {
    database.write(() => {
      const writer = new SessionWriter(database);
      for (const session of [...sessions, ...rows]) writer.drop(session);
      writer.finish();
      addUpAllDays(database);
      dropContents(database, files, nowMs);
      dropUnused(database);
      const sql = "INSERT OR REPLACE INTO forgotten (kind, key, at_ms) VALUES (?, ?, ?)";
      const own = "DELETE FROM annotations WHERE source = ? AND session = ?";
      for (const { source, id } of sessions) {
        database.run(sql, "session", forgottenKey({ source, id }), nowMs);
        database.run(own, source, id);
      }
      for (const path of paths) database.run(sql, "file", path, nowMs);
    });
    rewriteFile(database);
  } finally {
    database.exec("PRAGMA secure_delete = OFF");
  }
}

/** Frees empty pages and moves the write-ahead log into the file. */
export function rewriteFile(database: Database): void {
  vacuum(database);
  settle(database);
}

/** Pages freed by earlier changes stay in the file until VACUUM rewrites it. */
function vacuum(database: Database): void {
  try {
    database.exec("VACUUM");
  } catch (error) {
    if (!(error instanceof PolluxError)) throw error;
    throw new PolluxError(error.code, `${STILL_THERE} it could not be rewritten.`, {
      remedy: `${AGAIN} the disk has as much free space as its size and no process writes to it.`,
      cause: error,
    });
  }
}

/** Removed data stays in the file until the log is moved into it. */
function settle(database: Database): void {
  const state = database.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
  if (state?.busy !== 1) return;
  throw new PolluxError("archive-busy", `${STILL_THERE} another process is reading it.`, {
    remedy: `${AGAIN} it has finished.`,
  });
}

const STILL_THERE = "The sessions are forgotten, but their bytes are still in the file, because";
const AGAIN = "Run `pollux archive compact` when";

interface FileRow {
  id: number;
  stream: number;
}

/** A path may have held several sessions over time; other sessions' contents stay. */
function dropContents(database: Database, ids: readonly number[], nowMs: number): void {
  const meant = new Set(ids);
  const sql = `SELECT id, stream FROM files WHERE id = ?1
    UNION SELECT files.id, files.stream FROM streams JOIN files ON files.id = file
    WHERE streams.id = -?1`;
  const files = new Map(
    ids.flatMap((id) => database.all<FileRow>(sql, id)).map((file) => [file.id, file]),
  );
  for (const file of files.values()) dropOfFile(database, file, { meant, nowMs });
}

function dropOfFile(
  database: Database,
  { id, stream: newest }: FileRow,
  { meant, nowMs }: { meant: ReadonlySet<number>; nowMs: number },
): void {
  // A content without a session, or without anything new, may be an earlier state of this session.
  const sql = `SELECT streams.id, session_ids, is_read FROM streams
    LEFT JOIN readings ON readings.file = -streams.id WHERE streams.file = ?`;
  type Stream = { id: number; session_ids: string | null; is_read: number | null };
  const streams = database.all<Stream>(sql, id);
  const isMeant = (stream: Stream): boolean => {
    if (stream.id === newest) return meant.has(id);
    const isSilent = (stream.session_ids ?? "[]") === "[]" && stream.is_read !== 1;
    return isSilent || meant.has(-stream.id);
  };
  for (const stream of streams.filter(isMeant)) dropStream(database, stream.id);
  if (meant.has(id)) dropNewest(database, id, nowMs);
}

function dropStream(database: Database, stream: number): void {
  database.run("DELETE FROM pieces WHERE stream = ?", stream);
  database.run("DELETE FROM versions WHERE stream = ?", stream);
  database.run("DELETE FROM streams WHERE id = ?", stream);
  dropReading(database, -stream);
}

/** Makes the latest remaining content the newest one, marked as deleted from the disk. */
function dropNewest(database: Database, file: number, nowMs: number): void {
  dropReading(database, file);
  const sql = `SELECT stream, size_bytes, modified_ms FROM versions JOIN streams
    ON streams.id = stream WHERE file = ? ORDER BY modified_ms DESC, versions.id DESC LIMIT 1`;
  type Left = { stream: number; size_bytes: number; modified_ms: number };
  const left = database.get<Left>(sql, file);
  if (!left) {
    database.run("DELETE FROM files WHERE id = ?", file);
    return;
  }
  dropReading(database, -left.stream);
  const point = `UPDATE files SET stream = ?, size_bytes = ?, modified_ms = ?, inode = NULL,
    gone_since_ms = ? WHERE id = ?`;
  database.run(point, left.stream, left.size_bytes, left.modified_ms, nowMs, file);
}
