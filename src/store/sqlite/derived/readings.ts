import { relativePath } from "../../paths.ts";
import type { FileReading } from "../../store.ts";
import type { Database } from "../database.ts";
import { insertInto } from "../sql.ts";

const INSERT = insertInto("readings", [
  "file",
  "content",
  "size_bytes",
  "format",
  "generation",
  "is_read",
  "keys",
  "session_ids",
  "diagnostics",
]);

interface Content {
  file: number;
  content: number;
  size_bytes: number;
}

/** Replaces the reading of a file. Call inside a transaction. */
export function putReading(database: Database, reading: FileReading): void {
  const { file, content, size_bytes: size } = contentOf(database, reading);
  dropReading(database, file);
  const { format, generation, isRead, keys, sessionIds, diagnostics } = reading;
  database.run(
    INSERT,
    file,
    content,
    size,
    format,
    generation,
    isRead ? 1 : 0,
    JSON.stringify(keys),
    JSON.stringify(sessionIds),
    diagnostics.length === 0 ? null : JSON.stringify(diagnostics),
  );
  for (const key of new Set(keys)) {
    database.run("INSERT INTO reading_keys (key, file) VALUES (?, ?)", key, file);
  }
}

export function dropReading(database: Database, file: number): void {
  database.run("DELETE FROM readings WHERE file = ?", file);
  database.run("DELETE FROM reading_keys WHERE file = ?", file);
}

/** The newest content of a file, or a replaced one (with a negative id). */
function contentOf(database: Database, { rootId, path, content }: FileReading): Content {
  const root = database.get<{ path: string }>("SELECT path FROM roots WHERE id = ?", rootId);
  const newest = `SELECT id AS file, stream AS content, size_bytes FROM files
    WHERE root = ? AND path = ?`;
  const below = relativePath(root?.path ?? "", path);
  const file = database.get<Content>(newest, rootId, below);
  if (file && (content ?? file.content) === file.content) return file;
  const replaced = `SELECT -streams.id AS file, streams.id AS content,
    (SELECT max(size_bytes) FROM versions WHERE stream = streams.id) AS size_bytes
    FROM streams WHERE id = ?`;
  const found = database.get<Content>(replaced, content ?? 0);
  if (!found) throw new RangeError(`A file was read and is not kept: ${path}`);
  return found;
}
