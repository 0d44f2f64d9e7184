import { hash } from "node:crypto";
import type { Standing } from "../../../core/session/message.ts";
import type { SessionWork } from "../../../core/rows/session-work.ts";
import type { TextPiece } from "../../../core/session/text.ts";
import { TEXT_ROLES } from "../../../core/session/text.ts";
import { searchableText } from "../../search-words.ts";
import type { SessionRef, SessionTexts } from "../../store.ts";
import type { Database } from "../database.ts";
import { insertInto } from "../sql.ts";

const TEXTS = insertInto("texts", [
  "id",
  "session",
  "digest",
  "message",
  "role",
  "standing",
  "at_ms",
  "length",
  "places",
]);
/** Stored as their index. */
export const STANDINGS: readonly Standing[] = ["live", "rewound", "rewritten"];
const WORDS = "INSERT INTO words (rowid, text) VALUES (?, ?)";
const DROP_WORDS = "DELETE FROM words WHERE rowid = ?";
const DROP_TEXT = "DELETE FROM texts WHERE id = ?";

/**
 * Ids fall with time, so that the newest texts are at the beginning of every list in the index:
 * FTS5 reads lists forwards faster than backwards. They use seconds, not milliseconds: lists store
 * differences, and small ones take two bytes instead of five.
 */
const PER_SECOND = 8;
/** The largest id of texts with a time: of 1970. Those of 2106 are near 0. */
const FIRST_TIMED: number = 2 ** 35;
/** The largest id of texts without a time: they come after all others. */
const UNTIMED: number = 2 ** 36;

/** Roles and sessions are indexed as words, so that the index itself can filter by them. */
export function roleWord(role: number): string {
  return `\u{e001}${role}`;
}
export function sessionWord(session: number): string {
  return `\u{e002}${session}`;
}

/** A prepared text: the slow part is done before the write lock is taken. */
interface ReadyText {
  piece: TextPiece;
  digest: string;
  /** Words for the index; undefined if the text is already indexed. */
  words: Uint8Array | undefined;
}

export interface ReadySession extends SessionRef {
  revision?: number | undefined;
  /** More texts of the session follow. */
  more?: true | undefined;
  texts: ReadyText[];
  work: SessionWork | undefined;
}

/** Ids of a session's indexed texts by digest, as far as they were not seen again yet. */
export type KnownTexts = Map<string, number[]>;

/** Computes digests, and the words of texts that are not indexed yet. */
export function prepareSession(
  { source, id, revision, more, pieces, work }: SessionTexts,
  known: KnownTexts,
): ReadySession {
  const texts = pieces.map((piece) => {
    const whole = piece.texts.length === 1 ? (piece.texts[0] ?? "") : piece.texts.join("\n");
    const digest = digestOf(piece, whole);
    return { piece, digest, words: known.has(digest) ? undefined : wordsOf(whole) };
  });
  return { source, id, revision, more, texts, work };
}

/** As bytes, which FTS5 reads like text: the garbage collector would copy strings. */
function wordsOf(text: string): Uint8Array {
  return Buffer.from(searchableText(text));
}

/** The words of a text, as they are added to the index. */
export interface NewWords {
  words: Uint8Array;
  /** Words for its role and session, joined last: the words of a whole batch are large. */
  marks: string;
}

/**
 * Updates the texts of a session, inside a transaction; puts the words that are left to add into
 * `added`, by id. `unseen` holds the texts indexed before the first call; those still in it after
 * the last call are removed.
 */
export function indexSession(
  database: Database,
  { texts, more, ...ref }: ReadySession,
  { unseen, added }: { unseen: KnownTexts; added: Map<number, NewWords> },
): void {
  const { session, numbers } = sessionOf(database, ref, texts);
  const ids = new Ids(database);
  for (const text of texts) {
    const same = unseen.get(text.digest)?.pop();
    const places = placesOf(text.piece, numbers);
    if (same !== undefined) {
      update(database, same, { text, places });
      continue;
    }
    const id = ids.next(text.piece.atMs);
    added.set(id, insert(database, text, { session, places, id }));
  }
  if (more) return;
  for (const id of [...unseen.values()].flat()) {
    dropText(database, id);
    // The session may be twice in a batch: its former words are not in the index yet.
    added.delete(id);
  }
}

/**
 * Adds words in the order of their ids: FTS5 writes what it has gathered to the file, as a segment
 * that has to be merged later, whenever an id is smaller than the one before.
 */
export function addWords(database: Database, added: ReadonlyMap<number, NewWords>): void {
  for (const [id, { words, marks }] of [...added].toSorted(([a], [b]) => a - b)) {
    database.run(WORDS, id, Buffer.concat([words, Buffer.from(` ${marks}`)]));
  }
}

export function dropSession(database: Database, ref: SessionRef): void {
  for (const ids of knownTexts(database, ref).values()) {
    for (const id of ids) dropText(database, id);
  }
  database.run("DELETE FROM text_sessions WHERE source = ? AND id = ?", ref.source, ref.id);
}

function dropText(database: Database, id: number): void {
  database.run(DROP_WORDS, id);
  database.run(DROP_TEXT, id);
}

/** Returns the session's key and the numbers of its files; assigned numbers never change. */
function sessionOf(
  database: Database,
  { source, id }: SessionRef,
  texts: readonly ReadyText[],
): { session: number; numbers: ReadonlyMap<string, number> } {
  const sql = "SELECT key, files FROM text_sessions WHERE source = ? AND id = ?";
  const known = database.get<{ key: number; files: string }>(sql, source, id);
  const before = JSON.parse(known?.files ?? "[]") as string[];
  const all = new Set(before);
  for (const { piece } of texts) for (const { file } of piece.places) all.add(file);
  const files = [...all];
  const numbers = new Map(files.map((file, number) => [file, number]));
  if (!known) {
    const add = insertInto("text_sessions", ["source", "id", "files"]);
    return { session: database.run(add, source, id, JSON.stringify(files)).id, numbers };
  }
  if (files.length > before.length) {
    const change = "UPDATE text_sessions SET files = ? WHERE key = ?";
    database.run(change, JSON.stringify(files), known.key);
  }
  return { session: known.key, numbers };
}

/** A session's indexed texts: most texts of a growing session are already there. */
export function knownTexts(database: Database, { source, id }: SessionRef): KnownTexts {
  const sql = `SELECT texts.id, digest FROM text_sessions JOIN texts ON session = key
    WHERE source = ? AND text_sessions.id = ? ORDER BY texts.id`;
  const known: KnownTexts = new Map();
  for (const row of database.all<{ id: number; digest: Uint8Array }>(sql, source, id)) {
    const digest = Buffer.from(row.digest).toString("hex");
    const ids = known.get(digest);
    if (ids) ids.push(row.id);
    else known.set(digest, [row.id]);
  }
  return known;
}

/** Digest of everything indexed of a text: role, message id, time and words. */
function digestOf({ messageId = "", role, atMs }: TextPiece, whole: string): string {
  return hash("sha1", `${role}\n${messageId}\n${atMs ?? ""}\n${whole}`, "hex").slice(0, 16);
}

/** `file,start,end,…`, with files as their number in the session. */
function placesOf({ places }: TextPiece, numbers: ReadonlyMap<string, number>): string {
  const flat = places.flatMap(({ file, start, end }) => [numbers.get(file) ?? 0, start, end]);
  return flat.join(",");
}

function insert(
  database: Database,
  { piece, digest, words }: ReadyText,
  { session, id, places }: { session: number; id: number; places: string },
): NewWords {
  const { messageId, role, standing, atMs, texts } = piece;
  const number = TEXT_ROLES.indexOf(role);
  const key = Buffer.from(digest, "hex");
  const what = [messageId ?? null, number, STANDINGS.indexOf(standing), atMs ?? null] as const;
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  database.run(TEXTS, id, session, key, ...what, length, places);
  const indexed = words ?? wordsOf(texts.join("\n"));
  return { words: indexed, marks: `${roleWord(number)} ${sessionWord(session)}` };
}

function update(
  database: Database,
  id: number,
  { text, places }: { text: ReadyText; places: string },
): void {
  const sql = `UPDATE texts SET standing = ?1, places = ?2 WHERE id = ?3
    AND (standing <> ?1 OR places <> ?2)`;
  database.run(sql, STANDINGS.indexOf(text.piece.standing), places, id);
}

/** Assigns ids to texts: the next free one, starting at the text's second. */
class Ids {
  readonly #database: Database;
  /** The last id: texts of the same second get consecutive ids. */
  #last = { base: -1, id: -1 };

  constructor(database: Database) {
    this.#database = database;
  }

  next(atMs: number | undefined): number {
    const base = atMs === undefined ? UNTIMED : baseOf(atMs);
    let id = base === this.#last.base ? this.#last.id - 1 : base;
    if (base === UNTIMED && this.#last.base !== base) id = this.#below(UNTIMED, FIRST_TIMED);
    while (!this.#isFree(id)) id = this.#below(id, id - PER_SECOND);
    this.#last = { base, id };
    return id;
  }

  /** The id below the smallest one that is in use, of those down to `end`. */
  #below(start: number, end: number): number {
    const sql = "SELECT min(id) AS id FROM texts WHERE id <= ? AND id > ?";
    return (this.#database.get<{ id: number | null }>(sql, start, end)?.id ?? start + 1) - 1;
  }

  #isFree(id: number): boolean {
    return this.#database.get("SELECT 1 AS n FROM texts WHERE id = ?", id) === undefined;
  }
}

function baseOf(atMs: number): number {
  const base = FIRST_TIMED - Math.floor(atMs / 1000) * PER_SECOND;
  return Math.min(Math.max(base, 0), FIRST_TIMED);
}
