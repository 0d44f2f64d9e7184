import { PolluxError } from "../../../core/error.ts";
import type { SessionRows } from "../../../core/rows/session-rows.ts";
import { projectAnswer } from "../../../core/rows/summarise.ts";
import type { Batch, SessionRef } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { OF_SESSIONS } from "./derived-schema.ts";
import { recomputeBuckets, setOwnUsage } from "./buckets.ts";
import { Owners } from "./owners.ts";
import { Parents } from "./parents.ts";
import { sessionKey } from "./session-key.ts";
import type { Written } from "./session-rows.ts";
import { projectColumns, touchedPath } from "./session-rows.ts";

type Renamed = NonNullable<Batch["renamed"]>[number];

/** Replaces and drops sessions, and updates everything that depends on several of them. */
export async function putSessions(
  connection: Connection,
  { written, sessions, dropped }: { written?: Written } & Pick<Batch, "sessions" | "dropped">,
): Promise<void> {
  const replaced = sessions.map(({ summary }) => ({ source: summary.source, id: summary.id }));
  const before = await knownSessions(connection, [...replaced, ...dropped]);
  const owners = new Owners(connection);
  const parents = new Parents(connection);
  parents.touch([...replaced, ...dropped]);
  if (before.length > 0) {
    await owners.leave(before);
    await parents.touchBegun(before);
    for (const table of [...OF_SESSIONS, "sessions"]) {
      await connection.run(`DELETE FROM ${table} WHERE session = ANY($1::int8[])`, [before]);
    }
  }
  await dropTexts(connection, dropped);
  for (const [table, { columns, rows }] of Object.entries(written ?? {})) {
    await connection.copy(table, columns, rows);
  }
  const keys = replaced.map(sessionKey);
  await parents.touchBegun(keys);
  await parents.settle();
  const records = written?.record_keys.rows.map(([key]) => String(key)) ?? [];
  const touched = await owners.settle(keys, records);
  if (touched.size === 0) return;
  await recomputeBuckets(connection, [...touched]);
  if (owners.isShared) await setOwnUsage(connection, [...touched]);
}

/** Keys of the sessions that exist. */
async function knownSessions(
  connection: Connection,
  sessions: readonly SessionRef[],
): Promise<string[]> {
  const byKey = new Map(sessions.map((session) => [sessionKey(session), session]));
  const sql = "SELECT session::text, source, id FROM sessions WHERE session = ANY($1::int8[])";
  const rows = await connection.all<SessionRef & { session: string }>(sql, [[...byKey.keys()]]);
  for (const { session, source, id } of rows) {
    const meant = byKey.get(session);
    if (meant?.id === id && meant.source === source) continue;
    throw new PolluxError("session-collision", `The sessions ${id} and ${meant?.id} share a key.`);
  }
  return rows.map(({ session }) => session);
}

async function dropTexts(connection: Connection, dropped: readonly SessionRef[]): Promise<void> {
  if (dropped.length === 0) return;
  const sql = "DELETE FROM texts WHERE session = ANY($1::int8[])";
  await connection.run(sql, [dropped.map(sessionKey)]);
}

/** If a batch has several rows for a session, the last ones count. */
export function lastOfEach({ sessions, dropped }: Batch): SessionRows[] {
  const byKey = new Map(sessions.map((rows) => [sessionKey(rows.summary), rows]));
  for (const session of dropped) byKey.delete(sessionKey(session));
  return [...byKey.values()];
}

export async function renameSession(connection: Connection, renamed: Renamed): Promise<void> {
  const session = sessionKey(renamed);
  const sql = "SELECT summary, facts FROM sessions WHERE session = $1";
  const [row] = await connection.all<{ summary: string; facts: string }>(sql, [session]);
  if (!row) return;
  const { project } = renamed;
  const answer = projectAnswer(project);
  const columns = {
    ...projectColumns(answer),
    summary: JSON.stringify({ ...(JSON.parse(row.summary) as object), project: answer }),
    facts: JSON.stringify({ ...(JSON.parse(row.facts) as object), project }),
  };
  const set = Object.keys(columns).map((name, at) => `${name} = $${at + 2}`);
  const update = `UPDATE sessions SET ${set.join(", ")} WHERE session = $1`;
  await connection.run(update, [session, ...Object.values(columns)]);
  await moveTouched(connection, session, answer.path);
}

/** Updates the absolute paths of files recorded with relative paths. */
async function moveTouched(
  connection: Connection,
  session: string,
  project: string | null,
): Promise<void> {
  const sql = "SELECT position, recorded FROM tool_files WHERE session = $1";
  const files = await connection.all<{ position: number; recorded: string }>(sql, [session]);
  if (files.length === 0) return;
  const update = `UPDATE tool_files SET path = moved.path
    FROM unnest($2::int4[], $3::text[]) AS moved (position, path)
    WHERE tool_files.session = $1 AND tool_files.position = moved.position`;
  const positions = files.map(({ position }) => position);
  const paths = files.map(({ recorded }) => touchedPath(recorded, project));
  await connection.run(update, [session, positions, paths]);
}
