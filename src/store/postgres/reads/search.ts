import type { Standing } from "../../../core/session/message.ts";
import type { SearchExpression } from "../../../core/filter/search-expression.ts";
import { phrasesOf } from "../../../core/filter/search-expression.ts";
import type { TextHit, TextPlace, TextRole } from "../../../core/session/text.ts";
import { RANKED_TEXTS } from "../../reads.ts";
import { ROLE_WEIGHTS, phraseWords } from "../../search-words.ts";
import type { FoundTexts, TextQuery } from "../../store.ts";
import type { VocabularyWord } from "../../suggestions.ts";
import { distanceOf, suggestWords } from "../../suggestions.ts";
import type { Connection } from "../connection.ts";
import { inScope, whereSession } from "./filters.ts";
import { Query } from "./query.ts";
import { quotedWord } from "../derived/word-vectors.ts";

/**
 * Searches in two steps. Matches are first found through the word index, up to RANKED_TEXTS, and
 * ranked. If there are more, a second query returns the newest. In a single query, the planner
 * would scan all texts by time to find a rare word.
 */
export async function searchTexts(connection: Connection, asked: TextQuery): Promise<FoundTexts> {
  const expression = meaningOf(asked.expression);
  if (!expression) return nothing(connection, asked);
  const matched = await findMatches(connection, asked, { expression, order: "rank" });
  if (matched.length === 0) return nothing(connection, asked);
  if (matched.length <= RANKED_TEXTS) {
    const ranked = matched.toSorted((a, b) => b.rank - a.rank || b.newest - a.newest);
    const hits = await hitsOf(connection, ranked.slice(0, asked.limit));
    return { hits, total: matched.length, order: "rank", suggestions: [] };
  }
  const newest = await findMatches(connection, asked, { expression, order: "newest" });
  const hits = await hitsOf(connection, newest.slice(0, asked.limit));
  return { hits, total: matched.length, order: "newest", suggestions: [] };
}

/** Removes phrases without a searchable word; undefined if nothing can match. */
function meaningOf(expression: SearchExpression): SearchExpression | undefined {
  switch (expression.kind) {
    case "phrase":
      return phraseWords(expression.text, expression.isPrefix).words.length > 0
        ? expression
        : undefined;
    case "and": {
      const parts = expression.parts.map(meaningOf);
      const known = parts.flatMap((part) => part ?? []);
      return known.length === parts.length && known.length > 0
        ? { kind: "and", parts: known }
        : undefined;
    }
    case "or": {
      const parts = expression.parts.flatMap((part) => meaningOf(part) ?? []);
      return parts.length > 0 ? { kind: "or", parts } : undefined;
    }
    case "not": {
      const [wanted, unwanted] = [meaningOf(expression.wanted), meaningOf(expression.unwanted)];
      return wanted && unwanted ? { kind: "not", wanted, unwanted } : wanted;
    }
    default:
      return expression satisfies never;
  }
}

function tsqueryOf(expression: SearchExpression): string {
  switch (expression.kind) {
    case "phrase":
      return phraseOf(expression.text, expression.isPrefix);
    case "and":
      return expression.parts.map((part) => `(${tsqueryOf(part)})`).join(" & ");
    case "or":
      return expression.parts.map((part) => `(${tsqueryOf(part)})`).join(" | ");
    case "not":
      return `(${tsqueryOf(expression.wanted)}) & !(${tsqueryOf(expression.unwanted)})`;
    default:
      return expression satisfies never;
  }
}

function phraseOf(text: string, mayGoOn: boolean): string {
  const { words, isPrefix } = phraseWords(text, mayGoOn);
  return `${words.map(quotedWord).join(" <-> ")}${isPrefix ? ":*" : ""}`;
}

const WEIGHT = `CASE texts.role ${Object.entries(ROLE_WEIGHTS)
  .map(([role, weight]) => `WHEN '${role}' THEN ${weight}`)
  .join(" ")} ELSE 1 END`;

interface Match {
  session: string;
  piece: number;
  newest: number;
  rank: number;
}

async function findMatches(
  connection: Connection,
  asked: TextQuery,
  { expression, order }: { expression: SearchExpression; order: "rank" | "newest" },
): Promise<Match[]> {
  const query = new Query();
  query.where(inScope(query, asked.scope));
  whereSession(query, asked.filter);
  if (asked.roles) query.where(`texts.role = ANY(${query.value(asked.roles)}::text[])`);
  const whole = `${query.value(tsqueryOf(expression))}::tsquery`;
  const most = order === "rank" ? RANKED_TEXTS + 1 : asked.limit;
  const rank = order === "rank" ? `ts_rank(texts.words, ${whole}, 1) * ${WEIGHT}` : "0::float8";
  const ordered = order === "rank" ? "" : "ORDER BY texts.newest DESC";
  const inParts = partsOf(query, expression);
  const sql = `WITH short AS MATERIALIZED (
      SELECT texts.session, texts.piece, texts.newest, ${rank} AS rank
      FROM texts JOIN sessions ON sessions.session = texts.session
      WHERE ${query.conditions} AND texts.parts = 1 AND texts.words @@ ${whole}
      ${ordered} LIMIT ${most}
    ), in_parts (session, piece) AS MATERIALIZED (${inParts}), long AS MATERIALIZED (
      SELECT texts.session, texts.piece, texts.newest, max(${rank}) AS rank
      FROM in_parts JOIN texts USING (session, piece)
      JOIN sessions ON sessions.session = texts.session
      WHERE ${query.conditions}
      GROUP BY 1, 2, 3 ORDER BY texts.newest DESC LIMIT ${most}
    )
    SELECT session::text, piece, newest, rank FROM (
      SELECT * FROM short UNION ALL SELECT * FROM long
    ) AS matched ORDER BY newest DESC LIMIT ${most}`;
  return connection.all<Match>(sql, query.values);
}

/**
 * Finds matches in texts of several parts, where each phrase may be in another part: matches of the
 * phrases are combined per text.
 */
function partsOf(query: Query, expression: SearchExpression): string {
  switch (expression.kind) {
    case "phrase":
      return `SELECT session, piece FROM texts WHERE parts > 1
        AND words @@ ${query.value(tsqueryOf(expression))}::tsquery`;
    case "and":
      return expression.parts.map((part) => `(${partsOf(query, part)})`).join(" INTERSECT ");
    case "or":
      return expression.parts.map((part) => `(${partsOf(query, part)})`).join(" UNION ");
    case "not": {
      const { wanted, unwanted } = expression;
      return `(${partsOf(query, wanted)}) EXCEPT (${partsOf(query, unwanted)})`;
    }
    default:
      return expression satisfies never;
  }
}

interface HitRow {
  session: string;
  piece: number;
  source: string;
  id: string;
  message: string | null;
  role: TextRole;
  standing: Standing;
  at_ms: number | null;
  places: string;
}

async function hitsOf(connection: Connection, matches: readonly Match[]): Promise<TextHit[]> {
  const sql = `SELECT texts.session::text, texts.piece, sessions.source, sessions.id, texts.message,
      texts.role, texts.standing, texts.at_ms, texts.places
    FROM unnest($1::int8[], $2::int4[]) AS matched (session, piece)
    JOIN texts ON texts.session = matched.session AND texts.piece = matched.piece
      AND texts.part = 0
    JOIN sessions ON sessions.session = texts.session`;
  const values = [matches.map(({ session }) => session), matches.map(({ piece }) => piece)];
  const rows = await connection.all<HitRow>(sql, values);
  const byPlace = new Map(rows.map((row) => [`${row.session} ${row.piece}`, row]));
  return matches.flatMap(({ session, piece, rank }) => {
    const row = byPlace.get(`${session} ${piece}`);
    return row ? [hitOf(row, rank)] : [];
  });
}

function hitOf(row: HitRow, rank: number): TextHit {
  return {
    source: row.source,
    sessionId: row.id,
    messageId: row.message ?? undefined,
    role: row.role,
    standing: row.standing,
    atMs: row.at_ms ?? undefined,
    places: JSON.parse(row.places) as TextPlace[],
    rank,
  };
}

async function nothing(connection: Connection, { expression }: TextQuery): Promise<FoundTexts> {
  const phrases = phrasesOf(expression).map(({ text }) => text);
  const like: VocabularyWord[] = [];
  for (const word of phrases.flatMap((phrase) => phraseWords(phrase, false).words)) {
    like.push(...(await wordsLike(connection, word)));
  }
  const suggestions = suggestWords(phrases, (start) =>
    like.filter(({ word }) => word.startsWith(start)),
  );
  return { hits: [], total: 0, order: "rank", suggestions };
}

/** Maximum edit distance of a suggested word. */
const FURTHEST = 2;

/** Similar words with the same first letter, with the number of texts that contain each. */
async function wordsLike(connection: Connection, word: string): Promise<VocabularyWord[]> {
  const sql = `SELECT word FROM vocabulary
    WHERE word >= $1 AND word < $2 AND char_length(word) BETWEEN $3 AND $4`;
  const [first = ""] = word;
  const values = [first, `${first}\u{10ffff}`, word.length - FURTHEST, word.length + FURTHEST];
  const known = await connection.all<{ word: string }>(sql, values);
  const near = known.filter((candidate) => distanceOf(word, candidate.word) <= FURTHEST);
  const count = `SELECT
    (SELECT count(*) FROM texts WHERE parts = 1 AND words @@ $1::tsquery) +
    (SELECT count(DISTINCT (session, piece)) FROM texts WHERE parts > 1 AND words @@ $1::tsquery)
    AS texts`;
  const words: VocabularyWord[] = [];
  for (const candidate of near) {
    const [row] = await connection.all<{ texts: number }>(count, [quotedWord(candidate.word)]);
    // The vocabulary keeps words whose texts were removed.
    if (row && row.texts > 0) words.push({ word: candidate.word, texts: row.texts });
  }
  return words;
}
