import type { Connection } from "../connection.ts";

/** A statement takes at most 65,535 values. */
const MOST_VALUES = 60_000;

/** Inserts rows, many per statement. `conflict` is the ON CONFLICT clause. */
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

/** `($1, $2, …)`, numbered after `before` other values. */
function placesOf(before: number, count: number): string {
  return `(${Array.from({ length: count }, (_, at) => `$${before + at + 1}`).join(", ")})`;
}

/** ON CONFLICT clause that replaces all columns but the key. */
export function replaceOn(key: string, columns: readonly string[]): string {
  const set = columns.filter((name) => name !== key).map((name) => `${name} = excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${set.join(", ")}`;
}
