import { keyOf, topOf } from "../../../core/session/links.ts";
import type { SessionRows } from "../../../core/rows/session-rows.ts";
import type { Database } from "../database.ts";
import { insertInto } from "../sql.ts";

const LAST = Number.MAX_SAFE_INTEGER;

interface Child {
  key: number;
  source: string;
  id: string;
  recorded_parent: string | null;
  recorded_call: string | null;
}

/**
 * Links sessions to their parents: by the recorded parent, and by calls in other sessions that name
 * them.
 */
export class Parents {
  readonly #database: Database;
  /** Sessions to relink, by source and id. */
  readonly #touched = new Map<string, { source: string; id: string }>();

  constructor(database: Database) {
    this.#database = database;
  }

  putCalls(session: number, calls: SessionRows["agentCalls"]): void {
    const sql = insertInto("agent_calls", ["session", "position", "agent", "call"]);
    for (const [position, { agentId, callId }] of calls.entries()) {
      this.#database.run(sql, session, position, agentId, callId);
    }
  }

  /** Call before a session's agent calls are removed. */
  leaveCalls(session: number): void {
    const sql = `SELECT source, agent AS id FROM agent_calls JOIN sessions ON sessions.key = session
      WHERE session = ?`;
    for (const child of this.#database.all<{ source: string; id: string }>(sql, session)) {
      this.#touched.set(keyOf(child.source, child.id), child);
    }
  }

  /** Call before a session is removed: its subsessions get another topmost session. */
  leave(session: number): void {
    const sql = `SELECT child.source, child.id FROM sessions AS child JOIN sessions AS parent
      ON child.source = parent.source AND child.parent = parent.id WHERE parent.key = ?`;
    for (const child of this.#database.all<{ source: string; id: string }>(sql, session)) {
      this.#touched.set(keyOf(child.source, child.id), child);
    }
  }

  /** Call after a session's rows and agent calls were written. */
  touch(session: number): void {
    const sql = "SELECT source, id FROM sessions WHERE key = ?";
    const own = this.#database.get<{ source: string; id: string }>(sql, session);
    if (own) this.#touched.set(keyOf(own.source, own.id), own);
    this.leaveCalls(session);
  }

  settle(): void {
    const sql = `SELECT key, source, id, recorded_parent, recorded_call FROM sessions
      WHERE source = ? AND id = ?`;
    const children = [...this.#touched.values()].flatMap(({ source, id }) => {
      return this.#database.get<Child>(sql, source, id) ?? [];
    });
    for (const child of children) this.#link(child);
    const tops = new Set<number>();
    for (const child of children) this.#placeUnder(child, tops);
  }

  #link(child: Child): void {
    const sql = `SELECT id, call FROM agent_calls JOIN sessions ON sessions.key = session
      WHERE agent = ?1 AND source = ?2 AND id <> ?1 AND id = coalesce(?3, id)
      ORDER BY copy_rank, coalesce(started_ms, ${LAST}), id, position LIMIT 1`;
    const { key, source, id, recorded_parent: recorded } = child;
    const call = this.#database.get<{ id: string; call: string }>(sql, id, source, recorded);
    const parent = recorded ?? call?.id ?? null;
    const parentCall = child.recorded_call ?? call?.call ?? null;
    const update = "UPDATE sessions SET parent = ?, parent_call = ? WHERE key = ?";
    this.#database.run(update, parent, parent === null ? null : parentCall, key);
  }

  /** Sets the topmost parent of a session and of all its subsessions. */
  #placeUnder({ key, source, id }: Pick<Child, "key" | "source" | "id">, done: Set<number>): void {
    if (done.has(key)) return;
    done.add(key);
    const sql = "SELECT key, parent FROM sessions WHERE source = ? AND id = ?";
    const find = (name: string): { key: number; parent: string | null } | undefined =>
      this.#database.get<{ key: number; parent: string | null }>(sql, source, name);
    const top = topOf(id, (below) => {
      const parent = find(below)?.parent ?? undefined;
      return parent !== undefined && find(parent) ? parent : undefined;
    });
    const topKey = find(top)?.key ?? key;
    this.#database.run("UPDATE sessions SET top = ? WHERE key = ?", topKey, key);
    const below = "SELECT key, source, id FROM sessions WHERE parent = ? AND source = ?";
    for (const child of this.#database.all<Child>(below, id, source)) this.#placeUnder(child, done);
  }
}
