import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyKept } from "../copy-kept.ts";
import type { Care, Store, StoreStats } from "../store.ts";
import { compactChunks, verifyChunks } from "./bytes/chunk-care.ts";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { DERIVED_TABLES } from "./derived/derived-schema.ts";
import { lock, recreateDerived } from "./migrations.ts";
import { dropLoose } from "./bytes/external-bytes.ts";

interface Access {
  /** Throws if the store is read-only. */
  mayWrite: () => void;
  whole: () => Store;
}

export function careOf(database: Database, { mayWrite, whole }: Access): Care {
  return {
    stats: async () => ({ ...(await statsOf(database)), roots: await whole().roots() }),
    originalBytes: async () => (await statsOf(database)).originalBytes,
    verify: (progress) => verifyChunks(database, progress),
    async compact(progress) {
      mayWrite();
      await compactChunks(database, progress);
    },
    async clearDerived() {
      mayWrite();
      await database.write(async (connection) => {
        await lock(connection, "commit");
        if (database.isActing) await clearRows(connection);
        else await recreateDerived(connection);
      });
    },
    // Autovacuum maintains indexes and statistics; only loose bytes remain to be removed.
    settle: () => dropLoose(database),
    // An SQLite archive is the format that machines exchange.
    exportTo: (path) =>
      withArchive(async (archive) => {
        await copyKept(whole(), archive);
        await archive.care.exportTo(path);
      }),
    async importFrom(path, nowMs) {
      mayWrite();
      // The archive rejects a damaged or newer file before anything is stored here.
      return withArchive(async (archive) => {
        await archive.care.importFrom(path, nowMs);
        return copyKept(archive, whole());
      });
    },
  };
}

/** Runs `work` with a temporary archive. */
async function withArchive<T>(work: (archive: Store) => Promise<T>): Promise<T> {
  const { openSqliteStore } = await import("../sqlite/store.ts");
  const folder = mkdtempSync(join(tmpdir(), "pollux-"));
  try {
    const archive = await openSqliteStore(join(folder, "archive.db"), { reader: 0 });
    try {
      return await work(archive);
    } finally {
      await archive.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes one person's derived rows; tables and other people's rows stay. */
async function clearRows(connection: Connection): Promise<void> {
  for (const table of DERIVED_TABLES) await connection.run(`DELETE FROM ${table}`);
  await connection.run("UPDATE roots SET snapshot = NULL");
}

async function statsOf(database: Database): Promise<Omit<StoreStats, "roots">> {
  const [row] = await database.all<StatsRow>(STATS);
  if (!row) throw new RangeError("PostgreSQL counted nothing.");
  const { total, gone, size, text_size, newest, original, distinct_size, stored, ...counts } = row;
  return {
    location: database.location,
    sizeBytes: size,
    files: { total, gone },
    ...counts,
    originalBytes: original,
    newestBytes: newest,
    distinctBytes: distinct_size,
    storedBytes: stored,
    textBytes: text_size,
  };
}

interface StatsRow {
  total: number;
  gone: number;
  versions: number;
  original: number;
  newest: number;
  chunks: number;
  distinct_size: number;
  stored: number;
  sessions: number;
  texts: number;
  forgotten: number;
  size: number;
  text_size: number;
}

const SIZE = `(SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::int8 FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`;

const STATS = `SELECT
  (SELECT count(*) FROM files) AS total,
  (SELECT count(*) FROM files WHERE gone_since_ms IS NOT NULL) AS gone,
  (SELECT count(*) FROM versions) AS versions,
  (SELECT coalesce(sum(size_bytes), 0) FROM versions) AS original,
  (SELECT coalesce(sum(size_bytes), 0) FROM files) AS newest,
  (SELECT count(*) FROM chunks) AS chunks,
  (SELECT coalesce(sum(size_bytes), 0)::int8 FROM chunks) AS distinct_size,
  (SELECT coalesce(sum(coalesce(packed_bytes, length(bytes))), 0)::int8 FROM chunks) AS stored,
  (SELECT count(*) FROM sessions) AS sessions,
  (SELECT count(*) FROM texts WHERE part = 0) AS texts,
  (SELECT count(*) FROM forgotten) AS forgotten,
  ${SIZE}) AS size,
  ${SIZE} AND (relname LIKE 'texts\\_%' OR relname = 'vocabulary')) AS text_size`;
