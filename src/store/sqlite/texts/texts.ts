import { keyOf } from "../../../core/session/links.ts";
import type { FoundTexts, SessionRef, SessionTexts, TextQuery, TextRequest } from "../../store.ts";
import type { Database } from "../database.ts";
import { sizeOnDisk } from "../database.ts";
import { rewriteFile } from "../forget.ts";
import type { KnownTexts, NewWords, ReadySession } from "./index-texts.ts";
import { addWords, dropSession, indexSession, knownTexts, prepareSession } from "./index-texts.ts";
import { MeantSessions } from "./selected-sessions.ts";
import { searchTexts } from "./search.ts";
import { createTextTables, openTexts, textsPath, textsUid } from "./text-database.ts";

/** Characters indexed per transaction: limits memory, and lets other writers in between. */
const BATCH_LENGTH = 4_000_000;
/** Pages merged at a time, while no user is waiting. */
const MERGED_PAGES = 500;

/** The text index of an archive; its file is opened when it is first needed. */
export class Texts {
  readonly #archive: Database;
  #opened: Database | undefined;
  /** Sessions indexed in several calls: their indexed texts that were not seen again yet. */
  readonly #unfinished = new Map<string, KnownTexts>();

  constructor(archive: Database) {
    this.#archive = archive;
  }

  /** Undefined if there is no index and it may not be created. */
  get #database(): Database | undefined {
    this.#opened ??= openTexts(this.#archive.path, this.#archive.access);
    if (this.#opened && this.#archive.access === "write") this.#compareUid(this.#opened);
    return this.#opened;
  }

  /** If the index is not the one that the rows refer to, marks all sessions as not indexed. */
  #compareUid(database: Database): void {
    const uid = textsUid(database);
    const sql = "SELECT value FROM meta WHERE key = 'texts'";
    if (this.#archive.get<{ value: string }>(sql)?.value === uid) return;
    this.#archive.write(() => {
      this.#archive.run("UPDATE sessions SET is_indexed = 0");
      this.#archive.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('texts', ?)", uid);
    });
  }

  index(batch: readonly SessionTexts[]): void {
    const database = this.#database;
    if (!database) return;
    for (const part of inParts(batch)) {
      const ready = part
        .filter((session) => this.#isThere(session))
        .map((session) => prepareSession(session, this.#unseen(database, session)));
      this.#write(database, ready);
      const whole = ready.filter(({ more }) => more !== true);
      this.#archive.write(() => whole.forEach((session) => this.#mark(session)));
    }
  }

  /** Texts indexed before the session's first call that were not seen again yet. */
  #unseen(database: Database, { source, id }: SessionRef): KnownTexts {
    return this.#unfinished.get(keyOf(source, id)) ?? knownTexts(database, { source, id });
  }

  #write(database: Database, ready: readonly ReadySession[]): void {
    try {
      database.write(() => {
        const added = new Map<number, NewWords>();
        for (const session of ready) {
          const unseen = this.#unseen(database, session);
          indexSession(database, session, { unseen, added });
          const key = keyOf(session.source, session.id);
          if (session.more) this.#unfinished.set(key, unseen);
          else this.#unfinished.delete(key);
        }
        addWords(database, added);
      });
    } catch (error) {
      // Nothing was written, so all of these sessions start over.
      for (const { source, id } of ready) this.#unfinished.delete(keyOf(source, id));
      throw error;
    }
  }

  #isThere({ source, id }: SessionRef): boolean {
    const sql = "SELECT 1 AS n FROM sessions WHERE source = ? AND id = ?";
    return this.#archive.get(sql, source, id) !== undefined;
  }

  /**
   * Marks a session as indexed and keeps its work, unless it has changed since its texts were
   * requested.
   */
  #mark({ source, id, revision, work }: ReadySession): void {
    const meant = "source = ?1 AND id = ?2 AND revision = coalesce(?3, revision)";
    const values = [source, id, revision ?? null] as const;
    this.#archive.run(`UPDATE sessions SET is_indexed = 1 WHERE ${meant}`, ...values);
    if (!work) return;
    const sql = `UPDATE session_details SET work = ?4
      WHERE session = (SELECT key FROM sessions WHERE ${meant})`;
    this.#archive.run(sql, ...values, JSON.stringify(work));
  }

  missing(): TextRequest[] {
    // Opening the index checks that the rows refer to it.
    if (!this.#database) return [];
    const sql = `SELECT source, id, revision FROM sessions WHERE is_indexed = 0
      ORDER BY last_ms DESC, id`;
    return this.#archive.all<TextRequest>(sql).map((row) => ({ ...row }));
  }

  search(query: TextQuery): FoundTexts {
    const database = this.#database;
    if (!database) return NOTHING;
    const databases = { archive: this.#archive, texts: database };
    const found = database.read(() => {
      return searchTexts(database, query, MeantSessions.of(databases, query));
    });
    // Sessions may have been dropped since they were indexed, so filter them.
    return {
      ...found,
      hits: found.hits.filter(({ source, sessionId: id }) => this.#isThere({ source, id })),
    };
  }

  drop(sessions: readonly SessionRef[]): void {
    const database = this.#database;
    database?.write(() => sessions.forEach((session) => dropSession(database, session)));
  }

  /** Rewrites the whole index: until then, it still holds the words of removed texts. */
  forget(sessions: readonly SessionRef[]): void {
    const database = this.#database;
    if (!database) return;
    database.exec("PRAGMA secure_delete = ON");
    try {
      this.drop(sessions);
      database.write(() => database.exec("INSERT INTO words (words) VALUES ('optimize')"));
      rewriteFile(database);
    } finally {
      database.exec("PRAGMA secure_delete = OFF");
    }
  }

  /** Merges a part of the index's segments, so that searches stay fast. */
  settle(): void {
    const database = this.#opened;
    if (database?.access !== "write") return;
    database.write(() => {
      database.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", MERGED_PAGES);
    });
    database.checkpoint();
  }

  compact(): void {
    const database = this.#database;
    if (!database) return;
    database.write(() => database.exec("INSERT INTO words (words) VALUES ('optimize')"));
    rewriteFile(database);
  }

  clear(): void {
    const database = this.#database;
    this.#unfinished.clear();
    if (database) createTextTables(database);
  }

  stats(): { sizeBytes: number; texts: number } {
    const sizeBytes = sizeOnDisk(textsPath(this.#archive.path));
    if (sizeBytes === 0) return { sizeBytes, texts: 0 };
    const sql = "SELECT count(*) AS n FROM texts";
    return { sizeBytes, texts: this.#database?.get<{ n: number }>(sql)?.n ?? 0 };
  }

  close(): void {
    this.#opened?.close();
  }
}

const NOTHING: FoundTexts = { hits: [], total: 0, order: "rank", suggestions: [] };

/** Groups sessions into transactions; splits sessions that are too long for one. */
function* inParts(batch: readonly SessionTexts[]): Generator<SessionTexts[]> {
  let part: SessionTexts[] = [];
  let length = 0;
  for (const session of batch) {
    let from = 0;
    for (const [at, { texts }] of session.pieces.entries()) {
      for (const text of texts) length += text.length;
      if (length < BATCH_LENGTH || at + 1 === session.pieces.length) continue;
      yield [...part, { ...session, pieces: session.pieces.slice(from, at + 1), more: true }];
      [part, length, from] = [[], 0, at + 1];
    }
    part.push({ ...session, pieces: session.pieces.slice(from) });
    if (length < BATCH_LENGTH) continue;
    yield part;
    [part, length] = [[], 0];
  }
  if (part.length > 0) yield part;
}
