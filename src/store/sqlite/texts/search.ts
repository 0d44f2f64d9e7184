import type { SearchExpression } from "../../../core/filter/search-expression.ts";
import { phrasesOf } from "../../../core/filter/search-expression.ts";
import type { TextHit, TextPlace, TextRole } from "../../../core/session/text.ts";
import { TEXT_ROLES } from "../../../core/session/text.ts";
import { RANKED_TEXTS } from "../../reads.ts";
import type { WordPhrase } from "../../search-words.ts";
import { ROLE_WEIGHTS, phraseWords } from "../../search-words.ts";
import type { FoundTexts, TextQuery } from "../../store.ts";
import { suggestWords } from "../../suggestions.ts";
import type { Database } from "../database.ts";
import { placeholders } from "../sql.ts";
import { roleWord, sessionWord, STANDINGS } from "./index-texts.ts";
import type { MeantSessions } from "./selected-sessions.ts";
import { Vocabulary } from "./vocabulary.ts";

/**
 * Counts first: up to 1,000 matches are ranked; with more, the newest are returned. Ranking all
 * matches of a common word takes seconds; the newest come first in the index.
 */
export function searchTexts(
  database: Database,
  { expression, roles, limit }: TextQuery,
  sessions: MeantSessions | undefined,
): FoundTexts {
  const vocabulary = new Vocabulary(database);
  const match = matchOf(vocabulary, { expression, roles, sessions });
  const ids = match === undefined ? [] : newestIds(database, match, sessions);
  if (match === undefined || ids.length === 0) {
    const asked = phrasesOf(expression).map(({ text }) => text);
    const suggestions = suggestWords(unknownWords(database, asked), (start) =>
      vocabulary.wordsFrom(start),
    );
    return { hits: [], total: 0, order: "rank", suggestions };
  }
  const order = ids.length > RANKED_TEXTS ? "newest" : "rank";
  const ranks = order === "rank" ? ranksOf(database, { expression, vocabulary, ids }) : new Map();
  const shown = order === "rank" ? ids : ids.slice(0, limit);
  const hits = shown
    .map((id) => ({ id, rank: ranks.get(id) ?? 0 }))
    .toSorted((a, b) => b.rank - a.rank || a.id - b.id)
    .slice(0, limit);
  return { hits: hitsOf(database, hits), total: ids.length, order, suggestions: [] };
}

interface Asked {
  expression: SearchExpression;
  roles: readonly TextRole[] | undefined;
  sessions: MeantSessions | undefined;
}

/** The FTS5 query; undefined if nothing can match. */
function matchOf(
  vocabulary: Vocabulary,
  { expression, roles, sessions }: Asked,
): string | undefined {
  const asked = expressionOf(vocabulary, expression);
  if (asked === undefined || roles?.length === 0 || sessions?.few?.size === 0) return undefined;
  const parts = [asked];
  if (roles) {
    const words = roles.map((role) => quoted(roleWord(TEXT_ROLES.indexOf(role))));
    parts.push(`(${words.join(" OR ")})`);
  }
  if (sessions?.few) {
    parts.push(`(${[...sessions.few].map((key) => quoted(sessionWord(key))).join(" OR ")})`);
  }
  return parts.join(" AND ");
}

function expressionOf(vocabulary: Vocabulary, expression: SearchExpression): string | undefined {
  const within = (part: SearchExpression): string | undefined => expressionOf(vocabulary, part);
  switch (expression.kind) {
    case "phrase":
      return phraseOf(vocabulary, phraseWords(expression.text, expression.isPrefix));
    case "and": {
      const parts = expression.parts.map(within);
      return parts.includes(undefined) ? undefined : `(${parts.join(" AND ")})`;
    }
    case "or": {
      const parts = expression.parts.flatMap((part) => within(part) ?? []);
      return parts.length === 0 ? undefined : `(${parts.join(" OR ")})`;
    }
    case "not": {
      const [wanted, unwanted] = [within(expression.wanted), within(expression.unwanted)];
      return unwanted === undefined || wanted === undefined
        ? wanted
        : `(${wanted} NOT ${unwanted})`;
    }
    default:
      return expression satisfies never;
  }
}

/**
 * A prefix becomes a list of all words that start with it, if they are few: for a prefix query,
 * FTS5 merges the positions of all those words before it returns the first match.
 */
function phraseOf(vocabulary: Vocabulary, { words, isPrefix }: WordPhrase): string | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  const all = quoted(words.join(" "));
  if (!isPrefix) return all;
  const few = words.length === 1 ? vocabulary.fewFrom(first) : undefined;
  if (!few) return `${all} *`;
  return few.length === 0 ? undefined : `(${few.map(quoted).join(" OR ")})`;
}

function quoted(words: string): string {
  return `"${words.replaceAll('"', '""')}"`;
}

/** The newest matches, which have the smallest ids, one more than can be ranked. */
function newestIds(
  database: Database,
  match: string,
  sessions: MeantSessions | undefined,
): number[] {
  if (!sessions || sessions.few) {
    const sql = "SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?";
    return database.all<{ id: number }>(sql, match, RANKED_TEXTS + 1).map(({ id }) => id);
  }
  const ids: number[] = [];
  const sql = `SELECT words.rowid AS id, texts.session AS session FROM words
    JOIN texts ON texts.id = words.rowid WHERE words MATCH ? ORDER BY words.rowid`;
  for (const { id, session } of database.each<{ id: number; session: number }>(sql, match)) {
    if (sessions.has(session)) ids.push(id);
    if (ids.length > RANKED_TEXTS) break;
  }
  return ids;
}

/** Words that occur in no text. */
function unknownWords(database: Database, phrases: readonly string[]): string[] {
  const sql = "SELECT rowid AS id FROM words WHERE words MATCH ? LIMIT 1";
  return phrases
    .flatMap((text) => phraseWords(text, false).words)
    .filter((word) => database.get(sql, quoted(word)) === undefined);
}

interface ToRank {
  expression: SearchExpression;
  vocabulary: Vocabulary;
  ids: readonly number[];
}

/** Ranks matches by their words, or by their length if there are none to rank by: shorter first. */
function ranksOf(database: Database, { expression, vocabulary, ids }: ToRank): Map<number, number> {
  const words = rankingWords(database, vocabulary, expression);
  const scores = words.length > 0 ? scoresOf(database, words, ids.at(-1) ?? 0) : undefined;
  const sql = `SELECT id, role, length FROM texts WHERE id IN (${placeholders(ids.length)})`;
  const rows = database.all<{ id: number; role: number; length: number }>(sql, ...ids);
  return new Map(
    rows.map(({ id, role, length }) => {
      const score = scores ? (scores.get(id) ?? 0) : 1 / Math.log(length + Math.E);
      return [id, score * ROLE_WEIGHTS[TEXT_ROLES[role] ?? "other"]];
    }),
  );
}

/**
 * The words to rank by. BM25 counts the texts of each word in the whole index, so those that occur
 * in more texts than can be ranked are left out: they say little about a match. Of a phrase, every
 * match contains the same words.
 */
function rankingWords(
  database: Database,
  vocabulary: Vocabulary,
  expression: SearchExpression,
): string[] {
  const phrases = phrasesOf(expression).map((phrase) => phraseWords(phrase.text, phrase.isPrefix));
  if (phrases.some(({ words }) => words.length > 1)) return [];
  const words = phrases.flatMap((phrase) => phraseOf(vocabulary, phrase) ?? []);
  return words.filter((word) => newestIds(database, word, undefined).length <= RANKED_TEXTS);
}

/** BM25 of all texts with one of the words, back to the oldest match. */
function scoresOf(
  database: Database,
  words: readonly string[],
  oldest: number,
): Map<number, number> {
  const sql = `SELECT rowid AS id, -bm25(words) AS score FROM words
    WHERE words MATCH ? AND rowid <= ?`;
  const rows = database.all<{ id: number; score: number }>(sql, words.join(" OR "), oldest);
  return new Map(rows.map(({ id, score }) => [id, score]));
}

interface HitRow {
  id: number;
  session: number;
  message: string | null;
  role: number;
  standing: number;
  at_ms: number | null;
  places: string;
  source: string;
  session_id: string;
  files: string;
}

function hitsOf(database: Database, hits: readonly { id: number; rank: number }[]): TextHit[] {
  const sql = `SELECT texts.*, source, text_sessions.id AS session_id, files FROM texts
    JOIN text_sessions ON key = session WHERE texts.id IN (${placeholders(hits.length)})`;
  const rows = database.all<HitRow>(sql, ...hits.map(({ id }) => id));
  const found = new Map(rows.map((row) => [row.id, row]));
  return hits.flatMap(({ id, rank }) => {
    const row = found.get(id);
    if (!row) return [];
    return [
      {
        source: row.source,
        sessionId: row.session_id,
        messageId: row.message ?? undefined,
        role: TEXT_ROLES[row.role] ?? "other",
        standing: STANDINGS[row.standing] ?? "live",
        atMs: row.at_ms ?? undefined,
        places: placesOf(row),
        rank,
      },
    ];
  });
}

function placesOf({ places, files }: HitRow): TextPlace[] {
  if (places === "") return [];
  const paths = JSON.parse(files) as string[];
  const numbers = places.split(",").map(Number);
  return Array.from({ length: numbers.length / 3 }, (_, at) => {
    const [file = 0, start = 0, end = 0] = numbers.slice(at * 3, at * 3 + 3);
    return { file: paths[file] ?? "", start, end };
  });
}
