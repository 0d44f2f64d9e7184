import type { Chain, ChainLink } from "../../../core/session/chain.ts";
import { chainsOf, originLinks, sharedLink } from "../../../core/session/links.ts";
import { matchesTime } from "../../../core/filter/matches.ts";
import type { SessionFacts } from "../../../core/rows/session-rows.ts";
import type { SessionUnrecorded } from "../../../core/session/session.ts";
import type { SessionSummary } from "../../../core/rows/summary.ts";
import type { Scope, ScopedFilter } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { inScope, whereLedger } from "./filters.ts";
import { Query } from "./query.ts";

interface Stored {
  summary: string;
  facts: string;
}

/** Finds sessions that continue one another: by recorded origins and by repeated replies. */
export async function findChains(connection: Connection, scope: Scope): Promise<Chain[]> {
  const origins = await connection.all<Stored>(
    "SELECT summary, facts FROM sessions WHERE has_origins ORDER BY source, id",
  );
  const said = origins.flatMap(({ summary, facts }) =>
    originLinks({
      summary: JSON.parse(summary) as SessionSummary,
      session: JSON.parse(facts) as SessionFacts,
    }),
  );
  const chains = chainsOf([...said, ...(await repeated(connection))]);
  if (scope === "own") return chains;
  const query = new Query();
  const ids = new Set(
    (
      await connection.all<{ id: string }>(
        `SELECT id FROM sessions WHERE ${inScope(query, scope)}`,
        query.values,
      )
    ).map(({ id }) => id),
  );
  return chains.filter(({ sessionIds }) => sessionIds.some((id) => ids.has(id)));
}

interface Repeated {
  from_id: string;
  summary: string;
  shared: number;
}

async function repeated(connection: Connection): Promise<ChainLink[]> {
  const sql = `SELECT owners.id AS from_id, copies.summary, counted.shared
    FROM (SELECT session, owner, count(*) AS shared FROM replies WHERE owner IS NOT NULL
      GROUP BY session, owner) AS counted
    JOIN sessions AS owners ON owners.session = counted.owner
    JOIN sessions AS copies ON copies.session = counted.session
    ORDER BY copies.source, copies.id, owners.id`;
  const rows = await connection.all<Repeated>(sql);
  return rows.map(({ from_id, summary, shared }) => {
    return sharedLink(from_id, JSON.parse(summary) as SessionSummary, shared);
  });
}

export async function findUnrecorded(
  connection: Connection,
  { scope, filter }: ScopedFilter,
): Promise<SessionUnrecorded[]> {
  const query = new Query().where("has_unrecorded");
  query.where(inScope(query, scope));
  whereLedger(query, filter);
  const rows = await connection.all<Stored>(
    `SELECT summary, facts FROM sessions WHERE ${query.conditions} ORDER BY source, id`,
    query.values,
  );
  return rows.flatMap(({ summary, facts }) => {
    const { unrecorded: usage = [] } = JSON.parse(facts) as SessionFacts;
    const row = JSON.parse(summary) as SessionSummary;
    if (!matchesTime(row, filter)) return [];
    return [{ source: row.source, sessionId: row.id, usage }];
  });
}
