import type { Standing } from "../../core/message.ts";
import type { TextHit, TextHits, TextPiece, TextWish } from "../../core/text.ts";
import { TEXT_ROLES } from "../../core/text.ts";
import type { PieceFacts, TextDraft, Texts } from "../archive.ts";
import type { DraftText } from "./words/draft.ts";
import { letWordsGo, PartDraft } from "./words/draft.ts";
import type { Part } from "./words/part.ts";
import type { Match } from "./words/newest.ts";
import { newestMatches } from "./words/newest.ts";
import { ranked } from "./words/rank.ts";
import type { Database } from "./database.ts";
import { WordParts } from "./word-parts.ts";

/** Matches are ranked when there are at most so many; of more, the newest are taken. */
const RANKED = 1000;
/** So many pieces of a session lie in one row. */
const TOGETHER = 128;

export class SqliteTexts implements Texts {
  readonly #database: Database;
  readonly #parts: WordParts;

  constructor(database: Database) {
    this.#database = database;
    this.#parts = new WordParts(database);
  }

  draft(): SqliteTextDraft {
    return new SqliteTextDraft();
  }

  put(draft: TextDraft): void {
    if (!(draft instanceof SqliteTextDraft)) throw new TypeError("A draft of another archive.");
    this.#database.write(() => {
      for (const [number, { key, pieces }] of draft.assigned) {
        if (this.#isWaiting(key)) this.#putPieces(key, pieces);
        else draft.assigned.delete(number);
      }
      for (const part of draft.parts()) this.#parts.add(part);
      this.#parts.tidy("small");
    });
  }

  /** Another process may have put the same words in meanwhile, or have read the session anew. */
  #isWaiting(session: number): boolean {
    const sql = "UPDATE sessions SET has_text = 1 WHERE key = ? AND has_text = 0";
    return this.#database.run(sql, session).changes > 0;
  }

  #putPieces(session: number, pieces: readonly PieceFacts[]): void {
    const sql = "INSERT INTO texts (session, first, count, pieces) VALUES (?, ?, ?, ?)";
    for (let first = 0; first < pieces.length; first += TOGETHER) {
      const some = pieces.slice(first, first + TOGETHER);
      this.#database.run(sql, session, first, some.length, JSON.stringify(some.map(packed)));
    }
  }

  find(wish: TextWish): TextHits {
    return this.#database.read(() => {
      const sessions = wish.sessions ?? this.#parts.sessions();
      const roles = (wish.roles ?? TEXT_ROLES).map((role) => TEXT_ROLES.indexOf(role));
      const parts = this.#parts.all();
      const told = { query: wish.query, sessions, roles: new Set(roles), most: RANKED + 1 };
      const found = newestMatches(parts, told);
      if (found.matches.length > RANKED) return this.#inTime(found.matches, wish);
      const best = ranked(parts, found).slice(0, wish.limit);
      return { hits: this.#hits(best), total: found.matches.length, order: "rank" };
    });
  }

  /** Parts that were read are read again when they are searched again. */
  rest(): void {
    letWordsGo();
    this.#parts.rest();
  }

  #inTime(matches: readonly Match[], { limit }: TextWish): TextHits {
    const newest = matches.slice(0, limit).map((match, at) => ({ match, rank: 1 / (at + 1) }));
    return { hits: this.#hits(newest), total: matches.length, order: "newest" };
  }

  #hits(matches: readonly { match: Match; rank: number }[]): TextHit[] {
    const sql = "SELECT pieces FROM texts WHERE session = ? AND first = ?";
    const read = new Map<string, PackedPiece[]>();
    return matches.flatMap(({ match: { facts }, rank }) => {
      const { session, piece, role } = facts;
      const first = piece - (piece % TOGETHER);
      const key = `${session} ${first}`;
      const row = read.has(key)
        ? undefined
        : this.#database.get<{ pieces: string }>(sql, session, first);
      if (row) read.set(key, JSON.parse(row.pieces) as PackedPiece[]);
      const found = read.get(key)?.[piece - first];
      const told = { session, role: TEXT_ROLES[role] ?? "other", rank } as const;
      return found ? [{ ...told, ...unpacked(found) }] : [];
    });
  }
}

interface Assigned {
  key: number;
  pieces: readonly PieceFacts[];
}

type DraftPiece = Pick<TextPiece, "role" | "atMs" | "texts">;

/** Texts whose words are cut, and what becomes of them. */
class SqliteTextDraft implements TextDraft {
  readonly assigned: Map<number, Assigned> = new Map();
  readonly #draft = new PartDraft();

  add(pieces: readonly DraftPiece[]): number {
    return this.#draft.add(pieces.map(draftText));
  }

  seal(): void {
    this.#draft.seal();
  }

  assign(number: number, session: Assigned): void {
    this.assigned.set(number, session);
  }

  parts(): Part[] {
    const keys: number[] = [];
    for (const [number, { key }] of this.assigned) keys[number] = key;
    return this.#draft.partsFor(keys);
  }
}

function draftText({ role, atMs = 0, texts }: DraftPiece): DraftText {
  const second = Math.max(0, Math.min(Math.floor(atMs / 1000), 2 ** 32 - 1));
  return { role: TEXT_ROLES.indexOf(role), second, texts };
}

const STANDINGS: readonly Standing[] = ["live", "rewound", "rewritten"];

type PackedPiece = [
  message: string | 0,
  standing: number,
  atMs: number | null,
  places: [file: number, start: number, end: number][],
];

function packed({ messageId, standing, atMs, places }: PieceFacts): PackedPiece {
  const list: PackedPiece[3] = [];
  for (const { file, start, end } of places) list.push([file, start, end]);
  return [messageId ?? 0, STANDINGS.indexOf(standing), atMs ?? null, list];
}

function unpacked([message, standing, atMs, places]: PackedPiece): Pick<
  TextHit,
  "messageId" | "standing" | "atMs" | "places"
> {
  return {
    messageId: message === 0 ? undefined : message,
    standing: STANDINGS[standing] ?? "live",
    atMs: atMs ?? undefined,
    places: places.map(([file, start, end]) => ({ file, start, end })),
  };
}
