import { PROMPT_CLASS, QUARTER_MS } from "../../prompt-classes.ts";
import type { OwnSums } from "../../row-values.ts";
import { ownUsageOf } from "../../row-values.ts";
import type { Database } from "../database.ts";
import { NO_TIME } from "./derived-schema.ts";

/** Recomputes the buckets of a session from the replies and tool calls that it owns. */
export function recomputeBuckets(database: Database, session: number): void {
  database.run("DELETE FROM buckets WHERE session = ?", session);
  database.run(INSERT_BUCKETS, session);
  database.run("DELETE FROM tool_buckets WHERE session = ?", session);
  database.run(INSERT_TOOL_BUCKETS, session);
}

/** Stores a session's own usage if it has copies of other sessions' replies. */
export function setOwnUsage(database: Database, session: number): void {
  const row = database.get<OwnRow>(OWN, session);
  if (!row) return;
  if (row.copies === 0) {
    const all = `UPDATE sessions SET own_usage = NULL, tokens = ?
      WHERE key = ? AND own_usage IS NOT NULL`;
    database.run(all, row.total, session);
    return;
  }
  const { json, total } = ownUsageOf(row);
  const update = "UPDATE sessions SET own_usage = ?, tokens = ? WHERE key = ?";
  database.run(update, json, total, session);
}

interface OwnRow extends OwnSums {
  copies: number;
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
