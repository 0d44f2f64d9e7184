import type { Database } from "../database.ts";
import { recomputeBuckets, setOwnUsage } from "./buckets.ts";

/** Sort value of records without a time: after all others. */
const LAST = Number.MAX_SAFE_INTEGER;

const TABLES = ["replies", "tool_calls"] as const;
type Table = (typeof TABLES)[number];

/** Statements that set `is_owner`, by session and position. */
const UPDATES: Readonly<Record<Table, readonly string[]>> = {
  replies: ["UPDATE replies SET is_owner = ? WHERE session = ? AND position = ?"],
  tool_calls: [
    "UPDATE tool_calls SET is_owner = ? WHERE session = ? AND position = ?",
    "UPDATE tool_commands SET is_owner = ? WHERE session = ? AND call = ?",
    "UPDATE tool_files SET is_owner = ? WHERE session = ? AND call = ?",
  ],
};

/** A reply or call that occurs in several sessions. */
interface Shared {
  session: number;
  position: number;
  is_owner: number;
}

/**
 * Decides which session a reply or tool call counts in (rule: `core/session/links.ts`). Only
 * records that written sessions share with others, before and after the write, are checked.
 */
export class Owners {
  readonly #database: Database;
  /** Sessions whose sums must be recomputed. */
  readonly #touched = new Set<number>();
  /** Digests of shared records. */
  readonly #shared: Readonly<Record<Table, Map<string, Uint8Array>>> = {
    replies: new Map(),
    tool_calls: new Map(),
  };

  constructor(database: Database) {
    this.#database = database;
  }

  /** Call before rows are removed: records shared with other sessions may get a new owner. */
  leave(session: number): void {
    this.#collect(session);
    this.#touched.delete(session);
  }

  /** Call after a session's rows were written. */
  touch(session: number): void {
    this.#touched.add(session);
  }

  /** Assigns owners, and recomputes the sums of all sessions that changed. */
  settle(): void {
    for (const session of this.#touched) this.#collect(session);
    for (const table of TABLES) {
      for (const digest of this.#shared[table].values()) this.#settle(table, digest);
    }
    for (const session of this.#touched) {
      recomputeBuckets(this.#database, session);
      setOwnUsage(this.#database, session);
    }
  }

  #collect(session: number): void {
    for (const table of TABLES) {
      const sql = `SELECT DISTINCT own.digest AS digest FROM ${table} AS own
        JOIN ${table} AS other ON other.digest = own.digest AND other.session <> own.session
        WHERE own.session = ?`;
      for (const { digest } of this.#database.all<{ digest: Uint8Array }>(sql, session)) {
        this.#shared[table].set(Buffer.from(digest).toString("hex"), digest);
      }
    }
  }

  /** The first record is the original; records in other sessions are copies. */
  #settle(table: Table, digest: Uint8Array): void {
    const sql = `SELECT session, position, is_owner FROM ${table}
      JOIN sessions ON sessions.key = ${table}.session WHERE digest = ?
      ORDER BY copy_rank, CASE WHEN is_own_time = 1 THEN time_ms ELSE ${LAST} END,
      coalesce(started_ms, ${LAST}), id`;
    const records = this.#database.all<Shared>(sql, digest);
    const owner = records[0]?.session;
    for (const { session, position, is_owner: before } of records) {
      const isOwner = session === owner ? 1 : 0;
      if (before === isOwner) continue;
      for (const update of UPDATES[table]) this.#database.run(update, isOwner, session, position);
      this.#touched.add(session);
    }
  }
}
