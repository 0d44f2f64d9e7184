import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { toStored } from "./stored-text.ts";

/** Sends statements over one connection, usually inside a transaction. */
export interface Connection {
  all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly unknown[]): Promise<number>;
  copy(table: string, columns: readonly string[], rows: Iterable<Copied>): Promise<void>;
}

export type Copied = readonly CopyValue[];

/** Approximate number of characters per piece of copied rows. */
const COPY_CHARACTERS = 1 << 18;

export class ClientConnection implements Connection {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async all<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query(sql, values.map(storedValue));
    return rows as Row[];
  }

  async run(sql: string, values: readonly unknown[] = []): Promise<number> {
    const { rowCount } = await this.#client.query(sql, values.map(storedValue));
    return rowCount ?? 0;
  }

  async copy(table: string, columns: readonly string[], rows: Iterable<Copied>): Promise<void> {
    const pieces = linesOf(rows);
    const first = pieces.next();
    if (first.done === true) return;
    const all = function* (): Generator<string> {
      yield first.value;
      yield* pieces;
    };
    const sql = `COPY ${table} (${columns.join(", ")}) FROM STDIN`;
    await pipeline(Readable.from(all()), this.#client.query(copyFrom(sql)));
  }
}

/** `COPY` does not support row security, so rows go through a temporary table. */
export class ActingConnection extends ClientConnection {
  override async copy(
    table: string,
    columns: readonly string[],
    rows: Iterable<Copied>,
  ): Promise<void> {
    const names = columns.join(", ");
    const sql = `CREATE TEMP TABLE arriving ON COMMIT DROP AS SELECT ${names} FROM ${table} LIMIT 0`;
    await this.run(sql);
    await super.copy("arriving", columns, rows);
    await this.run(`INSERT INTO ${table} (${names}) SELECT ${names} FROM arriving`);
    await this.run("DROP TABLE arriving");
  }
}

function* linesOf(rows: Iterable<Copied>): Generator<string> {
  let text = "";
  for (const row of rows) {
    text += copyLine(row);
    if (text.length < COPY_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

function storedValue(value: unknown): unknown {
  if (typeof value === "string") return toStored(value);
  if (Array.isArray(value)) return value.map(storedValue);
  return value;
}

type CopyValue = string | number | boolean | bigint | readonly string[] | null | undefined;

const SPECIAL = /[\\\b\f\n\r\t\v]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** A row in the text format of COPY. */
function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(fieldOf).join("\t")}\n`;
}

function fieldOf(value: CopyValue): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "string") return escape(toStored(value));
  if (typeof value === "object") return escape(arrayOf(value));
  return String(value);
}

function escape(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPES[character] ?? character);
}

function arrayOf(items: readonly string[]): string {
  const quoted = items.map((item) => `"${toStored(item).replace(/["\\]/g, "\\$&")}"`);
  return `{${quoted.join(",")}}`;
}
