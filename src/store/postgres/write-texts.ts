import { IS_RUN } from "../../core/fold.ts";
import { indexedWords } from "../search-words.ts";
import type { SessionTexts } from "../store.ts";
import type { Connection, Copied, Database } from "./database.ts";
import { sessionKey } from "./session-key.ts";
import { vectorsOf } from "./word-vectors.ts";

const COLUMNS = [
  "session",
  "piece",
  "part",
  "parts",
  "message",
  "role",
  "standing",
  "at_ms",
  "newest",
  "places",
  "words",
] as const;

/** Texts replace those of their sessions, in one transaction. */
export async function putTexts(database: Database, batch: readonly SessionTexts[]): Promise<void> {
  const vocabulary = new Set<string>();
  const prepared = batch.map((texts) => {
    const rows = rowsOf(texts, vocabulary);
    return { key: sessionKey(texts), revision: texts.revision ?? null, rows };
  });
  await learnWords(database, vocabulary);
  await database.write(async (connection) => {
    const there = await lockSessions(
      connection,
      prepared.map(({ key }) => key),
    );
    const kept = new Map(prepared.filter(({ key }) => there.has(key)).map((one) => [one.key, one]));
    const keys = [...kept.keys()];
    await connection.run("DELETE FROM texts WHERE session = ANY($1::int8[])", [keys]);
    const rows = [...kept.values()].flatMap((texts) => texts.rows);
    await connection.copy("texts", COLUMNS, rows);
    const sql = `UPDATE sessions SET is_indexed = true
      FROM unnest($1::int8[], $2::int8[]) AS written (session, revision)
      WHERE sessions.session = written.session
        AND sessions.revision = coalesce(written.revision, sessions.revision)`;
    await connection.run(sql, [keys, [...kept.values()].map(({ revision }) => revision)]);
  });
}

/** Sessions that are there; nobody else writes their texts meanwhile. */
async function lockSessions(connection: Connection, keys: readonly string[]): Promise<Set<string>> {
  const sql = `SELECT session::text FROM sessions WHERE session = ANY($1::int8[])
    ORDER BY session FOR UPDATE`;
  const rows = await connection.all<{ session: string }>(sql, [keys]);
  return new Set(rows.map(({ session }) => session));
}

/** The rows of a session's texts; their words are added to the vocabulary. */
function rowsOf(texts: SessionTexts, vocabulary: Set<string>): Copied[] {
  const key = sessionKey(texts);
  return texts.pieces.flatMap((piece, number) => {
    const { messageId, role, standing, atMs, places } = piece;
    const words = indexedWords(piece.texts.join("\n"));
    for (const word of words) if (isWord(word)) vocabulary.add(word);
    const vectors = vectorsOf(words);
    return vectors.map((vector, part) => [
      key,
      number,
      part,
      vectors.length,
      messageId,
      role,
      standing,
      atMs,
      atMs ?? 0,
      JSON.stringify(places),
      vector,
    ]);
  });
}

const SHORTEST = 2;
const LONGEST = 32;

/** Words that may be meant by mistyped ones. They stay when their texts go, and are not counted. */
async function learnWords(database: Database, vocabulary: ReadonlySet<string>): Promise<void> {
  // Always in the same order: two that add the same words must not wait for each other.
  const words = [...vocabulary].toSorted();
  const sql = "INSERT INTO vocabulary SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING";
  for (let from = 0; from < words.length; from += 10_000) {
    await database.run(sql, [words.slice(from, from + 10_000)]);
  }
}

function isWord(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST && !IS_RUN.test(word);
}
