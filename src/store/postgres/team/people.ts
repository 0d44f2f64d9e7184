import { optional } from "../../../core/optional.ts";
import type { TeamRole } from "../../../core/team/team.ts";
import type { People, Person } from "../../team.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../database.ts";

interface PersonRow {
  id: number;
  subject: string;
  name: string;
  left_ms: number | null;
  roles: TeamRole[] | null;
  teams: string[] | null;
}

const PEOPLE = `SELECT people.*,
    (SELECT array_agg(DISTINCT role ORDER BY role) FROM grants WHERE person = people.id) AS roles,
    (SELECT array_agg(DISTINCT teams.name::text) FROM memberships
      JOIN teams ON teams.id = memberships.team
      WHERE person = people.id AND to_ms IS NULL) AS teams
  FROM people`;

/** The people of a team. Written by an administrator, or by the server when a person signs in. */
export class PostgresPeople implements People {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<Person[]> {
    return (await this.#database.all<PersonRow>(`${PEOPLE} ORDER BY people.id`)).map(personOf);
  }

  async led(person: number): Promise<string[]> {
    const sql = `SELECT teams.name FROM grants JOIN teams ON teams.id = grants.team
      WHERE grants.person = $1 AND grants.role = 'lead' ORDER BY teams.name`;
    return (await this.#database.all<{ name: string }>(sql, [person])).map(({ name }) => name);
  }

  async find(subject: string): Promise<Person | undefined> {
    const sql = `${PEOPLE} WHERE people.subject = $1`;
    const [row] = await this.#database.all<PersonRow>(sql, [subject]);
    return row && personOf(row);
  }

  async put({ subject, name }: { subject: string; name: string }): Promise<Person> {
    const sql = `INSERT INTO people (subject, name) VALUES ($1, $2)
      ON CONFLICT (subject) DO UPDATE SET name = excluded.name`;
    await this.#database.run(sql, [subject, name]);
    const person = await this.find(subject);
    if (!person) throw new RangeError("A person was added and is not there.");
    return person;
  }

  async setTeams(person: number, teams: readonly string[], nowMs: number): Promise<void> {
    await this.#database.write(async (connection) => {
      for (const name of teams) await addTeam(connection, name);
      const named = "SELECT id FROM teams WHERE name = ANY($2::text[])";
      const leave = `UPDATE memberships SET to_ms = $3::float8 WHERE person = $1 AND to_ms IS NULL
        AND team NOT IN (${named})`;
      await connection.run(leave, [person, teams, nowMs]);
      const join = `INSERT INTO memberships (person, team, from_ms)
        SELECT $1, id, CASE WHEN EXISTS (SELECT 1 FROM memberships WHERE person = $1)
          THEN $3::float8 ELSE 0 END
        FROM teams WHERE name = ANY($2::text[]) AND NOT EXISTS (SELECT 1 FROM memberships
          WHERE person = $1 AND team = teams.id AND to_ms IS NULL)
        ON CONFLICT DO NOTHING`;
      await connection.run(join, [person, teams, nowMs]);
    });
  }

  async grant(person: number, role: TeamRole, team?: string): Promise<void> {
    await this.#database.write(async (connection) => {
      if (team !== undefined) await addTeam(connection, team);
      const sql = `INSERT INTO grants (person, role, team)
        VALUES ($1, $2, coalesce((SELECT id FROM teams WHERE name = $3), 0))
        ON CONFLICT DO NOTHING`;
      await connection.run(sql, [person, role, team ?? null]);
    });
  }

  async revoke(person: number, role: TeamRole): Promise<void> {
    await this.#database.run("DELETE FROM grants WHERE person = $1 AND role = $2", [person, role]);
  }

  async leave(person: number, nowMs: number): Promise<void> {
    await this.#database.write(async (connection) => {
      await connection.run("UPDATE people SET left_ms = $2 WHERE id = $1", [person, nowMs]);
      const sql = "UPDATE devices SET revoked_ms = $2 WHERE person = $1 AND revoked_ms IS NULL";
      await connection.run(sql, [person, nowMs]);
      await connection.run("DELETE FROM grants WHERE person = $1", [person]);
    });
  }

  async comeBack(person: number): Promise<void> {
    await this.#database.run("UPDATE people SET left_ms = NULL WHERE id = $1", [person]);
  }

  async destroyKey(person: number): Promise<boolean> {
    const sql = "UPDATE people SET key = NULL WHERE id = $1 AND key IS NOT NULL";
    return (await this.#database.run(sql, [person])) > 0;
  }

  async erase(person: number): Promise<number> {
    return this.#database.write(async (connection) => {
      let removed = 0;
      for (const table of ["devices", "codes", "grants", "memberships"]) {
        removed += await connection.run(`DELETE FROM ${table} WHERE person = $1`, [person]);
      }
      // The id stays: receipts refer to it, and it is never reused.
      const sql = "UPDATE people SET subject = 'erased ' || id, name = 'erased' WHERE id = $1";
      return removed + (await connection.run(sql, [person]));
    });
  }
}

async function addTeam(connection: Connection, name: string): Promise<void> {
  await connection.run("INSERT INTO teams (name) VALUES ($1) ON CONFLICT DO NOTHING", [name]);
}

/** Every person has the role `developer`, for their own sessions. */
function personOf({ id, subject, name, left_ms, roles, teams }: PersonRow): Person {
  const all: TeamRole[] = ["developer", ...(roles ?? []).filter((role) => role !== "developer")];
  const left = optional("leftMs", left_ms ?? undefined);
  return { id, subject, name, roles: all, teams: (teams ?? []).toSorted(), ...left };
}
