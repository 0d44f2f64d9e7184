import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isNoFile } from "../../kernel/open-file.ts";
import type { DriverDatabase, Statement, Value } from "./driver.ts";
import { loadDriver } from "./driver.ts";
import { archiveError, noFile, readOnly } from "./errors.ts";

/** How long a process waits for another one that is writing. Writing takes milliseconds. */
export const BUSY_TIMEOUT_MS = 10_000;

/**
 * - `write`: others may read and write as well
 * - `read`: others may; nothing is written
 * - `still`: nobody writes, so that not even a lock is needed beside the file
 */
export type Access = "write" | "read" | "still";

const MOST_STATEMENTS = 256;

/** A connection: statements prepared once, errors told in words, writing all or nothing. */
export class Database {
  readonly path: string;
  readonly access: Access;
  readonly #driver: DriverDatabase;
  readonly #statements = new Map<string, Statement>();
  #depth = 0;
  #isClosed = false;

  constructor(path: string, access: Access) {
    this.path = path;
    this.access = access;
    if (isNoFile(path)) throw noFile(path);
    this.#driver = this.#guarded(() => {
      const { DatabaseSync } = loadDriver();
      const options = { readOnly: access !== "write", timeout: BUSY_TIMEOUT_MS };
      const still = `${pathToFileURL(path).href}?immutable=1`;
      return new DatabaseSync(access === "still" ? still : path, options);
    });
  }

  exec(sql: string): void {
    this.#guarded(() => this.#driver.exec(sql));
  }

  run(sql: string, ...values: readonly Value[]): { changes: number; id: number } {
    const bound = boundValues(values);
    const { changes, lastInsertRowid } = this.#guarded(() => this.#prepared(sql).run(...bound));
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  // oxlint-disable-next-line no-unnecessary-type-parameters -- whoever asks knows the columns
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    const row = this.#guarded(() => this.#prepared(sql).get(...boundValues(values)));
    return readRow(row) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    const rows = this.#guarded(() => this.#prepared(sql).all(...boundValues(values)));
    for (const row of rows) readRow(row);
    return rows as Row[];
  }

  /** Rows one by one. No other use of the same statement may come in between. */
  *each<Row>(sql: string, ...values: readonly Value[]): Generator<Row> {
    // A statement of its own: it stays open between two rows.
    const rows = this.#guarded(() => this.#driver.prepare(sql).iterate(...boundValues(values)));
    for (;;) {
      const next = this.#guarded(() => rows.next());
      if (next.done === true) return;
      yield readRow(next.value) as Row;
    }
  }

  /** All of it or nothing. Inside of another one, it is a part of that. */
  write<T>(work: () => T): T {
    if (this.access !== "write") throw readOnly(this.path);
    if (this.#depth > 0) return work();
    this.exec("BEGIN IMMEDIATE");
    this.#depth = 1;
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#depth = 0;
    }
  }

  /** What is read inside is of one moment, whatever others write meanwhile. */
  read<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.exec("BEGIN");
    this.#depth = 1;
    try {
      return work();
    } finally {
      this.#depth = 0;
      this.exec("COMMIT");
    }
  }

  /** Another text after anybody has written: here, or in another connection. */
  get state(): string {
    const here = this.get<{ n: number }>("SELECT total_changes() AS n")?.n;
    const elsewhere = this.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
    return `${here} ${elsewhere}`;
  }

  /** Brings the log in. Where others are reading, a part stays for the next time: no waiting. */
  checkpoint(): void {
    if (this.access !== "write") return;
    this.exec("PRAGMA busy_timeout = 100");
    this.get("PRAGMA wal_checkpoint(TRUNCATE)");
    this.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // It may have been broken off anywhere, also right after a transaction was begun.
    this.#rollBack();
    this.#statements.clear();
    this.#driver.close();
  }

  #rollBack(): void {
    try {
      this.#driver.exec("ROLLBACK");
    } catch {
      // Nothing was begun, or a full disk has already rolled back by itself.
    }
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    // Lists of different lengths are different statements: those that are asked again come back.
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
    const statement = this.#driver.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw archiveError(error, this.path);
    }
  }
}

/** With the log of what was written last. */
export function sizeOnDisk(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => {
    return sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}

/** SQL's texts end with the first NUL, but people's may hold some: they are stored as this one. */
const NUL = "\u{10fffd}";

function boundValues(values: readonly Value[]): readonly Value[] {
  // Hardly any text has one, and there are many texts.
  if (!values.some((value) => typeof value === "string" && value.includes("\0"))) return values;
  return values.map((value) => (typeof value === "string" ? value.replaceAll("\0", NUL) : value));
}

function readRow(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  for (const value of Object.values(row)) {
    if (typeof value === "string" && value.includes(NUL)) return withoutStandIns(row);
  }
  return row;
}

function withoutStandIns(row: object): object {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== "string" || !value.includes(NUL)) continue;
    Object.assign(row, { [column]: value.replaceAll(NUL, "\0") });
  }
  return row;
}
