import type { SessionRef } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { sessionKey } from "./session-key.ts";

const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Links sessions to their parents: by the recorded parent, else by calls in other sessions (rule:
 * `core/session/links.ts`).
 */
export class Parents {
  readonly #connection: Connection;
  /** Sessions whose parent or topmost parent may have changed, by key. */
  readonly #touched = new Map<string, SessionRef>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  touch(sessions: readonly SessionRef[]): void {
    for (const session of sessions) this.#touched.set(sessionKey(session), session);
  }

  /**
   * Marks the subsessions that these sessions' calls started; call before the calls are removed and
   * after they are written.
   */
  async touchBegun(sessions: readonly string[]): Promise<void> {
    const sql = `SELECT DISTINCT source, agent AS id FROM agent_calls
      WHERE session = ANY($1::int8[])`;
    this.touch(await this.#connection.all<SessionRef>(sql, [sessions]));
  }

  async settle(): Promise<void> {
    if (this.#touched.size === 0) return;
    await this.#connection.run(SET_PARENTS, [[...this.#touched.keys()]]);
    const refs = [...this.#touched.values()];
    const values = [refs.map(({ source }) => source), refs.map(({ id }) => id)];
    await this.#connection.run(SET_TOPS, values);
  }
}

const SET_PARENTS = `UPDATE sessions AS child
  SET parent = found.parent, parent_call = found.parent_call
  FROM (
    SELECT begun.session, coalesce(begun.recorded_parent, first.id) AS parent,
      coalesce(begun.recorded_call, first.call) AS parent_call
    FROM sessions AS begun LEFT JOIN LATERAL (
      SELECT caller.id, agent_calls.call FROM agent_calls
      JOIN sessions AS caller ON caller.session = agent_calls.session
      WHERE agent_calls.agent = begun.id AND agent_calls.source = begun.source
        AND caller.id <> begun.id AND caller.id = coalesce(begun.recorded_parent, caller.id)
      ORDER BY caller.copy_rank, coalesce(caller.started_ms, ${LAST}), caller.id,
        agent_calls.position LIMIT 1
    ) AS first ON true
    WHERE begun.session = ANY($1::int8[])
  ) AS found
  WHERE child.session = found.session
    AND (child.parent, child.parent_call) IS DISTINCT FROM (found.parent, found.parent_call)`;

/**
 * Sets the topmost existing parent of touched sessions and of all their subsessions. In a cycle of
 * parents, it is the session itself.
 */
const SET_TOPS = `WITH RECURSIVE below AS (
    SELECT source COLLATE "C" AS source, id COLLATE "C" AS id
    FROM unnest($1::text[], $2::text[]) AS touched (source, id)
    UNION
    SELECT child.source, child.id FROM below
    JOIN sessions AS child ON child.parent = below.id AND child.source = below.source
  ), above AS (
    SELECT sessions.session AS start, sessions.session AS reached,
      ARRAY[sessions.session] AS seen, false AS is_circle
    FROM below JOIN sessions USING (source, id)
    UNION ALL
    SELECT above.start, parent.session, above.seen || parent.session,
      parent.session = ANY(above.seen)
    FROM above
    JOIN sessions AS child ON child.session = above.reached
    JOIN sessions AS parent ON parent.source = child.source AND parent.id = child.parent
    WHERE NOT above.is_circle
  ), tops AS (
    SELECT start, CASE WHEN bool_or(is_circle) THEN start
      ELSE (array_agg(reached ORDER BY cardinality(seen) DESC))[1] END AS top
    FROM above GROUP BY start
  )
  UPDATE sessions SET top = tops.top FROM tops
  WHERE sessions.session = tops.start AND sessions.top <> tops.top`;
