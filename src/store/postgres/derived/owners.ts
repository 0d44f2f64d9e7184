import type { Connection } from "../connection.ts";

/** Sort value of records without a time: after all others. */
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Tables of records that may occur in several sessions, and the column that identifies a record.
 */
const RECORDS = [
  { table: "replies", name: "reply" },
  { table: "tool_calls", name: "call" },
] as const;

/**
 * Planner settings to turn off: it would scan whole tables instead of looking up some thousand
 * rows.
 */
const WAYS = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"] as const;

/**
 * Decides which session a reply or tool call counts in (rule: `core/session/links.ts`). Only
 * records that written sessions share with others, before and after the write, are checked. Writers
 * hold the commit lock, so that two never decide about the same record.
 */
export class Owners {
  readonly #connection: Connection;
  /** Keys of records that occur, or occurred, in several sessions. */
  readonly #shared = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Call before rows are removed: records shared with other sessions may get a new owner. */
  async leave(sessions: readonly string[]): Promise<void> {
    for (const { table } of RECORDS) {
      const sql = `SELECT key::text FROM ${table} WHERE owner = ANY($1::int8[]) UNION
        SELECT key::text FROM ${table} WHERE session = ANY($1::int8[]) AND owner IS NOT NULL`;
      await this.#share(sql, [sessions]);
    }
    const drop = RECORDS.map(({ table }) => {
      return `DELETE FROM record_keys USING ${table} AS records
        WHERE records.session = ANY($1::int8[]) AND record_keys.key = records.key
          AND record_keys.session = records.session`;
    });
    await this.#byIndex(async () => {
      for (const sql of drop) await this.#connection.run(sql, [sessions]);
    });
  }

  /** Call after rows were written. Returns the sessions whose sums must be recomputed. */
  async settle(sessions: readonly string[], keys: readonly string[]): Promise<Set<string>> {
    const touched = new Set(sessions);
    await this.#byIndex(async () => {
      const sql = `SELECT key::text FROM record_keys WHERE key = ANY($1::int8[])
        GROUP BY key HAVING count(*) > 1`;
      await this.#share(sql, [keys]);
      if (!this.isShared) return;
      for (const records of RECORDS) {
        for (const session of await this.#settleRecords(records)) touched.add(session);
      }
    });
    return touched;
  }

  /** True if any record occurs in several sessions. */
  get isShared(): boolean {
    return this.#shared.size > 0;
  }

  async #share(sql: string, values: readonly unknown[]): Promise<void> {
    const rows = await this.#connection.all<{ key: string }>(sql, values);
    for (const { key } of rows) this.#shared.add(key);
  }

  async #byIndex(work: () => Promise<void>): Promise<void> {
    for (const way of WAYS) await this.#connection.run(`SET LOCAL ${way} = off`);
    await work();
    for (const way of WAYS) await this.#connection.run(`SET LOCAL ${way} = on`);
  }

  /** The first record of each source and name is the original; the others are copies. */
  async #settleRecords({ table, name }: (typeof RECORDS)[number]): Promise<string[]> {
    const sql = `WITH ranked AS (
        SELECT records.session, records.position, first_value(records.session) OVER (
          PARTITION BY sessions.source, records.${name}
          ORDER BY sessions.copy_rank, coalesce(records.at_ms, ${LAST}),
            coalesce(sessions.started_ms, ${LAST}), sessions.id
        ) AS first
        FROM record_keys
        JOIN ${table} AS records ON records.session = record_keys.session
          AND records.key = record_keys.key
        JOIN sessions ON sessions.session = records.session
        WHERE record_keys.key = ANY($1::int8[])
      )
      UPDATE ${table} AS records SET owner = nullif(ranked.first, ranked.session)
      FROM ranked WHERE records.session = ranked.session AND records.position = ranked.position
        AND records.owner IS DISTINCT FROM nullif(ranked.first, ranked.session)
      RETURNING records.session::text`;
    const rows = await this.#connection.all<{ session: string }>(sql, [[...this.#shared]]);
    return rows.map(({ session }) => session);
  }
}
