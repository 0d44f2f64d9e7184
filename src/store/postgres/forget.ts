import { forgottenKey } from "../forgotten.ts";
import type { ForgetSelection, SessionRef } from "../store.ts";
import { sweepChunks } from "./bytes/chunk-care.ts";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { insertRows } from "./derived/insert.ts";
import { lock } from "./migrations.ts";
import { dropLoose } from "./bytes/external-bytes.ts";
import { sessionKey } from "./derived/session-key.ts";
import { putSessions } from "./derived/write-sessions.ts";

/**
 * Permanently removes the bytes, rows and words of files and sessions, and notes that they must not
 * be kept again. Old data in the server's pages is overwritten when the pages are reused; `VACUUM
 * FULL`, which blocks all other users, is left to the database administrator.
 */
export async function forget(database: Database, selection: ForgetSelection): Promise<void> {
  const { files, sessions, rows = [], paths, nowMs } = selection;
  const dropped = [...sessions, ...rows];
  await database.write(async (connection) => {
    await lock(connection, "commit");
    const words = await wordsOf(connection, dropped);
    await putSessions(connection, { sessions: [], dropped });
    await dropWords(connection, words);
    await dropContents(connection, files, nowMs);
    await sweepChunks(connection);
    for (const { source, id } of sessions) {
      await connection.run("DELETE FROM annotations WHERE source = $1 AND session = $2", [
        source,
        id,
      ]);
    }
    const notes = [
      ...sessions.map((session) => ["session", forgottenKey(session), nowMs]),
      ...paths.map((path) => ["file", path, nowMs]),
    ];
    const conflict = "ON CONFLICT DO NOTHING";
    const into = { table: "forgotten", columns: ["kind", "key", "at_ms"], conflict };
    await insertRows(connection, into, notes);
  });
  await dropLoose(database);
}

async function wordsOf(connection: Connection, sessions: readonly SessionRef[]): Promise<string[]> {
  const sql = `SELECT DISTINCT word FROM texts, unnest(tsvector_to_array(words)) AS word
    WHERE session = ANY($1::int8[])`;
  const rows = await connection.all<{ word: string }>(sql, [sessions.map(sessionKey)]);
  return rows.map(({ word }) => word);
}

/** Removes words that no text contains any more. */
async function dropWords(connection: Connection, words: readonly string[]): Promise<void> {
  const isThere = (parts: string): string =>
    `EXISTS (SELECT 1 FROM texts WHERE ${parts} AND words @@ quote_literal(word)::tsquery)`;
  const sql = `DELETE FROM vocabulary WHERE word = ANY($1::text[])
    AND NOT ${isThere("parts = 1")} AND NOT ${isThere("parts > 1")}`;
  await connection.run(sql, [words]);
}

/** A path may have held several sessions over time; other sessions' contents stay. */
async function dropContents(
  connection: Connection,
  ids: readonly number[],
  nowMs: number,
): Promise<void> {
  const newest = ids.filter((id) => id > 0);
  // A content without a session may be an earlier state of a selected one.
  const sql = `SELECT contents.id FROM contents JOIN files ON files.id = contents.file
    LEFT JOIN readings ON readings.file = -contents.id
    WHERE contents.id = ANY($1::int8[]) AND contents.id <> files.content
      OR contents.id = files.content AND files.id = ANY($2::int8[])
      OR contents.id <> files.content AND coalesce(readings.session_ids, '{}') = '{}'
        AND coalesce(readings.is_read, false) = false
        AND (files.id = ANY($2::int8[])
          OR files.id IN (SELECT file FROM contents WHERE id = ANY($1::int8[])))`;
  const earlier = ids.filter((id) => id < 0).map((id) => -id);
  const rows = await connection.all<{ id: number }>(sql, [earlier, newest]);
  const contents = rows.map(({ id }) => id);
  await connection.run("DELETE FROM pieces WHERE content = ANY($1::int8[])", [contents]);
  await connection.run("DELETE FROM versions WHERE content = ANY($1::int8[])", [contents]);
  await connection.run("DELETE FROM contents WHERE id = ANY($1::int8[])", [contents]);
  const readings = [...contents.map((content) => -content), ...newest];
  await connection.run("DELETE FROM readings WHERE file = ANY($1::int8[])", [readings]);
  await pointToEarlier(connection, newest, nowMs);
}

/** Makes the latest remaining content the newest one, marked as deleted from the disk. */
async function pointToEarlier(
  connection: Connection,
  files: readonly number[],
  nowMs: number,
): Promise<void> {
  const point = `UPDATE files SET content = left_over.content, size_bytes = left_over.size_bytes,
      modified_ms = left_over.modified_ms, digest = NULL, inode = NULL, gone_since_ms = $2
    FROM (
      SELECT DISTINCT ON (contents.file) contents.file, versions.content, versions.size_bytes,
        versions.modified_ms
      FROM contents JOIN versions ON versions.content = contents.id
      WHERE contents.file = ANY($1::int8[])
      ORDER BY contents.file, versions.modified_ms DESC, versions.id DESC
    ) AS left_over WHERE files.id = left_over.file RETURNING files.id, files.content`;
  const rows = await connection.all<{ id: number; content: number }>(point, [files, nowMs]);
  const contents = rows.map(({ content }) => -content);
  await connection.run("DELETE FROM readings WHERE file = ANY($1::int8[])", [contents]);
  const left = new Set(rows.map(({ id }) => id));
  const empty = files.filter((id) => !left.has(id));
  await connection.run("DELETE FROM files WHERE id = ANY($1::int8[])", [empty]);
}
