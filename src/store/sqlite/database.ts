import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isNotRegularFile } from "../../kernel/open-file.ts";
import type { DriverDatabase, Statement, Value } from "./driver.ts";
import { loadDriver } from "./driver.ts";
import { archiveError, notARegularFile, readOnly } from "./errors.ts";

/** How long to wait for another process that is writing; writes take milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * - `write`: other processes may read and write as well
 * - `read`: read-only; other processes may write
 * - `still`: read-only, and no process writes, so that no lock file is needed
 */
export type Access = "write" | "read" | "still";

const MOST_STATEMENTS = 256;

/** A connection with cached prepared statements, readable errors and nested transactions. */
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
    if (isNotRegularFile(path)) throw notARegularFile(path);
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

  // oxlint-disable-next-line no-unnecessary-type-parameters -- the caller knows the columns
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    const statement = this.#guarded(() => this.#prepared(sql));
    const cells = this.#guarded(() => statement.get(...boundValues(values)));
    return cells === undefined ? undefined : rowsOf<Row>(statement, [cells])[0];
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    const statement = this.#guarded(() => this.#prepared(sql));
    const rows = this.#guarded(() => statement.all(...boundValues(values)));
    return rowsOf<Row>(statement, rows);
  }

  /** Yields rows one by one. */
  *each<Row>(sql: string, ...values: readonly Value[]): Generator<Row> {
    // Not cached: the statement stays open between two rows.
    const statement = this.#guarded(() => this.#prepare(sql));
    const rows = this.#guarded(() => statement.iterate(...boundValues(values)));
    for (;;) {
      const next = this.#guarded(() => rows.next());
      if (next.done === true) return;
      yield* rowsOf<Row>(statement, [next.value]);
    }
  }

  /** Runs `work` in a write transaction; a nested call joins the outer transaction. */
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

  /** Runs `work` on one snapshot, whatever other connections write meanwhile. */
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

  /** A token that changes after every write, by this or another connection. */
  get state(): string {
    const here = this.get<{ n: number }>("SELECT total_changes() AS n")?.n;
    const elsewhere = this.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
    return `${here} ${elsewhere}`;
  }

  /**
   * Moves the write-ahead log into the file. With active readers it does not wait; the rest moves
   * next time.
   */
  checkpoint(): void {
    if (this.access !== "write") return;
    this.exec("PRAGMA busy_timeout = 100");
    this.get("PRAGMA wal_checkpoint(TRUNCATE)");
    this.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Work may have been interrupted anywhere, even right after BEGIN.
    this.#rollBack();
    this.#statements.clear();
    this.#driver.close();
  }

  #rollBack(): void {
    try {
      this.#driver.exec("ROLLBACK");
    } catch {
      // No transaction is open, or a full disk has already rolled it back.
    }
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    // Lists of different lengths are different statements; clearing the cache bounds their number.
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
    const statement = this.#prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #prepare(sql: string): Statement {
    const statement = this.#driver.prepare(sql);
    statement.setReturnArrays(true);
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

/** Size of the file and its write-ahead log. */
export function sizeOnDisk(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => {
    return sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}

/** SQLite cuts texts at NUL, but session text may contain it: it is stored as this character. */
const NUL = "\u{10fffd}";

function boundValues(values: readonly Value[]): readonly Value[] {
  // Fast check first: there are many texts, and hardly any contains NUL.
  if (!values.some((value) => typeof value === "string" && value.includes("\0"))) return values;
  return values.map((value) => (typeof value === "string" ? value.replaceAll("\0", NUL) : value));
}

/** Names of the columns; a migration by another process changes the number of columns of `*`. */
const columnsByStatement = new WeakMap<Statement, readonly string[]>();

function columnsOf(statement: Statement, count: number): readonly string[] {
  const known = columnsByStatement.get(statement);
  if (known?.length === count) return known;
  const columns = statement.columns().map(({ name }) => name);
  columnsByStatement.set(statement, columns);
  return columns;
}

// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller knows the columns
function rowsOf<Row>(statement: Statement, rows: readonly unknown[]): Row[] {
  const [first] = rows as Cells[];
  if (!first) return [];
  const columns = columnsOf(statement, first.length);
  return (rows as Cells[]).map((cells) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) {
      const cell = cells[at];
      const isCut = typeof cell === "string" && cell.includes(NUL);
      row[columns[at] ?? ""] = isCut ? cell.replaceAll(NUL, "\0") : cell;
    }
    return row as Row;
  });
}

type Cells = readonly unknown[];
