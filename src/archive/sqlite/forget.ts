import type { ForgetWish } from "../archive.ts";
import { dropUnused } from "./compact.ts";
import type { Database } from "./database.ts";

/**
 * Removes files and sessions for good: bytes, rows and words. What is left is a note that they are
 * not to be taken in again. Freed pages are written over.
 */
export function forget(database: Database, { files, sessions, paths, nowMs }: ForgetWish): void {
  database.exec("PRAGMA secure_delete = ON");
  try {
    database.write(() => {
      for (const id of sessions) dropSession(database, id);
      for (const file of files) dropFile(database, file);
      dropUnused(database);
      const sql = "INSERT OR REPLACE INTO forgotten (kind, key, at_ms) VALUES (?, ?, ?)";
      for (const id of sessions) database.run(sql, "session", id, nowMs);
      for (const path of paths) database.run(sql, "file", path, nowMs);
    });
    // Words that were deleted stay in the index until it is merged.
    database.exec("INSERT INTO words(words) VALUES ('optimize')");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.exec("PRAGMA secure_delete = OFF");
  }
}

function dropSession(database: Database, id: string): void {
  const keys = "SELECT key FROM sessions WHERE id = ?";
  const texts = `SELECT id FROM texts WHERE session IN (${keys})`;
  database.run(`DELETE FROM words WHERE rowid IN (${texts})`, id);
  for (const table of ["texts", "usage_facts", "tool_facts", "memos", "replies"]) {
    database.run(`DELETE FROM ${table} WHERE session IN (${keys})`, id);
  }
  database.run("DELETE FROM sessions WHERE id = ?", id);
}

function dropFile(database: Database, file: number): void {
  const streams = "SELECT id FROM streams WHERE file = ?";
  for (const table of ["pieces", "versions"]) {
    database.run(`DELETE FROM ${table} WHERE stream IN (${streams})`, file);
  }
  database.run("DELETE FROM streams WHERE file = ?", file);
  database.run("DELETE FROM readings WHERE file = ?", file);
  database.run("DELETE FROM files WHERE id = ?", file);
}
