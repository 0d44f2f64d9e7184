import type { Standing } from "../../model/message.ts";
import type { Query } from "../../model/query.ts";
import type { TextHit, TextHits, TextPiece, TextPlace, TextWish } from "../../model/text.ts";
import { TEXT_ROLES } from "../../model/text.ts";
import type { Texts } from "../archive.ts";
import type { Database } from "./database.ts";
import { segment, segmentPhrase } from "./segment.ts";

/** Matches are ranked when there are at most so many; of more, the newest are taken. */
const RANKED = 2000;
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
    const sql = `INSERT OR IGNORE INTO texts (id, session, message, standing, at_ms, places)
      VALUES (?, ?, ?, ?, ?, ?)`;
    const packed = places.map(({ file, start, end }) => [file, start, end]);
    const told = [
      session,
      messageId ?? null,
      standing,
      atMs ?? null,
      JSON.stringify(packed),
    ] as const;
    let id = wish;
    // Another session may have said something in the same second, under the same number.
    while (this.#database.run(sql, id, ...told).changes === 0) id += ROLES;
    this.#database.run("INSERT INTO words (rowid, text) VALUES (?, ?)", id, segment(piece.text));
  }

  find(wish: TextWish): TextHits {
    const match = matchOf(wish.query);
    const roles = JSON.stringify(
      (wish.roles ?? TEXT_ROLES).map((role) => TEXT_ROLES.indexOf(role)),
    );
    const total = this.#count(match, roles);
    if (total > RANKED) return { hits: this.#newest(match, roles, wish), total, order: "newest" };
    return { hits: this.#ranked(match, roles, wish), total, order: "rank" };
  }

  #count(match: string, roles: string): number {
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM words WHERE words MATCH ?
      AND rowid & 7 IN (SELECT value FROM json_each(?)) LIMIT ?)`;
    return this.#database.get<{ n: number }>(sql, match, roles, RANKED + 1)?.n ?? 0;
  }

  #ranked(match: string, roles: string, wish: TextWish): TextHit[] {
    const sql = `SELECT texts.*, found.rank FROM
      (SELECT rowid AS id, rank FROM words WHERE words MATCH ?
      AND rowid & 7 IN (SELECT value FROM json_each(?))) AS found JOIN texts USING (id)`;
    const rows = this.#database.all<HitRow>(sql, match, roles);
    return rows
      .filter(({ session }) => wish.sessions?.has(session) ?? true)
      .map((row) => hitOf(row, -row.rank * WEIGHTS[roleOf(row.id)]))
      .toSorted((a, b) => b.rank - a.rank || (b.atMs ?? 0) - (a.atMs ?? 0))
      .slice(0, wish.limit);
  }

  #newest(match: string, roles: string, wish: TextWish): TextHit[] {
    const sql = `SELECT texts.*, 0 AS rank FROM
      (SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) AS found
      JOIN texts USING (id) WHERE id & 7 IN (SELECT value FROM json_each(?))`;
    const hits: TextHit[] = [];
    for (const row of this.#database.each<HitRow>(sql, match, LOOKED_AT, roles)) {
      if (wish.sessions && !wish.sessions.has(row.session)) continue;
      hits.push(hitOf(row, 1 / (hits.length + 1)));
      if (hits.length >= wish.limit) break;
    }
    return hits;
  }
}

interface HitRow {
  id: number;
  session: number;
  message: string | null;
  standing: Standing;
  at_ms: number | null;
  places: string;
  rank: number;
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

/** The query in the language of the index. Everything is quoted: nothing in it is an operator. */
function matchOf(query: Query): string {
  switch (query.kind) {
    case "phrase": {
      const { text, isPrefix } = segmentPhrase(query.text, query.isPrefix);
      return `"${text.replaceAll('"', '""')}"${isPrefix ? " *" : ""}`;
    }
    case "and":
      return `(${query.parts.map(matchOf).join(" AND ")})`;
    case "or":
      return `(${query.parts.map(matchOf).join(" OR ")})`;
    case "not":
      return `(${matchOf(query.wanted)} NOT ${matchOf(query.unwanted)})`;
  }
}
