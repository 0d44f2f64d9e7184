import { statSync } from "node:fs";
import type { ArchiveStats, Care, ForgetWish, ImportAnswer, VerifyAnswer } from "../archive.ts";
import type { Chunks } from "./chunks.ts";
import { compact } from "./compact.ts";
import type { Database } from "./database.ts";
import { BUSY_TIMEOUT_MS } from "./database.ts";
import { exportTo } from "./export.ts";
import { forget } from "./forget.ts";
import { importFrom } from "./import.ts";
import type { SqliteKeptFiles } from "./kept-files.ts";
import { verify } from "./verify.ts";

type Progress = (done: number, total: number) => void;

/** Looking after the file itself. */
export class SqliteCare implements Care {
  readonly #database: Database;
  readonly #files: SqliteKeptFiles;
  readonly #chunks: Chunks;

  constructor(database: Database, files: SqliteKeptFiles, chunks: Chunks) {
    this.#database = database;
    this.#files = files;
    this.#chunks = chunks;
  }

  stats(): ArchiveStats {
    const one = (sql: string): number => this.#database.get<{ n: number }>(sql)?.n ?? 0;
    return {
      path: this.#database.path,
      sizeBytes: sizeOf(this.#database.path) + sizeOf(`${this.#database.path}-wal`),
      files: {
        total: one("SELECT count(*) AS n FROM files"),
        gone: one("SELECT count(*) AS n FROM files WHERE gone_since_ms IS NOT NULL"),
      },
      versions: one("SELECT count(*) AS n FROM versions"),
      chunks: one("SELECT count(*) AS n FROM chunks"),
      originalBytes: one("SELECT coalesce(sum(size_bytes), 0) AS n FROM versions"),
      newestBytes: one("SELECT coalesce(sum(size_bytes), 0) AS n FROM files"),
      distinctBytes: one("SELECT coalesce(sum(size_bytes), 0) AS n FROM chunks"),
      storedBytes: one("SELECT coalesce(sum(length(bytes)), 0) AS n FROM chunks"),
      textBytes: one("SELECT coalesce(sum(size_bytes), 0) AS n FROM word_parts"),
      sessions: one("SELECT count(DISTINCT id) AS n FROM sessions"),
      texts: one("SELECT coalesce(sum(count), 0) AS n FROM texts"),
      forgotten: one("SELECT count(*) AS n FROM forgotten WHERE kind = 'session'"),
      roots: this.#files.roots(),
    };
  }

  settle(): void {
    // Where others are reading, a part of it stays in the log until the next time: no waiting.
    this.#database.exec("PRAGMA busy_timeout = 100");
    this.#database.get("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }

  verify(progress: Progress): VerifyAnswer {
    return verify(this.#database, progress);
  }

  compact(progress: Progress): void {
    compact(this.#database, this.#chunks, progress);
  }

  exportTo(path: string): void {
    exportTo(this.#database, path);
  }

  importFrom(path: string, nowMs: number): ImportAnswer {
    return importFrom(this.#database, { path, nowMs });
  }

  forget(wish: ForgetWish): void {
    forget(this.#database, wish);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
