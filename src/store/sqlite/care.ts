import type { Care, StoreStats } from "../store.ts";
import type { Chunks } from "./bytes/chunks.ts";
import { compact } from "./bytes/compact.ts";
import type { Database } from "./database.ts";
import { sizeOnDisk } from "./database.ts";
import { updateDayBuckets } from "./derived/day-buckets.ts";
import { recreateDerived } from "./derived/derived.ts";
import { exportTo } from "./export.ts";
import { importFrom } from "./import.ts";
import type { SqliteKeptFiles } from "./bytes/kept-files.ts";
import type { Texts } from "./texts/texts.ts";
import { verify } from "./bytes/verify.ts";

interface ChunkSums {
  chunks: number;
  distinct_bytes: number;
  stored_bytes: number;
}

/** All sums in one scan: the rows are spread out between the chunks' bytes. */
const CHUNK_SUMS = `SELECT count(*) AS chunks, coalesce(sum(size_bytes), 0) AS distinct_bytes,
  coalesce(sum(length(bytes)), 0) AS stored_bytes FROM chunks`;

/** Maintenance of the database files. */
export function careOf(
  database: Database,
  chunks: Chunks,
  { files, texts }: { files: SqliteKeptFiles; texts: Texts },
): Care {
  return {
    stats: async () => ({ ...statsOf(database, texts), roots: files.roots() }),
    originalBytes: async () => originalBytes(database),
    async settle() {
      texts.settle();
      database.write(() => updateDayBuckets(database));
      database.checkpoint();
    },
    verify: async (progress) => verify(database, progress),
    async compact(progress) {
      texts.compact();
      compact(database, chunks, progress);
    },
    async clearDerived() {
      database.write(() => recreateDerived(database));
      texts.clear();
    },
    exportTo: async (path) => exportTo(database, path),
    importFrom: async (path) => importFrom(database, path),
  };
}

function originalBytes(database: Database): number {
  const sql = "SELECT coalesce(sum(size_bytes), 0) AS n FROM versions";
  return database.get<{ n: number }>(sql)?.n ?? 0;
}

function statsOf(database: Database, texts: Texts): Omit<StoreStats, "roots"> {
  const number = (sql: string): number => database.get<{ n: number }>(sql)?.n ?? 0;
  const index = texts.stats();
  const chunks = database.get<ChunkSums>(CHUNK_SUMS);
  return {
    location: database.path,
    sizeBytes: sizeOnDisk(database.path) + index.sizeBytes,
    files: {
      total: number("SELECT count(*) AS n FROM files"),
      gone: number("SELECT count(*) AS n FROM files WHERE gone_since_ms IS NOT NULL"),
    },
    versions: number("SELECT count(*) AS n FROM versions"),
    chunks: chunks?.chunks ?? 0,
    originalBytes: originalBytes(database),
    newestBytes: number("SELECT coalesce(sum(size_bytes), 0) AS n FROM files"),
    distinctBytes: chunks?.distinct_bytes ?? 0,
    storedBytes: chunks?.stored_bytes ?? 0,
    textBytes: index.sizeBytes,
    sessions: number("SELECT count(*) AS n FROM sessions"),
    texts: index.texts,
    forgotten: number("SELECT count(*) AS n FROM forgotten WHERE kind = 'session'"),
  };
}
