import type { Care, ImportReport, Progress, Store, StoreStats, VerifyReport } from "../store.ts";
import { exportArchive, importArchive } from "./archive-file.ts";
import { compactChunks, verifyChunks } from "./bytes/chunk-care.ts";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { DERIVED_TABLES } from "./derived/derived-schema.ts";
import { readOnly } from "./errors.ts";
import { lock, recreateDerived } from "./migrations.ts";
import { dropLoose } from "./bytes/external-bytes.ts";

interface Looked {
  database: Database;
  mode: "write" | "read";
  whole: Store;
}

export class PostgresCare implements Care {
  readonly #store: Looked;

  constructor(store: Looked) {
    this.#store = store;
  }

  async stats(): Promise<StoreStats> {
    const { database, whole } = this.#store;
    const [row] = await database.all<StatsRow>(STATS);
    if (!row) throw new RangeError("PostgreSQL counted nothing.");
    const { total, gone, size, text_size, newest, original, distinct_size, stored, ...counts } =
      row;
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
      roots: await whole.roots(),
    };
  }

  async verify(progress: Progress): Promise<VerifyReport> {
    return verifyChunks(this.#store.database, progress);
  }

  async compact(progress: Progress): Promise<void> {
    this.#mayWrite();
    await compactChunks(this.#store.database, progress);
  }

  async clearDerived(): Promise<void> {
    this.#mayWrite();
    await this.#store.database.write(async (connection) => {
      await lock(connection, "commit");
      if (this.#store.database.isActing) await clearRows(connection);
      else await recreateDerived(connection);
    });
  }

  /** Autovacuum maintains indexes and statistics; only loose bytes remain to be removed. */
  async settle(): Promise<void> {
    await dropLoose(this.#store.database);
  }

  async exportTo(path: string): Promise<void> {
    await exportArchive(this.#store.whole, path);
  }

  async importFrom(path: string, nowMs: number): Promise<ImportReport> {
    this.#mayWrite();
    return importArchive(this.#store.whole, path, nowMs);
  }

  #mayWrite(): void {
    if (this.#store.mode === "read") throw readOnly(this.#store.database.location);
  }
}

/** Deletes one person's derived rows; tables and other people's rows stay. */
async function clearRows(connection: Connection): Promise<void> {
  for (const table of DERIVED_TABLES) await connection.run(`DELETE FROM ${table}`);
  await connection.run("UPDATE roots SET snapshot = NULL");
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
