import type { Query } from "./query.ts";

/** Whose memberships count: in teams that this person leads, or of people in this team. */
interface Memberships {
  ledBy?: number;
  team?: string;
}

/**
 * Joins all teams that a person was in at the time, as one list: each row is counted once, and the
 * caller adds it to each of its teams.
 */
export function membersAt(query: Query, { ledBy, team }: Memberships, time: string): string {
  const led =
    ledBy === undefined
      ? ""
      : `WHERE memberships.team IN (SELECT team FROM grants
          WHERE grants.person = ${query.value(ledBy)} AND grants.role = 'lead')`;
  const named = team === undefined ? "" : `HAVING bool_or(teams.name = ${query.value(team)})`;
  return `${led === "" && named === "" ? "LEFT" : ""} JOIN (
      SELECT spans.person, spans.from_ms, spans.to_ms,
        json_agg(teams.name ORDER BY teams.name)::text AS teams
      FROM (
        SELECT person, at_ms AS from_ms,
          lead(at_ms) OVER (PARTITION BY person ORDER BY at_ms) AS to_ms
        FROM (
          SELECT person, from_ms AS at_ms FROM memberships
          UNION SELECT person, coalesce(to_ms, 'infinity'::float8) FROM memberships
        ) AS changes
      ) AS spans
      JOIN memberships ON memberships.person = spans.person
        AND memberships.from_ms <= spans.from_ms
        AND coalesce(memberships.to_ms, 'infinity'::float8) > spans.from_ms
      JOIN teams ON teams.id = memberships.team
      ${led}
      GROUP BY spans.person, spans.from_ms, spans.to_ms
      ${named}
    ) AS members ON members.person = counted.person
      AND ${time} >= members.from_ms AND ${time} < members.to_ms`;
}
