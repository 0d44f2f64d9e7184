import { PROMPT_CLASS, QUARTER_MS } from "../../prompt-classes.ts";
import type { OwnSums } from "../../row-values.ts";
import { ownUsageOf } from "../../row-values.ts";
import type { Connection } from "../connection.ts";

/** Recomputes the buckets of sessions from the replies that they own. */
export async function recomputeBuckets(
  connection: Connection,
  sessions: readonly string[],
): Promise<void> {
  await connection.run("DELETE FROM buckets WHERE session = ANY($1::int8[])", [sessions]);
  await connection.run(INSERT_BUCKETS, [sessions]);
}

const INSERT_BUCKETS = `INSERT INTO buckets
  SELECT session, floor(time_ms / ${QUARTER_MS}.0)::int8 AS quarter, model, ${PROMPT_CLASS}, tier,
    standing, purpose, root, count(*), count(*) FILTER (WHERE is_at_least), count(oddities),
    sum(input), sum(fresh), sum(cached), sum(cache_write_5m), sum(cache_write_1h), sum(output),
    sum(thoughts), sum(tool), sum(total), sum(web_searches)
  FROM replies WHERE session = ANY($1::int8[]) AND owner IS NULL
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;

interface OwnRow extends OwnSums {
  session: string;
}

const OWN_USAGE = `SELECT session::text, count(*) FILTER (WHERE owner IS NULL) AS replies,
    bool_or(is_at_least) FILTER (WHERE owner IS NULL) AS is_at_least,
    ${["input", "cached", "output", "thoughts", "tool", "total", "web_searches"]
      .map((name) => `sum(${name}) FILTER (WHERE owner IS NULL) AS ${name}`)
      .join(", ")},
    sum(coalesce(cache_write_5m + cache_write_1h, cache_write_5m, cache_write_1h))
      FILTER (WHERE owner IS NULL) AS cache_write
  FROM replies WHERE session = ANY($1::int8[]) GROUP BY session HAVING count(owner) > 0`;

/** Stores the own usage of sessions that have copies of other sessions' replies. */
export async function setOwnUsage(
  connection: Connection,
  sessions: readonly string[],
): Promise<void> {
  const reset = `UPDATE sessions SET own_usage = NULL, tokens = recorded_tokens
    WHERE session = ANY($1::int8[]) AND own_usage IS NOT NULL`;
  await connection.run(reset, [sessions]);
  const update = "UPDATE sessions SET own_usage = $2, tokens = $3 WHERE session = $1";
  for (const row of await connection.all<OwnRow>(OWN_USAGE, [sessions])) {
    const { json, total } = ownUsageOf(row);
    await connection.run(update, [row.session, json, total]);
  }
}
