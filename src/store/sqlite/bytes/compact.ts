import type { Chunks } from "./chunks.ts";
import { CHUNK_BYTES, pack, unpack } from "../../codec.ts";
import type { Database } from "../database.ts";
import type { Progress } from "../../store.ts";

/**
 * Makes the file as small as possible without losing a byte: removes unused chunks, merges the
 * small chunks of files that grew line by line, compresses all chunks at `small` effort, and frees
 * empty pages.
 */
export function compact(database: Database, chunks: Chunks, progress: Progress): void {
  const streams = scattered(database);
  const waiting = database.all<{ id: number }>("SELECT id FROM chunks WHERE effort <> 'small'");
  const total = streams.length + waiting.length;
  let done = 0;
  for (const stream of streams) {
    database.write(() => gather(database, chunks, stream));
    progress((done += 1), total);
  }
  dropUnused(database);
  for (const { id } of waiting) {
    database.write(() => repack(database, id));
    progress((done += 1), total);
  }
  database.exec("VACUUM");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  progress(total, total);
}

/** Removes chunks that no file uses, left by a process that was killed before its commit. */
export function dropUnused(database: Database): void {
  database.write(() => {
    database.exec("DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM pieces)");
  });
}

/** Streams with more chunks than their length needs. */
function scattered(database: Database): number[] {
  const sql = `SELECT stream FROM pieces JOIN chunks ON chunks.id = pieces.chunk
    GROUP BY stream HAVING count(*) > 1 + (sum(size_bytes) - 1) / ?`;
  return database.all<{ stream: number }>(sql, CHUNK_BYTES).map(({ stream }) => stream);
}

function gather(database: Database, chunks: Chunks, stream: number): void {
  const sql = `SELECT coalesce(sum(size_bytes), 0) AS n FROM pieces
    JOIN chunks ON chunks.id = pieces.chunk WHERE stream = ?`;
  const sizeBytes = database.get<{ n: number }>(sql, stream)?.n ?? 0;
  const whole = chunks.bytesOf(stream, { path: database.path, sizeBytes });
  const ready = chunks.prepare(whole.chunks());
  database.run("DELETE FROM pieces WHERE stream = ?", stream);
  let start = 0;
  for (const chunk of ready.chunks) {
    const values = [stream, start, chunks.add(chunk)] as const;
    database.run("INSERT INTO pieces (stream, start, chunk) VALUES (?, ?, ?)", ...values);
    start += chunk.sizeBytes;
  }
}

function repack(database: Database, id: number): void {
  const sql = "SELECT codec, bytes FROM chunks WHERE id = ?";
  const row = database.get<{ codec: string; bytes: Uint8Array }>(sql, id);
  // The chunk was merged above.
  if (!row) return;
  const { codec, stored } = pack(unpack(row.codec, row.bytes, database.path), "small");
  const isSmaller = stored.length < row.bytes.length;
  const values = isSmaller ? ([codec, stored] as const) : ([row.codec, row.bytes] as const);
  const update = "UPDATE chunks SET codec = ?, bytes = ?, effort = 'small' WHERE id = ?";
  database.run(update, ...values, id);
}
