import type { Care, ImportReport, Progress, StoreStats, VerifyReport } from "../store.ts";
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
export class SqliteCare implements Care {
  readonly #database: Database;
  readonly #chunks: Chunks;
  readonly #files: SqliteKeptFiles;
  readonly #texts: Texts;

  constructor(
    database: Database,
    chunks: Chunks,
    { files, texts }: { files: SqliteKeptFiles; texts: Texts },
  ) {
    this.#database = database;
    this.#chunks = chunks;
    this.#files = files;
    this.#texts = texts;
  }

  async stats(): Promise<StoreStats> {
    const number = (sql: string): number => this.#database.get<{ n: number }>(sql)?.n ?? 0;
    const texts = this.#texts.stats();
    const chunks = this.#database.get<ChunkSums>(CHUNK_SUMS);
    const { path } = this.#database;
    return {
      location: path,
      sizeBytes: sizeOnDisk(path) + texts.sizeBytes,
      files: {
        total: number("SELECT count(*) AS n FROM files"),
        gone: number("SELECT count(*) AS n FROM files WHERE gone_since_ms IS NOT NULL"),
      },
      versions: number("SELECT count(*) AS n FROM versions"),
      chunks: chunks?.chunks ?? 0,
      originalBytes: number("SELECT coalesce(sum(size_bytes), 0) AS n FROM versions"),
      newestBytes: number("SELECT coalesce(sum(size_bytes), 0) AS n FROM files"),
      distinctBytes: chunks?.distinct_bytes ?? 0,
      storedBytes: chunks?.stored_bytes ?? 0,
      textBytes: texts.sizeBytes,
      sessions: number("SELECT count(*) AS n FROM sessions"),
      texts: texts.texts,
      forgotten: number("SELECT count(*) AS n FROM forgotten WHERE kind = 'session'"),
      roots: this.#files.roots(),
    };
  }

  async settle(): Promise<void> {
    this.#texts.settle();
    this.#database.write(() => updateDayBuckets(this.#database));
    this.#database.checkpoint();
  }

  async verify(progress: Progress): Promise<VerifyReport> {
    return verify(this.#database, progress);
  }

  async compact(progress: Progress): Promise<void> {
    this.#texts.compact();
    compact(this.#database, this.#chunks, progress);
  }

  async clearDerived(): Promise<void> {
    this.#database.write(() => recreateDerived(this.#database));
    this.#texts.clear();
  }

  async exportTo(path: string): Promise<void> {
    exportTo(this.#database, path);
  }

  async importFrom(path: string): Promise<ImportReport> {
    return importFrom(this.#database, path);
  }
}
