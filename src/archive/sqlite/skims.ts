import type { Skims, SkimSum } from "../archive.ts";
import type { Database } from "./database.ts";

/** What was skimmed of files while nothing is kept yet. */
export class SqliteSkims implements Skims {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(name: string): Map<string, SkimSum> {
    const sql = "SELECT path, sum FROM skims WHERE name = ?";
    const rows = this.#database.all<{ path: string; sum: string }>(sql, name);
    return new Map(rows.map(({ path, sum }) => [path, JSON.parse(sum) as SkimSum]));
  }

  put(name: string, sums: ReadonlyMap<string, SkimSum>): void {
    this.#database.write(() => {
      // In another time zone, or at other prices, all of them are others.
      this.#database.run("DELETE FROM skims WHERE name <> ?", name);
      const sql = "INSERT OR REPLACE INTO skims (name, path, sum) VALUES (?, ?, ?)";
      for (const [path, sum] of sums) this.#database.run(sql, name, path, JSON.stringify(sum));
    });
  }

  clear(): void {
    this.#database.run("DELETE FROM skims");
  }
}
