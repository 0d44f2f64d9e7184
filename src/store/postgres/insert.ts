import type { Connection } from "./connection.ts";

/** A statement takes at most 65,535 values. */
const MOST_VALUES = 60_000;

/** Rows of values, many in one statement. `conflict` says what becomes of those that are there. */
export async function insertRows(
  connection: Connection,
  into: { table: string; columns: readonly string[]; conflict?: string },
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const { table, columns, conflict = "" } = into;
  const most = Math.max(1, Math.floor(MOST_VALUES / columns.length));
  for (let from = 0; from < rows.length; from += most) {
    const part = rows.slice(from, from + most);
    const places = part.map((_, row) => placesOf(row * columns.length, columns.length));
    const names = columns.join(", ");
    const sql = `INSERT INTO ${table} (${names}) VALUES ${places.join(", ")} ${conflict}`;
    await connection.run(sql, part.flat());
  }
}

/** `($1, $2, …)` for the values behind so many others. */
function placesOf(before: number, count: number): string {
  return `(${Array.from({ length: count }, (_, at) => `$${before + at + 1}`).join(", ")})`;
}

/** What replaces all columns but the key of a row that is there. */
export function replaceOn(key: string, columns: readonly string[]): string {
  const set = columns.filter((name) => name !== key).map((name) => `${name} = excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${set.join(", ")}`;
}
