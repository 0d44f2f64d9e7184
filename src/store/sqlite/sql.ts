import { hash } from "node:crypto";

/** `?, ?, ?` */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}

/** SQLite takes 32,766 values at most; more of them are given as one. */
const MOST_VALUES = 10_000;

/** What stands behind `IN`, for any number of values. */
export function among<T extends string | number>(
  list: readonly T[],
): { sql: string; values: readonly (T | string)[] } {
  if (list.length <= MOST_VALUES) return { sql: `(${placeholders(list.length)})`, values: list };
  return { sql: "(SELECT value FROM json_each(?))", values: [JSON.stringify(list)] };
}

/** Words of our own, as a list of SQL; never anything that was read from a file. */
export function inList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(", ");
}

/** `INSERT INTO table (a, b) VALUES (?, ?)` */
export function insertInto(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders(columns.length)})`;
}

/**
 * What a record is known by in all sessions of its source: 96 bits are enough for all there are.
 */
export function digestOf(source: string, name: string): Buffer {
  return hash("sha256", `${source}\n${name}`, "buffer").subarray(0, 12);
}
