import type { Digest } from "../../core/digest.ts";
import type { Project } from "../../core/project.ts";
import { optional } from "../../core/optional.ts";
import type { Clues, NewSession, Reading, Rows, StoredSession } from "../archive.ts";
import type { Database } from "./database.ts";
import { makeDerived } from "./derived.ts";
import { packTools, packUsage } from "./packing.ts";
import { numbersOf } from "../reply-numbers.ts";
import { OF_SESSIONS } from "./schema.ts";
import { FactLoader, storedDigest } from "./stored-digest.ts";

const SESSION_ROLES = "'main', 'subagent', 'set-aside'";
const TELLING_ROLES = `${SESSION_ROLES}, 'prompt-log', 'saved-chat'`;
/** Replaced contents stand under the number of their stream, below zero. */
const READ_FILES = `readings LEFT JOIN streams ON streams.id = -readings.file
  JOIN files ON files.id = coalesce(streams.file, readings.file)`;
const NONE = { files: 0, read: 0 };
const NO_KEYS = { keys: null, copies: 0 };
const FEW = 50;

/** The disposable half: what was read from the kept bytes. */
export class SqliteRows implements Rows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readings(roots: readonly number[]): Reading[] {
    const sql = `SELECT readings.* FROM ${READ_FILES}
      WHERE files.root IN (SELECT value FROM json_each(?))`;
    return this.#database.all<ReadingRow>(sql, JSON.stringify(roots)).map(readingOf);
  }

  reading(file: number): Reading | undefined {
    const row = this.#database.get<ReadingRow>("SELECT * FROM readings WHERE file = ?", file);
    return row && readingOf(row);
  }

  remarks(roots: readonly number[]): Reading[] {
    const sql = `SELECT readings.* FROM ${READ_FILES}
      WHERE diagnostics IS NOT NULL AND files.root IN (SELECT value FROM json_each(?))`;
    return this.#database.all<ReadingRow>(sql, JSON.stringify(roots)).map(readingOf);
  }

  counts(roots: readonly number[]): { files: number; read: number } {
    const sql = `SELECT count(*) AS files, coalesce(sum(is_read), 0) AS read FROM readings
      JOIN files ON files.id = readings.file WHERE role IN (${SESSION_ROLES})
      AND +files.root IN (SELECT value FROM json_each(?))`;
    type Counts = { files: number; read: number };
    const { files, read } = this.#database.get<Counts>(sql, JSON.stringify(roots)) ?? NONE;
    return { files, read };
  }

  look(root: number): string | undefined {
    const sql = "SELECT stamp FROM looks WHERE root = ?";
    return this.#database.get<{ stamp: string }>(sql, root)?.stamp;
  }

  putLook(root: number, stamp: string): void {
    const sql = "INSERT OR REPLACE INTO looks (root, stamp) VALUES (?, ?)";
    this.#database.write(() => this.#database.run(sql, root, stamp));
  }

  unread(root: number): number[] {
    // Row after row, as they lie (`+root`): most files are of one root, and none is to be found.
    const sql = `SELECT id FROM files LEFT JOIN readings ON readings.file = files.id
      WHERE +root = ?1 AND role IN (${TELLING_ROLES})
      AND (readings.file IS NULL OR readings.stream <> files.stream
      OR readings.size_bytes <> files.size_bytes)
      UNION ALL SELECT -streams.id FROM streams CROSS JOIN files ON files.id = streams.file
      AND streams.id <> files.stream LEFT JOIN readings ON readings.file = -streams.id
      WHERE +root = ?1 AND role IN (${TELLING_ROLES}) AND readings.file IS NULL`;
    const rows = this.#database.all<{ id: number }>(sql, root);
    return rows.map(({ id }) => id);
  }

  putReading(reading: Reading): void {
    const { fileId, stream, sizeBytes, sessionId, format, generation, isRead } = reading;
    const sql = `INSERT OR REPLACE INTO readings (file, size_bytes, stream, session, format,
      generation, is_read, diagnostics, leftover) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const diagnostics = reading.diagnostics.length > 0 ? JSON.stringify(reading.diagnostics) : null;
    const leftover = reading.leftover === undefined ? null : JSON.stringify(reading.leftover);
    const what = [sessionId ?? null, format, generation, isRead ? 1 : 0] as const;
    this.#database.run(sql, fileId, sizeBytes, stream, ...what, diagnostics, leftover);
  }

  filesOf(sessionId: string, root: number): number[] {
    const sql = `SELECT readings.file FROM ${READ_FILES}
      WHERE session = ? AND root = ? AND is_read = 1`;
    return this.#database.all<{ file: number }>(sql, sessionId, root).map(({ file }) => file);
  }

  everyFileOf(sessionId: string, root: number): number[] {
    const sql = `SELECT readings.file FROM ${READ_FILES} WHERE session = ? AND root = ?`;
    return this.#database.all<{ file: number }>(sql, sessionId, root).map(({ file }) => file);
  }

  replaced(root: number): number[] {
    const sql = `SELECT readings.file FROM readings JOIN streams ON streams.id = -readings.file
      JOIN files ON files.id = streams.file
      WHERE readings.file < 0 AND is_read = 1 AND root = ?`;
    return this.#database.all<{ file: number }>(sql, root).map(({ file }) => file);
  }

  put({ digest, roots, clues }: NewSession): number {
    const { id } = digest.summary;
    const scope = roots.join("+");
    this.#dropScope(id, scope);
    // What was merged from several roots is no longer true.
    if (roots.length === 1) this.#dropMerged(id);
    const { project, ...rest } = digest.session;
    const sql = `INSERT INTO sessions (id, scope, root, project, summary, rest, agent_calls, clues)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    const calls = digest.agentCalls.length > 0 ? JSON.stringify(digest.agentCalls) : null;
    const root = roots.length === 1 ? (roots[0] ?? null) : null;
    const named = [id, scope, root, JSON.stringify(project)] as const;
    const told = [JSON.stringify(digest.summary), JSON.stringify(rest), calls] as const;
    const key = this.#database.run(sql, ...named, ...told, JSON.stringify(clues)).id;
    this.#putFacts(key, digest);
    return key;
  }

  #putFacts(key: number, digest: Digest): void {
    const database = this.#database;
    const { usage, tools, session } = digest;
    const usageSql = "INSERT INTO usage_facts (session, facts) VALUES (?, ?)";
    if (usage.length > 0) database.run(usageSql, key, packUsage(session, usage));
    const toolSql = "INSERT INTO tool_facts (session, facts) VALUES (?, ?)";
    if (tools.length > 0) database.run(toolSql, key, packTools(session.id, tools));
    const numbers = JSON.stringify([...numbersOf(usage)]);
    const replySql = `INSERT OR IGNORE INTO replies (number, session)
      SELECT value, ?1 FROM json_each(?2)`;
    database.run(replySql, key, numbers);
    const repeatedSql = `INSERT OR IGNORE INTO repeated (number)
      SELECT number FROM replies AS own WHERE session = ?1 AND EXISTS
      (SELECT 1 FROM replies WHERE number = own.number AND session <> ?1)`;
    database.run(repeatedSql, key);
  }

  drop(sessionId: string, root: number): void {
    this.#dropScope(sessionId, String(root));
    this.#dropMerged(sessionId);
  }

  #dropScope(id: string, scope: string): void {
    const sql = "SELECT key FROM sessions WHERE id = ? AND scope = ?";
    this.#dropAll(this.#database.all<{ key: number }>(sql, id, scope));
  }

  #dropMerged(id: string): void {
    const sql = "SELECT key FROM sessions WHERE id = ? AND root IS NULL";
    this.#dropAll(this.#database.all<{ key: number }>(sql, id));
  }

  #dropAll(rows: readonly { key: number }[]): void {
    for (const { key } of rows) {
      for (const table of OF_SESSIONS) {
        this.#database.run(`DELETE FROM ${table} WHERE session = ?`, key);
      }
      this.#database.run("DELETE FROM sessions WHERE key = ?", key);
    }
  }

  sessions({ roots }: { roots: readonly number[] }): StoredSession[] {
    const sql = `SELECT ${COLUMNS} FROM sessions
      WHERE root IN (SELECT value FROM json_each(?)) ORDER BY key`;
    const facts = new FactLoader(this.#database, "many");
    const rows = this.#database.all<SessionRow>(sql, JSON.stringify(roots));
    return rows.map((row) => storedSession(row, facts));
  }

  sessionsAt(keys: readonly number[]): StoredSession[] {
    const sql = `SELECT ${COLUMNS} FROM sessions
      WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`;
    const facts = new FactLoader(this.#database, keys.length > FEW ? "many" : "few");
    const rows = this.#database.all<SessionRow>(sql, JSON.stringify(keys));
    return rows.map((row) => storedSession(row, facts));
  }

  keys(roots: readonly number[]): Map<number, string> {
    // A session of one root has its number as scope: an index knows all that is asked here.
    const sql = `SELECT key, id FROM sessions
      WHERE scope IN (SELECT CAST(value AS TEXT) FROM json_each(?)) ORDER BY +key`;
    const rows = this.#database.all<{ key: number; id: string }>(sql, JSON.stringify(roots));
    return new Map(rows.map(({ key, id }) => [key, id]));
  }

  loneKeys(roots: readonly number[]): number[] | undefined {
    const sql = `SELECT group_concat(key) AS keys, count(*) - count(DISTINCT id) AS copies
      FROM sessions WHERE scope IN (SELECT CAST(value AS TEXT) FROM json_each(?))`;
    type Told = { keys: string | null; copies: number };
    const { keys, copies } = this.#database.get<Told>(sql, JSON.stringify(roots)) ?? NO_KEYS;
    if (copies > 0) return undefined;
    const listed = keys === null ? [] : keys.split(",").map(Number);
    const sharing = this.sharing();
    if (sharing.size > 0 && listed.some((key) => sharing.has(key))) return undefined;
    return listed.toSorted((a, b) => a - b);
  }

  count(): number {
    const sql = "SELECT count(*) AS n FROM sessions WHERE root IS NOT NULL";
    return this.#database.get<{ n: number }>(sql)?.n ?? 0;
  }

  keyOf(sessionId: string, root: number): number | undefined {
    const sql = "SELECT key FROM sessions WHERE id = ? AND root = ?";
    return this.#database.get<{ key: number }>(sql, sessionId, root)?.key;
  }

  withoutText(roots: readonly number[]): { id: string; rootId: number }[] {
    const sql = `SELECT id, root AS rootId FROM sessions WHERE has_text = 0
      AND root IN (SELECT value FROM json_each(?)) ORDER BY key`;
    return this.#database.all<{ id: string; rootId: number }>(sql, JSON.stringify(roots));
  }

  merged(sessionId: string, roots: readonly number[]): StoredSession | undefined {
    const sql = `SELECT ${COLUMNS} FROM sessions WHERE id = ? AND scope = ?`;
    const row = this.#database.get<SessionRow>(sql, sessionId, roots.join("+"));
    return row && storedSession(row, new FactLoader(this.#database, "few"));
  }

  rename(key: number, project: Project): void {
    const sql = "UPDATE sessions SET project = ? WHERE key = ?";
    this.#database.run(sql, JSON.stringify(project), key);
  }

  sharing(): Set<number> {
    // Those few first: replies are many.
    const sql = "SELECT DISTINCT session FROM repeated CROSS JOIN replies USING (number)";
    return new Set(this.#database.all<{ session: number }>(sql).map(({ session }) => session));
  }

  clear(): void {
    this.#database.write(() => makeDerived(this.#database));
  }
}

interface ReadingRow {
  file: number;
  size_bytes: number;
  stream: number;
  session: string | null;
  format: Reading["format"];
  generation: string;
  is_read: number;
  diagnostics: string | null;
  leftover: string | null;
}

function readingOf(row: ReadingRow): Reading {
  return {
    fileId: row.file,
    stream: row.stream,
    sizeBytes: row.size_bytes,
    ...optional("sessionId", row.session ?? undefined),
    format: row.format,
    generation: row.generation,
    isRead: row.is_read === 1,
    diagnostics:
      row.diagnostics === null ? [] : (JSON.parse(row.diagnostics) as Reading["diagnostics"]),
    ...(row.leftover === null ? {} : { leftover: JSON.parse(row.leftover) as unknown }),
  };
}

const COLUMNS = "key, id, root, has_text, project, summary, rest, agent_calls, clues";

interface SessionRow {
  key: number;
  id: string;
  root: number | null;
  project: string;
  summary: string;
  rest: string;
  agent_calls: string | null;
  clues: string;
  has_text: number;
}

function storedSession(row: SessionRow, facts: FactLoader): StoredSession {
  return {
    key: row.key,
    id: row.id,
    rootId: row.root ?? undefined,
    digest: storedDigest(row, facts),
    get clues() {
      return JSON.parse(row.clues) as Clues;
    },
    hasText: row.has_text === 1,
  };
}
