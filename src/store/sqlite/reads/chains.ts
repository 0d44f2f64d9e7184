import type { Chain, ChainLink } from "../../../core/session/chain.ts";
import { chainsOf, sharedLink } from "../../../core/session/links.ts";
import type { SessionOrigin } from "../../../core/session/session.ts";
import type { Scope } from "../../store.ts";
import type { Database } from "../database.ts";
import { sessionConditions } from "./filters.ts";

/** Finds which sessions continue which: by recorded origins and by repeated replies. */
export function findChains(database: Database, scope: Scope): Chain[] {
  const chains = chainsOf([...originLinks(database), ...sharedLinks(database)]);
  if (scope === "own") return chains;
  const conditions = sessionConditions(scope, {});
  const sql = `SELECT id FROM sessions AS s${conditions.where}`;
  const ids = new Set(database.all<{ id: string }>(sql, ...conditions.values).map(({ id }) => id));
  return chains.filter(({ sessionIds }) => sessionIds.some((id) => ids.has(id)));
}

function originLinks(database: Database): ChainLink[] {
  const sql = "SELECT id, origins FROM sessions WHERE origins IS NOT NULL ORDER BY key";
  return database.all<{ id: string; origins: string }>(sql).flatMap(({ id, origins }) =>
    (JSON.parse(origins) as SessionOrigin[]).map(({ sessionId, how }) => {
      return { fromId: sessionId, toId: id, how, sharedMessages: 0 };
    }),
  );
}

function sharedLinks(database: Database): ChainLink[] {
  const sql = `SELECT owner.id AS from_id, copy.id AS to_id, copy.is_import AS is_import,
    count(DISTINCT r.position) AS shared FROM replies AS r JOIN sessions AS copy ON copy.key = r.session
    JOIN replies AS o ON o.digest = r.digest AND o.is_owner = 1
    JOIN sessions AS owner ON owner.key = o.session
    WHERE r.is_owner = 0 GROUP BY copy.source, owner.id, copy.id, copy.is_import`;
  type Row = { from_id: string; to_id: string; is_import: number; shared: number };
  return database.all<Row>(sql).map((row) => {
    return sharedLink(row.from_id, { id: row.to_id, isImport: row.is_import === 1 }, row.shared);
  });
}
