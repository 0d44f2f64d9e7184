import { hash } from "node:crypto";
import type { TextPiece } from "../../../core/text.ts";
import { TEXT_ROLES } from "../../../core/text.ts";
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
  "places",
]);
const WORDS = "INSERT INTO words (rowid, text) VALUES (?, ?)";
const DROP_WORDS = "DELETE FROM words WHERE rowid = ?";
const DROP_TEXT = "DELETE FROM texts WHERE id = ?";

/** Ids of texts without a time come before all others. */
const FIRST_TIMED = 2 ** 40;
/** So many texts may begin within one millisecond before their ids run into the next one. */
const PER_MS = 1024;
const WINDOW = PER_MS * 1000;
const LAST_MS: number = Math.floor(Number.MAX_SAFE_INTEGER / PER_MS) - 2000;

/** A word for each role and each session, so that the index itself tells them apart. */
export function roleWord(role: number): string {
  return `\u{e001}${role}`;
}
export function sessionWord(session: number): string {
  return `\u{e002}${session}`;
}

/** Brings the index of one session up to date. Inside of a transaction. */
export function indexSession(database: Database, { source, id, pieces }: SessionTexts): void {
  const files = [...new Set(pieces.flatMap(({ places }) => places.map(({ file }) => file)))];
  const session = sessionKey(database, { source, id }, files);
  const known = knownTexts(database, session);
  const numbers = new Map(files.map((file, number) => [file, number]));
  for (const piece of pieces) {
    const digest = digestOf(piece);
    const same = known.get(digest.toString("hex"))?.pop();
    const places = placesOf(piece, numbers);
    if (same === undefined) insert(database, piece, { session, digest, places });
    else update(database, same, { piece, places });
  }
  for (const ids of known.values()) for (const text of ids) dropText(database, text);
}

export function dropSession(database: Database, { source, id }: SessionRef): void {
  const sql = "SELECT key FROM text_sessions WHERE source = ? AND id = ?";
  const session = database.get<{ key: number }>(sql, source, id)?.key;
  if (session === undefined) return;
  for (const ids of knownTexts(database, session).values()) {
    for (const text of ids) dropText(database, text);
  }
  database.run("DELETE FROM text_sessions WHERE key = ?", session);
}

function dropText(database: Database, id: number): void {
  database.run(DROP_WORDS, id);
  database.run(DROP_TEXT, id);
}

function sessionKey(database: Database, session: SessionRef, files: readonly string[]): number {
  const { source, id } = session;
  const sql = "SELECT key FROM text_sessions WHERE source = ? AND id = ?";
  const known = database.get<{ key: number }>(sql, source, id)?.key;
  const json = JSON.stringify(files);
  if (known !== undefined) {
    database.run("UPDATE text_sessions SET files = ? WHERE key = ?", json, known);
    return known;
  }
  const insertSession = insertInto("text_sessions", ["source", "id", "files"]);
  return database.run(insertSession, source, id, json).id;
}

/** Ids by what was indexed: most of a session that grows is there already. */
function knownTexts(database: Database, session: number): Map<string, number[]> {
  const sql = "SELECT id, digest FROM texts WHERE session = ? ORDER BY id DESC";
  const known = new Map<string, number[]>();
  for (const row of database.all<{ id: number; digest: Uint8Array }>(sql, session)) {
    const digest = Buffer.from(row.digest).toString("hex");
    const ids = known.get(digest);
    if (ids) ids.push(row.id);
    else known.set(digest, [row.id]);
  }
  return known;
}

/** What is indexed of a text: its words, who said it, and when. */
function digestOf({ messageId = "", role, atMs, texts }: TextPiece): Buffer {
  const words = texts.length === 1 ? (texts[0] ?? "") : texts.join("\n");
  const whole = hash("sha1", `${role}\n${messageId}\n${atMs ?? ""}\n${words}`, "buffer");
  return whole.subarray(0, 8);
}

/** `[file, start, end, …]`: files by their number in the session. */
function placesOf({ places }: TextPiece, numbers: ReadonlyMap<string, number>): string {
  const flat = places.flatMap(({ file, start, end }) => [numbers.get(file) ?? 0, start, end]);
  return flat.join(",");
}

function insert(
  database: Database,
  piece: TextPiece,
  { session, digest, places }: { session: number; digest: Buffer; places: string },
): void {
  const { messageId = null, role, standing, atMs = null, texts } = piece;
  const id = freeId(database, atMs);
  const number = TEXT_ROLES.indexOf(role);
  database.run(TEXTS, id, session, digest, messageId, number, standing, atMs, places);
  const words = searchableText(texts.length === 1 ? (texts[0] ?? "") : texts.join("\n"));
  database.run(WORDS, id, `${words} ${roleWord(number)} ${sessionWord(session)}`);
}

function update(
  database: Database,
  id: number,
  { piece, places }: { piece: TextPiece; places: string },
): void {
  const sql = `UPDATE texts SET standing = ?1, places = ?2 WHERE id = ?3
    AND (standing <> ?1 OR places <> ?2)`;
  database.run(sql, piece.standing, places, id);
}

/** The next id for a time: the newest texts have the largest ones. */
function freeId(database: Database, atMs: number | null): number {
  const ms = Math.min(Math.max(atMs ?? 0, 0), LAST_MS);
  const first = atMs === null ? 0 : Math.max(ms * PER_MS, FIRST_TIMED);
  const sql = "SELECT max(id) AS id FROM texts WHERE id >= ? AND id < ?";
  for (let from = first; ; from += WINDOW) {
    const last = database.get<{ id: number | null }>(sql, from, from + WINDOW)?.id ?? undefined;
    if (last === undefined) return from;
    if (last + 1 < from + WINDOW) return last + 1;
  }
}
