import { NO_TOKENS } from "../../../core/rows/summary.ts";
import { PROMPT_BORDERS, QUARTER_MS } from "../../prompt-classes.ts";
import type { Database } from "../database.ts";
import { NO_TIME } from "./derived-schema.ts";

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

  settle(): void {
    for (const session of this.#touched) this.#collect(session);
    for (const table of TABLES) {
      for (const digest of this.#shared[table].values()) this.#settle(table, digest);
    }
    for (const session of this.#touched) this.#sumUp(session);
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

  /** Recomputes a session's sums from the rows that it owns. */
  #sumUp(session: number): void {
    this.#database.run("DELETE FROM buckets WHERE session = ?", session);
    this.#database.run(INSERT_BUCKETS, session);
    this.#database.run("DELETE FROM tool_buckets WHERE session = ?", session);
    this.#database.run(INSERT_TOOL_BUCKETS, session);
    this.#tellOwn(session);
  }

  /** Stores a session's own usage if it has copies of other sessions' replies. */
  #tellOwn(session: number): void {
    const row = this.#database.get<OwnRow>(OWN, session);
    if (!row) return;
    if (row.copies === 0) {
      const all = `UPDATE sessions SET own_usage = NULL, tokens = ?
        WHERE key = ? AND own_usage IS NOT NULL`;
      this.#database.run(all, row.total, session);
      return;
    }
    const {
      copies: _theirs,
      replies,
      is_at_least: atLeast,
      cache_write: cacheWrite,
      web_searches: webSearches,
      ...sums
    } = row;
    const tokens = replies === 0 ? NO_TOKENS : { ...sums, cacheWrite };
    const json = JSON.stringify({ tokens, isAtLeast: atLeast === 1, webSearches });
    const update = "UPDATE sessions SET own_usage = ?, tokens = ? WHERE key = ?";
    this.#database.run(update, json, tokens.total, session);
  }
}

interface OwnRow {
  copies: number;
  replies: number;
  is_at_least: number | null;
  input: number | null;
  cached: number | null;
  cache_write: number | null;
  output: number | null;
  thoughts: number | null;
  tool: number | null;
  total: number | null;
  web_searches: number | null;
}

const OWN = `SELECT
  (SELECT count(*) FROM replies AS other WHERE other.session = ?1 AND other.is_owner = 0) AS copies,
  count(*) AS replies, max(is_at_least) AS is_at_least, sum(input) AS input, sum(cached) AS cached,
  CASE WHEN count(cache_write_5m) + count(cache_write_1h) = 0 THEN NULL
    ELSE coalesce(sum(cache_write_5m), 0) + coalesce(sum(cache_write_1h), 0) END AS cache_write,
  sum(output) AS output, sum(thoughts) AS thoughts, sum(tool) AS tool, sum(total) AS total,
  sum(web_searches) AS web_searches
  FROM replies WHERE session = ?1 AND is_owner = 1`;

/** Rounds down, also before 1970, where integer division rounds up. */
const QUARTER = `CASE WHEN time_ms = ${NO_TIME} THEN ${NO_TIME} ELSE
  (time_ms - ((time_ms % ${QUARTER_MS}) + ${QUARTER_MS}) % ${QUARTER_MS}) / ${QUARTER_MS} END`;

const PROMPT_CLASS = PROMPT_BORDERS.map((border) => {
  return `CASE WHEN input + coalesce(tool, 0) > ${border} THEN 1 ELSE 0 END`;
}).join(" + ");

const INSERT_BUCKETS = `INSERT INTO buckets
  SELECT session, ${QUARTER} AS quarter, model, ${PROMPT_CLASS} AS prompt_class, tier, standing,
  purpose, count(*), sum(coalesce(is_at_least, 0)), count(oddities), sum(input), sum(fresh),
  sum(cached), sum(cache_write_5m), sum(cache_write_1h), sum(output), sum(thoughts), sum(tool),
  sum(total), sum(web_searches)
  FROM replies WHERE session = ? AND is_owner = 1
  GROUP BY session, 2, model, 4, tier, standing, purpose`;

const INSERT_TOOL_BUCKETS = `INSERT INTO tool_buckets
  SELECT session, ${QUARTER} AS quarter, tool, model, count(*),
  sum(CASE WHEN outcome = 'success' THEN 1 ELSE 0 END),
  sum(CASE WHEN outcome = 'error' THEN 1 ELSE 0 END),
  sum(CASE WHEN outcome = 'cancelled' THEN 1 ELSE 0 END),
  count(duration_ms), coalesce(sum(duration_ms), 0), coalesce(max(duration_ms), 0)
  FROM tool_calls WHERE session = ? AND is_owner = 1 GROUP BY session, 2, tool, model`;
