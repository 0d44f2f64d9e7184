import { PolluxError } from "../../../core/error.ts";
import type { SessionRef } from "../../store.ts";
import type { NewOpening, Share, Shares, Owner, Viewer } from "../../team.ts";
import type { Database } from "../database.ts";
import { sessionKey } from "../derived/session-key.ts";

interface OpeningRow {
  source: string;
  session_id: string;
  team: string | null;
  at_ms: number;
}

/** Sessions that people share with others. Row security decides who may see them. */
export class PostgresOpenings implements Shares {
  readonly #admin: Database;
  readonly #acting: (viewer: Viewer) => Database;

  constructor(admin: Database, acting: (viewer: Viewer) => Database) {
    this.#admin = admin;
    this.#acting = acting;
  }

  #own(person: number): Database {
    return this.#acting({ viewer: person, role: "developer" });
  }

  async of(person: number): Promise<Share[]> {
    const sql = `SELECT source, session_id, teams.name AS team, at_ms FROM opened
      LEFT JOIN teams ON teams.id = opened.team
      WHERE person = $1 ORDER BY at_ms DESC, session_id`;
    const rows = await this.#own(person).all<OpeningRow>(sql, [person]);
    return rows.map(({ source, session_id: sessionId, team, at_ms: atMs }) => {
      return { source, sessionId, team, atMs };
    });
  }

  async open(person: number, { sessions, team, atMs }: NewOpening): Promise<void> {
    await this.#own(person).write(async (connection) => {
      const named = "SELECT id FROM teams WHERE name = $1";
      const [found] = await connection.all<{ id: number }>(named, [team ?? null]);
      if (team !== undefined && !found) {
        throw new PolluxError("no-such-team", `There is no team "${team}".`);
      }
      for (const { source, id } of sessions) {
        const sql = `INSERT INTO opened (person, session, source, session_id, team, at_ms)
          VALUES ($1, $2, $3, $4, $5, $6)
          ON CONFLICT (person, session) DO UPDATE SET team = excluded.team`;
        const session = sessionKey({ source, id });
        await connection.run(sql, [person, session, source, id, found?.id ?? 0, atMs]);
      }
    });
  }

  async close(person: number, sessions: readonly SessionRef[]): Promise<number> {
    const keys = sessions.map(({ source, id }) => sessionKey({ source, id }));
    const sql = "DELETE FROM opened WHERE person = $1 AND session = ANY($2::int8[])";
    return this.#own(person).run(sql, [person, keys]);
  }

  async owners(viewer: number): Promise<Owner[]> {
    const sql = `SELECT person AS id, count(*)::int4 AS opened FROM opened
      WHERE person <> $1 GROUP BY person`;
    const rows = await this.#own(viewer).all<{ id: number; opened: number }>(sql, [viewer]);
    const opened = new Map(rows.map((row) => [row.id, row.opened]));
    const names = `SELECT id, subject, name FROM people WHERE id = ANY($1::int4[])
      AND left_ms IS NULL ORDER BY name, id`;
    const people = await this.#admin.all<Omit<Owner, "opened">>(names, [[...opened.keys()]]);
    return people.map((person) => ({ ...person, opened: opened.get(person.id) ?? 0 }));
  }
}
