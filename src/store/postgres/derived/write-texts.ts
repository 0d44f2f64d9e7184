import { UNSPACED_SCRIPT } from "../../../core/filter/fold.ts";
import { indexedWords } from "../../search-words.ts";
import type { SessionTexts } from "../../store.ts";
import type { Connection, Copied } from "../connection.ts";
import type { Database } from "../database.ts";
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

/** Writes texts in batches; a session's new texts replace its previous ones. */
export class TextWriter {
  readonly #database: Database;
  /** Sessions with more texts to come: the number of their first new piece. */
  readonly #begun = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  async put(batch: readonly SessionTexts[]): Promise<void> {
    const vocabulary = new Set<string>();
    const prepared = batch.map((texts) => {
      return { key: sessionKey(texts), texts, rows: rowsOf(texts, vocabulary) };
    });
    await learnWords(this.#database, vocabulary);
    await this.#database.write(async (connection) => {
      const keys = prepared.map(({ key }) => key);
      const there = await lockSessions(connection, keys);
      for (const session of prepared) {
        if (there.has(session.key)) await this.#putSession(connection, session);
      }
    });
  }

  async #putSession(
    connection: Connection,
    { key, texts, rows }: { key: string; texts: SessionTexts; rows: readonly Copied[] },
  ): Promise<void> {
    const sql = "SELECT coalesce(max(piece) + 1, 0) AS next FROM texts WHERE session = $1";
    const [{ next } = { next: 0 }] = await connection.all<{ next: number }>(sql, [key]);
    const first = this.#begun.get(key) ?? next;
    const numbered = rows.map(([piece, ...row]) => [key, next + Number(piece), ...row]);
    await connection.copy("texts", COLUMNS, numbered);
    if (texts.more) {
      this.#begun.set(key, first);
      return;
    }
    this.#begun.delete(key);
    await connection.run("DELETE FROM texts WHERE session = $1 AND piece < $2", [key, first]);
    const mark = `UPDATE sessions SET is_indexed = true, work = coalesce($3, work)
      WHERE session = $1 AND revision = coalesce($2, revision)`;
    const work = texts.work && JSON.stringify(texts.work);
    await connection.run(mark, [key, texts.revision ?? null, work ?? null]);
  }
}

/** Locks existing sessions, so that no other writer changes their texts. */
async function lockSessions(connection: Connection, keys: readonly string[]): Promise<Set<string>> {
  const sql = `SELECT session::text FROM sessions WHERE session = ANY($1::int8[])
    ORDER BY session FOR UPDATE`;
  const rows = await connection.all<{ session: string }>(sql, [keys]);
  return new Set(rows.map(({ session }) => session));
}

/** Makes rows of a session's texts; adds their words to `vocabulary`. */
function rowsOf(texts: SessionTexts, vocabulary: Set<string>): Copied[] {
  return texts.pieces.flatMap((piece, number) => {
    const { messageId, role, standing, atMs, places } = piece;
    const words = indexedWords(piece.texts.join("\n"));
    for (const word of words) if (isWord(word)) vocabulary.add(word);
    const vectors = vectorsOf(words);
    return vectors.map((vector, part) => [
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

/** Adds words for suggestions. They are not counted, and stay when their texts are removed. */
async function learnWords(database: Database, vocabulary: ReadonlySet<string>): Promise<void> {
  // Sorted, so that two writers of the same words cannot deadlock.
  const words = [...vocabulary].toSorted();
  const sql = "INSERT INTO vocabulary SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING";
  for (let from = 0; from < words.length; from += 10_000) {
    await database.run(sql, [words.slice(from, from + 10_000)]);
  }
}

function isWord(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST && !UNSPACED_SCRIPT.test(word);
}
