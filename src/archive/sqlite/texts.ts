import type { Standing } from "../../model/message.ts";
import type { Query } from "../../model/query.ts";
import { phrasesOf } from "../../model/query.ts";
import type { TextHit, TextHits, TextPiece, TextPlace, TextWish } from "../../model/text.ts";
import { TEXT_ROLES } from "../../model/text.ts";
import type { Texts } from "../archive.ts";
import type { Database } from "./database.ts";
import { segment, segmentPhrase } from "./segment.ts";

/** Matches are ranked when there are at most so many; of more, the newest are taken. */
const RANKED = 1000;
/** A word that stands in more texts than this is not weighed place by place. */
const RARE = 5000;
/** How many of a common word's matches are looked at to find enough in the wished sessions. */
const LOOKED_AT = 100_000;

/**
 * A piece's number tells when it was said, so that the newest come last, and by whom:
 *
 *     seconds since 1970 · 2^20  +  any number below 2^17 · 2^3  +  role
 */
const SECOND = 2 ** 20;
const ROLES = 8;

/** What was asked and answered weighs more than what tools put out. */
const WEIGHTS = { title: 2, prompt: 1.6, answer: 1.4, thought: 1, tool: 0.8, other: 0.6 } as const;

export class SqliteTexts implements Texts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  put(sessions: ReadonlyMap<number, readonly TextPiece[]>): void {
    const database = this.#database;
    database.write(() => {
      const numbered = [...sessions].flatMap(([session, pieces]) => {
        this.#drop(session);
        return pieces.map((piece, at) => ({ session, piece, id: numberOf(piece, session + at) }));
      });
      // The index takes numbers that rise in one go; every step back costs a part of its own.
      for (const { session, piece, id } of numbered.toSorted((a, b) => a.id - b.id)) {
        this.#add(session, piece, id);
      }
    });
  }

  #drop(session: number): void {
    const database = this.#database;
    const { changes } = database.run("UPDATE sessions SET has_text = 1 WHERE key = ?", session);
    const sql = "SELECT 1 FROM texts WHERE session = ? LIMIT 1";
    if (changes === 0 || database.get(sql, session) === undefined) return;
    const words = "DELETE FROM words WHERE rowid IN (SELECT id FROM texts WHERE session = ?)";
    database.run(words, session);
    database.run("DELETE FROM texts WHERE session = ?", session);
  }

  #add(session: number, piece: TextPiece, wish: number): void {
    const { messageId, standing, atMs, places } = piece;
    const sql = `INSERT OR IGNORE INTO texts (id, session, message, standing, at_ms, length, places)
      VALUES (?, ?, ?, ?, ?, ?, ?)`;
    const packed = places.map(({ file, start, end }) => [file, start, end]);
    const told = [
      session,
      messageId ?? null,
      standing,
      atMs ?? null,
      piece.text.length,
      JSON.stringify(packed),
    ] as const;
    let id = wish;
    // Another session may have said something in the same second, under the same number.
    while (this.#database.run(sql, id, ...told).changes === 0) id += ROLES;
    this.#database.run("INSERT INTO words (rowid, text) VALUES (?, ?)", id, segment(piece.text));
  }

  find(wish: TextWish): TextHits {
    const match = matchOf(wish.query);
    const ids = this.#newest(match, wish);
    if (ids.length > RANKED) return this.#inTime(ids, wish);
    const weighed = this.#areRare(wish.query) ? this.#ranks(match) : this.#roughRanks(ids);
    const ranked = ids
      .map((id) => [id, (weighed.get(id) ?? 0) * WEIGHTS[roleOf(id)]] as const)
      .toSorted((a, b) => b[1] - a[1] || b[0] - a[0]);
    const best = new Map(ranked.slice(0, wish.limit));
    return { hits: this.#hits(best), total: ids.length, order: "rank" };
  }

  #inTime(ids: readonly number[], { limit }: TextWish): TextHits {
    const ranks = new Map(ids.slice(0, limit).map((id, at) => [id, 1 / (at + 1)]));
    return { hits: this.#hits(ranks), total: ids.length, order: "newest" };
  }

  /** Numbers of what matches, from the newest on; one more than are ranked, when there are. */
  #newest(match: string, { roles, sessions }: TextWish): number[] {
    const wanted = JSON.stringify((roles ?? TEXT_ROLES).map((role) => TEXT_ROLES.indexOf(role)));
    if (!sessions) {
      const sql = `SELECT rowid AS id FROM words WHERE words MATCH ?
        AND rowid & 7 IN (SELECT value FROM json_each(?)) ORDER BY rowid DESC LIMIT ?`;
      const rows = this.#database.all<{ id: number }>(sql, match, wanted, RANKED + 1);
      return rows.map(({ id }) => id);
    }
    const sql = `SELECT id FROM
      (SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${LOOKED_AT})
      CROSS JOIN texts USING (id) WHERE id & 7 IN (SELECT value FROM json_each(?))
      AND session IN (SELECT value FROM json_each(?)) LIMIT ?`;
    const keys = JSON.stringify([...sessions]);
    const rows = this.#database.all<{ id: number }>(sql, match, wanted, keys, RANKED + 1);
    return rows.map(({ id }) => id).toSorted((a, b) => b - a);
  }

  #hits(ranks: ReadonlyMap<number, number>): TextHit[] {
    const sql = "SELECT * FROM texts WHERE id IN (SELECT value FROM json_each(?))";
    const rows = this.#database.all<HitRow>(sql, JSON.stringify([...ranks.keys()]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return [...ranks].flatMap(([id, rank]) => {
      const row = byId.get(id);
      return row ? [hitOf(row, rank)] : [];
    });
  }

  /** Where words are too common to be weighed: short texts first, as they are about little else. */
  #roughRanks(ids: readonly number[]): Map<number, number> {
    const sql = "SELECT id, length FROM texts WHERE id IN (SELECT value FROM json_each(?))";
    const rows = this.#database.all<Pick<HitRow, "id" | "length">>(sql, JSON.stringify(ids));
    return new Map(rows.map(({ id, length }) => [id, 10 / (1 + Math.log2(1 + length / 100))]));
  }

  /** The index's own measure, which looks at every place of every word of the query. */
  #ranks(match: string): Map<number, number> {
    const sql = "SELECT rowid AS id, rank FROM words WHERE words MATCH ?";
    const rows = this.#database.all<{ id: number; rank: number }>(sql, match);
    return new Map(rows.map(({ id, rank }) => [id, -rank]));
  }

  /** Whether each phrase stands in few texts: only then all its places may be looked at. */
  #areRare(query: Query): boolean {
    const sql = `SELECT count(*) AS n FROM
      (SELECT 1 FROM words WHERE words MATCH ? LIMIT ${RARE + 1})`;
    const words = phrasesOf(query).flatMap(({ text, isPrefix }) => {
      const parts = segment(text).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
      return parts.map((part, at) => quoted(part, isPrefix && at === parts.length - 1));
    });
    return words.every((word) => (this.#database.get<{ n: number }>(sql, word)?.n ?? 0) <= RARE);
  }
}

interface HitRow {
  id: number;
  session: number;
  message: string | null;
  standing: Standing;
  at_ms: number | null;
  length: number;
  places: string;
}

function hitOf(row: HitRow, rank: number): TextHit {
  const packed = JSON.parse(row.places) as [number, number, number][];
  return {
    session: row.session,
    messageId: row.message ?? undefined,
    role: roleOf(row.id),
    standing: row.standing,
    atMs: row.at_ms ?? undefined,
    places: packed.map(([file, start, end]): TextPlace => ({ file, start, end })),
    rank,
  };
}

function roleOf(id: number): TextHit["role"] {
  return TEXT_ROLES[id % ROLES] ?? "other";
}

function numberOf({ atMs = 0, role }: TextPiece, spread: number): number {
  const second = Math.max(0, Math.min(Math.floor(atMs / 1000), 2 ** 32));
  return second * SECOND + (spread % 2 ** 17) * ROLES + TEXT_ROLES.indexOf(role);
}

function quoted(text: string, isPrefix: boolean): string {
  return `"${text.replaceAll('"', '""')}"${isPrefix ? " *" : ""}`;
}

/** The query in the language of the index. Everything is quoted: nothing in it is an operator. */
function matchOf(query: Query): string {
  switch (query.kind) {
    case "phrase": {
      const { text, isPrefix } = segmentPhrase(query.text, query.isPrefix);
      return quoted(text, isPrefix);
    }
    case "and":
      return `(${query.parts.map(matchOf).join(" AND ")})`;
    case "or":
      return `(${query.parts.map(matchOf).join(" OR ")})`;
    case "not":
      return `(${matchOf(query.wanted)} NOT ${matchOf(query.unwanted)})`;
  }
}
