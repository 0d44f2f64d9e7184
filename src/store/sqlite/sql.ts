import { hash } from "node:crypto";

/** `?, ?, ?` */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}

/** SQLite binds at most 32,766 values; longer lists are passed as one JSON value. */
const MOST_VALUES = 10_000;

/** The right side of `IN`, for any number of values. */
export function inClause<T extends string | number>(
  list: readonly T[],
): { sql: string; values: readonly (T | string)[] } {
  if (list.length <= MOST_VALUES) return { sql: `(${placeholders(list.length)})`, values: list };
  return { sql: "(SELECT value FROM json_each(?))", values: [JSON.stringify(list)] };
}

/** A list of SQL string literals. Only for constants of the program, never for text from a file. */
export function inList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(", ");
}

/** `INSERT INTO table (a, b) VALUES (?, ?)` */
export function insertInto(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders(columns.length)})`;
}

/** Identifies a record across all sessions of its source; 96 bits are enough. */
export function digestOf(source: string, name: string): Buffer {
  return hash("sha256", `${source}\n${name}`, "buffer").subarray(0, 12);
}
