import type { Standing } from "../../../core/message.ts";
import type { SearchExpression } from "../../../core/search-expression.ts";
import { phrasesOf } from "../../../core/search-expression.ts";
import type { TextHit, TextPlace, TextRole } from "../../../core/text.ts";
import { TEXT_ROLES } from "../../../core/text.ts";
import { RANKED_TEXTS } from "../../reads.ts";
import { phraseWords } from "../../search-words.ts";
import type { FoundTexts, SessionRef, TextQuery } from "../../store.ts";
import type { VocabularyWord } from "../../suggestions.ts";
import { suggestWords } from "../../suggestions.ts";
import type { Database } from "../database.ts";
import { placeholders } from "../sql.ts";
import { roleWord, sessionWord } from "./index-texts.ts";

/** What was asked and answered weighs more than what tools put out. */
const WEIGHTS: Readonly<Record<TextRole, number>> = {
  title: 2,
  prompt: 1.6,
  answer: 1.4,
  thought: 1,
  tool: 0.8,
  other: 0.6,
};

/** Of so many sessions, the index itself leaves the others out. */
const FEW_SESSIONS = 256;

/**
 * Counts first: up to 1,000 matches are ranked, of more the newest are taken. Ranking all matches
 * of a common word takes seconds; the newest come from the end of the index.
 */
export function searchTexts(
  database: Database,
  { expression, roles, limit }: TextQuery,
  meant: readonly SessionRef[] | undefined,
): FoundTexts {
  const sessions = meant && keysOf(database, meant);
  const match = matchOf(expression, roles, sessions);
  const ids = match === undefined ? [] : newestIds(database, match, sessions);
  if (match === undefined || ids.length === 0) {
    const asked = phrasesOf(expression).map(({ text }) => text);
    const suggestions = suggestWords(asked, (word) => vocabulary(database, word));
    return { hits: [], total: 0, order: "rank", suggestions };
  }
  const order = ids.length > RANKED_TEXTS ? "newest" : "rank";
  const ranks = order === "rank" ? ranksOf(database, match, ids) : new Map<number, number>();
  const shown = order === "rank" ? ids : ids.slice(0, limit);
  const hits = shown
    .map((id) => ({ id, rank: ranks.get(id) ?? 0 }))
    .toSorted((a, b) => b.rank - a.rank || b.id - a.id)
    .slice(0, limit);
  return { hits: hitsOf(database, hits), total: ids.length, order, suggestions: [] };
}

/** The sessions that are meant, by the numbers that the index has for them. */
function keysOf(database: Database, meant: readonly SessionRef[]): Set<number> {
  const wanted = new Set(meant.map(({ source, id }) => `${source}\n${id}`));
  type Row = { key: number; source: string; id: string };
  const rows = database.all<Row>("SELECT key, source, id FROM text_sessions");
  const found = rows.filter(({ source, id }) => wanted.has(`${source}\n${id}`));
  return new Set(found.map(({ key }) => key));
}

/** The question in the words of the index; nothing when it can match nothing. */
function matchOf(
  expression: SearchExpression,
  roles: readonly TextRole[] | undefined,
  sessions: ReadonlySet<number> | undefined,
): string | undefined {
  const asked = expressionOf(expression);
  if (asked === undefined || roles?.length === 0 || sessions?.size === 0) return undefined;
  const parts = [asked];
  if (roles) {
    const words = roles.map((role) => quoted(roleWord(TEXT_ROLES.indexOf(role))));
    parts.push(`(${words.join(" OR ")})`);
  }
  if (sessions && sessions.size <= FEW_SESSIONS) {
    parts.push(`(${[...sessions].map((key) => quoted(sessionWord(key))).join(" OR ")})`);
  }
  return parts.join(" AND ");
}

function expressionOf(expression: SearchExpression): string | undefined {
  switch (expression.kind) {
    case "phrase": {
      const { words, isPrefix } = phraseWords(expression.text, expression.isPrefix);
      if (words.length === 0) return undefined;
      return `${quoted(words.join(" "))}${isPrefix ? " *" : ""}`;
    }
    case "and": {
      const parts = expression.parts.map(expressionOf);
      return parts.includes(undefined) ? undefined : `(${parts.join(" AND ")})`;
    }
    case "or": {
      const parts = expression.parts.flatMap((part) => expressionOf(part) ?? []);
      return parts.length === 0 ? undefined : `(${parts.join(" OR ")})`;
    }
    case "not": {
      const [wanted, unwanted] = [expression.wanted, expression.unwanted].map(expressionOf);
      return unwanted === undefined || wanted === undefined
        ? wanted
        : `(${wanted} NOT ${unwanted})`;
    }
    default:
      return expression satisfies never;
  }
}

function quoted(words: string): string {
  return `"${words.replaceAll('"', '""')}"`;
}

/** Of all matches the newest, one more than are ranked. */
function newestIds(
  database: Database,
  match: string,
  sessions: ReadonlySet<number> | undefined,
): number[] {
  if (!sessions || sessions.size <= FEW_SESSIONS) {
    const sql = "SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?";
    return database.all<{ id: number }>(sql, match, RANKED_TEXTS + 1).map(({ id }) => id);
  }
  const ids: number[] = [];
  const sql = `SELECT words.rowid AS id, texts.session AS session FROM words
    JOIN texts ON texts.id = words.rowid WHERE words MATCH ? ORDER BY words.rowid DESC`;
  for (const { id, session } of database.each<{ id: number; session: number }>(sql, match)) {
    if (sessions.has(session)) ids.push(id);
    if (ids.length > RANKED_TEXTS) break;
  }
  return ids;
}

/** How well texts match (BM25), from the oldest of them on: the bound keeps the work small. */
function ranksOf(
  database: Database,
  match: string,
  ids: readonly number[],
): ReadonlyMap<number, number> {
  const sql = `SELECT words.rowid AS id, bm25(words) AS score, texts.role AS role FROM words
    JOIN texts ON texts.id = words.rowid WHERE words MATCH ? AND words.rowid >= ?`;
  type Row = { id: number; score: number; role: number };
  const rows = database.all<Row>(sql, match, ids.at(-1) ?? 0);
  return new Map(
    rows.map(({ id, score, role }) => [id, -score * WEIGHTS[TEXT_ROLES[role] ?? "other"]]),
  );
}

interface HitRow {
  id: number;
  session: number;
  message: string | null;
  role: number;
  standing: Standing;
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
        standing: row.standing,
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

/** Words that begin with the same character. */
function vocabulary(database: Database, word: string): VocabularyWord[] {
  database.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab ('main', 'words', 'row')",
  );
  const [first = ""] = Array.from(word);
  const last = String.fromCodePoint((first.codePointAt(0) ?? 0) + 1);
  const sql = "SELECT term AS word, doc AS texts FROM temp.vocabulary WHERE term >= ? AND term < ?";
  return database.all<VocabularyWord>(sql, first, last);
}
