import type { Archive } from "../archive.ts";
import { SqliteAnswers } from "./answers.ts";
import { Chunks } from "./chunks.ts";
import { SqliteCare } from "./care.ts";
import type { Database } from "./database.ts";
import { openDerived } from "./derived.ts";
import { SqliteKeptFiles } from "./kept-files.ts";
import { SqliteMemos } from "./memos.ts";
import { openDatabase } from "./open.ts";
import { SqliteRows } from "./rows.ts";
import { SqliteSkims } from "./skims.ts";
import { SqliteTexts } from "./texts.ts";

/** Opens an archive, or begins one. Rows of an older reader are thrown away: see `needsRows`. */
export function openArchive(path: string, reader: number): Archive {
  const database = openDatabase(path);
  try {
    openDerived(database, reader);
    return new SqliteArchive(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

class SqliteArchive implements Archive {
  readonly path: string;
  readonly mode: Archive["mode"];
  readonly files: SqliteKeptFiles;
  readonly rows: SqliteRows;
  readonly texts: SqliteTexts;
  readonly answers: SqliteAnswers;
  readonly memos: SqliteMemos;
  readonly skims: SqliteSkims;
  readonly care: SqliteCare;
  readonly #database: Database;

  constructor(database: Database) {
    const chunks = new Chunks(database);
    this.path = database.path;
    this.mode = database.access === "write" ? "write" : "read";
    this.#database = database;
    this.files = new SqliteKeptFiles(database, chunks);
    this.rows = new SqliteRows(database);
    this.texts = new SqliteTexts(database);
    this.answers = new SqliteAnswers(database);
    this.memos = new SqliteMemos(database);
    this.skims = new SqliteSkims(database);
    this.care = new SqliteCare(database, this.files, chunks);
  }

  write<T>(work: () => T): T {
    return this.#database.write(work);
  }

  read<T>(work: () => T): T {
    return this.#database.read(work);
  }

  rest(): void {
    this.texts.rest();
    this.#database.exec("PRAGMA shrink_memory");
  }

  close(): void {
    this.#database.close();
  }
}
