import type { ExpiringCount, ExpiryRule } from "../../../core/files/expiry.ts";
import type { Expiring, ExpiryQuery } from "../../store.ts";
import type { Database } from "../database.ts";
import type { Value } from "../driver.ts";
import { sessionConditions } from "./filters.ts";
import { locatedByKey } from "./list-sessions.ts";
import { NEWEST } from "./session-order.ts";
import { placeholders } from "../sql.ts";

/** Sessions with a resume stub are deleted at the next start. */
const NEXT = "-9e99";

/**
 * `core/files/expiry.ts` in SQL: the first file that still exists decides the rule; the clean-up
 * must reach all files that exist, and one of them must not be a stub.
 */
const AGED = `lying AS (
    SELECT f.session AS session, min(f.position) AS first, max(f.last_ms) AS last_ms,
      max(CASE WHEN f.file IS NULL THEN f.modified_ms ELSE files.modified_ms END) AS modified_ms,
      max(CASE WHEN f.part = 'stub' THEN 1 ELSE 0 END) AS has_stub
    FROM session_files AS f LEFT JOIN files ON files.id = f.file
    WHERE CASE WHEN f.file IS NULL THEN f.gone_since_ms ELSE files.gone_since_ms END IS NULL
    GROUP BY f.session HAVING min(f.is_cleaned) = 1
      AND min(CASE WHEN f.part = 'stub' THEN 1 ELSE 0 END) = 0
  ), aged AS (
    SELECT lying.session AS session, rules.kind AS kind, CASE WHEN has_stub = 1 THEN ${NEXT}
      WHEN by_file = 1 THEN lying.modified_ms + age_ms ELSE lying.last_ms + age_ms END AS at_ms
    FROM lying JOIN session_files AS place
      ON place.session = lying.session AND place.position = lying.first
    JOIN rules ON rules.root = place.root_path
  )`;

const IS_UNKEPT = `EXISTS (SELECT 1 FROM session_places AS place, json_each(place.files) AS file
  WHERE place.session = s.key AND file.value ->> '$.path' IN (SELECT value FROM json_each(?)))`;

/** The counts of a source, or the key of one of the first sessions. */
type Row = ({ key: null } & ExpiringCount) | { key: number };

export function listExpiring(database: Database, query: ExpiryQuery): Expiring {
  const { rules, beforeMs, unkept, limit } = query;
  if (rules.length === 0) return { counts: [], first: [] };
  const listed = rules.map(() => `(${placeholders(4)})`).join(", ");
  const conditions = sessionConditions(query.scope, query.filter).add("at_ms < ?", beforeMs);
  const lost = unkeptAmong(unkept);
  const rows = database.all<Row>(
    `WITH rules (root, kind, age_ms, by_file) AS (VALUES ${listed}), ${AGED},
    expiring AS MATERIALIZED (
      SELECT s.key, s.source, ${lost.sql} AS is_lost, at_ms, ${NEWEST[0]} AS newest, s.id
      FROM aged JOIN sessions AS s ON s.key = aged.session AND s.kind = aged.kind
      ${conditions.where}
    ), first AS (SELECT key FROM expiring ORDER BY at_ms, newest, id, source LIMIT ?)
    SELECT NULL AS key, source, count(*) AS sessions, sum(is_lost) AS notKept FROM expiring
    GROUP BY source UNION ALL SELECT key, '', 0, 0 FROM first`,
    ...rules.flatMap(ruleValues),
    ...lost.values,
    ...conditions.values,
    limit ?? -1,
  );
  const keys = rows.flatMap(({ key }) => key ?? []);
  const counts = rows.flatMap((row) => {
    if (row.key !== null) return [];
    const { source, sessions, notKept } = row;
    return [{ source, sessions, notKept }];
  });
  return { counts, first: locatedByKey(database, keys) };
}

function unkeptAmong(unkept: ExpiryQuery["unkept"]): { sql: string; values: Value[] } {
  if (unkept === "all") return { sql: "1", values: [] };
  if (unkept.size === 0) return { sql: "0", values: [] };
  return { sql: IS_UNKEPT, values: [JSON.stringify([...unkept])] };
}

function ruleValues({ root, kind, maxAgeMs, isByFileTime }: ExpiryRule): Value[] {
  return [root, kind, maxAgeMs ?? null, isByFileTime ? 1 : 0];
}
