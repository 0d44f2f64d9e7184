import type { Memos } from "../archive.ts";
import type { Database } from "./database.ts";

/** Of one kind of question; each may have a memo for every session. */
const MOST_NAMES = 8;

/** What was worked out about single sessions, and about runs of them under their first one. */
export class SqliteMemos implements Memos {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(name: string, keys: readonly number[]): Map<number, string> {
    const sql = `SELECT session, value FROM memos
      WHERE session IN (SELECT value FROM json_each(?)) AND name = ?`;
    type Row = { session: number; value: string };
    const rows = this.#database.all<Row>(sql, JSON.stringify(keys), name);
    return new Map(rows.map(({ session, value }) => [session, value]));
  }

  put(name: string, values: ReadonlyMap<number, string>): void {
    // A session may have changed since its answer was worked out: then it has another key.
    const sql = `INSERT OR REPLACE INTO memos (session, name, value)
      SELECT key, ?2, ?3 FROM sessions WHERE key = ?1`;
    this.#database.write(() => {
      this.#makeRoom(name);
      for (const [session, value] of values) this.#database.run(sql, session, name, value);
    });
  }

  /** Throws away answers to questions that are no longer asked (in another zone, at old prices). */
  #makeRoom(name: string): void {
    const isKnown = "SELECT 1 FROM memos WHERE name = ? LIMIT 1";
    if (this.#database.get(isKnown, name) !== undefined) return;
    // The first word tells what kind of question it is.
    const kind = `${name.split(" ", 1)[0]} *`;
    const names = "SELECT count(DISTINCT name) AS n FROM memos WHERE name GLOB ?";
    const { n = 0 } = this.#database.get<{ n: number }>(names, kind) ?? {};
    if (n >= MOST_NAMES) this.#database.run("DELETE FROM memos WHERE name GLOB ?", kind);
  }
}
