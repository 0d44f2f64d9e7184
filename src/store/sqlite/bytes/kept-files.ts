import { originalPath, READABLE_ROLES } from "../../../core/files/session-file.ts";
import type { KnownFile, KnownRoot, Version } from "../../../core/files/kept.ts";
import { optional } from "../../../core/optional.ts";
import type { SessionFile } from "../../../core/files/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { relativePath } from "../../paths.ts";
import type { FileChange, KnownQuery, NewContent, NewRoot, RootComparison } from "../../store.ts";
import type { Chunks, ReadyContent } from "./chunks.ts";
import type { Database } from "../database.ts";
import type { FileRow, RootRow } from "./file-rows.ts";
import { fileOf, FILES, knownSql, rootOf } from "./file-rows.ts";
import { replacedContents } from "./replaced-contents.ts";
import { inList } from "../sql.ts";

/** Thrown if another writer has changed the file since the comparison; the batch is rolled back. */
export class Outdated extends Error {}

/** A change with its bytes compressed. */
export interface ReadyChange {
  change: FileChange;
  ready?: ReadyContent;
}

/**
 * The kept half: stores and reads bytes. `+root` disables the index on roots: most files have the
 * same root, and a table scan is faster.
 */
export class SqliteKeptFiles {
  readonly #database: Database;
  readonly #chunks: Chunks;

  constructor(database: Database, chunks: Chunks) {
    this.#database = database;
    this.#chunks = chunks;
  }

  roots(): KnownRoot[] {
    const sql = `SELECT roots.*, machines.uid, machines.name, snapshots.snapshot,
      machines.id = (SELECT value FROM meta WHERE key = 'machine') AS is_this
      FROM roots JOIN machines ON machines.id = roots.machine
      LEFT JOIN snapshots ON snapshots.root = roots.id ORDER BY roots.id`;
    return this.#database.all<RootRow>(sql).map(rootOf);
  }

  addRoot({ source, path, how, machine }: NewRoot, nowMs: number): KnownRoot {
    // A root that was kept on purpose stays so; a `visited` root can be promoted.
    const sql = `INSERT INTO roots (machine, source, path, how, looked_ms)
      SELECT id, ?1, ?2, ?3, ?4 FROM machines
      WHERE CASE WHEN ?5 IS NULL THEN id = (SELECT value FROM meta WHERE key = 'machine')
        ELSE uid = ?5 END
      ON CONFLICT DO UPDATE SET looked_ms = ?4,
      how = CASE WHEN how = 'visited' OR ?3 = 'usual' THEN ?3 ELSE how END`;
    this.#database.write(() => {
      const add = "INSERT OR IGNORE INTO machines (uid, name) VALUES (?, ?)";
      if (machine) this.#database.run(add, machine.uid, machine.name);
      this.#database.run(sql, source, path, how, nowMs, machine?.uid ?? null);
    });
    const found = this.roots().find((root) => {
      const isThere = machine ? root.machine.uid === machine.uid : root.machine.isThis;
      return isThere && root.source === source && root.path === path;
    });
    if (!found) throw new RangeError("A root was added and is not there.");
    return found;
  }

  looked({ rootId, diagnostics, snapshot }: RootComparison, nowMs: number): void {
    const sql = "UPDATE roots SET looked_ms = ?, diagnostics = ? WHERE id = ?";
    this.#database.run(sql, nowMs, JSON.stringify(diagnostics), rootId);
    this.#database.run("DELETE FROM snapshots WHERE root = ?", rootId);
    if (snapshot === undefined) return;
    this.#database.run("INSERT INTO snapshots (root, snapshot) VALUES (?, ?)", rootId, snapshot);
  }

  known(query: KnownQuery): KnownFile[] {
    const roots = this.roots().filter(({ id, source }) => {
      return (query.rootId ?? id) === id && (query.source ?? source) === source;
    });
    const files = roots.flatMap((root) => {
      const { sql, values } = knownSql(root, query);
      return this.#database.all<FileRow>(sql, ...values).map((row) => fileOf(row, root));
    });
    return [...files, ...this.#replaced(roots, query)];
  }

  /** Replaced contents that the query selects. */
  #replaced(roots: readonly KnownRoot[], query: KnownQuery): KnownFile[] {
    const named = query.ids?.filter((id) => id < 0) ?? [];
    const linked =
      query.replaced === "with"
        ? this.#database.all<{ file: number }>(
            "SELECT file FROM readings WHERE file < 0 AND is_read = 1",
          )
        : [];
    const ids = [...new Set([...named, ...linked.map(({ file }) => file)])];
    if (ids.length === 0) return [];
    const found = roots.flatMap((root) =>
      replacedContents(this.#database, ids, { root, fileOf: (id) => this.#file(id, root) }),
    );
    return found.filter(
      (file) =>
        query.ids?.includes(file.id) !== false &&
        query.roles?.includes(file.role) !== false &&
        query.paths?.includes(originalPath(file)) !== false &&
        (query.keys === undefined || file.keys.some((key) => query.keys?.includes(key))),
    );
  }

  #file(id: number, root: KnownRoot): KnownFile | undefined {
    const row = this.#database.get<FileRow>(`${FILES} WHERE files.id = ?`, id);
    return row && fileOf(row, root);
  }

  /** Files with readable roles that were not read since they changed. */
  unread(): number[] {
    const roles = inList(READABLE_ROLES);
    const own = "files.root IN (SELECT id FROM roots WHERE how <> 'visited')";
    const sql = `SELECT files.id FROM files LEFT JOIN readings INDEXED BY readings_state
      ON readings.file = files.id WHERE role IN (${roles}) AND ${own} AND (readings.file IS NULL
      OR readings.content <> files.stream OR readings.size_bytes <> files.size_bytes)
      UNION ALL SELECT -streams.id FROM streams JOIN files ON files.id = streams.file
      AND streams.id <> files.stream LEFT JOIN readings ON readings.file = -streams.id
      WHERE role IN (${roles}) AND ${own} AND readings.file IS NULL`;
    return this.#database.all<{ id: number }>(sql).map(({ id }) => id);
  }

  versions(fileId: number): Version[] {
    const sql = `SELECT versions.id, file AS fileId, stream AS content, size_bytes AS sizeBytes,
      modified_ms AS modifiedMs, kept_ms AS keptMs, lower(hex(digest)) AS digest FROM versions
      JOIN streams ON streams.id = versions.stream
      WHERE file = coalesce((SELECT file FROM streams WHERE id = -?1), ?1)
      ORDER BY kept_ms, versions.id`;
    return this.#database.all<Version>(sql, fileId).map(({ digest, ...row }) => {
      return digest === "" ? row : { ...row, ...optional("digest", digest) };
    });
  }

  bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): ByteSource {
    return this.#chunks.bytesOf(file.content, file);
  }

  /** Splits, hashes and compresses bytes: the slow part, done before the write lock is taken. */
  prepare(change: FileChange): ReadyChange {
    if (change.kind !== "content") return { change };
    return { change, ready: this.#chunks.prepare(change.content.pieces) };
  }

  /** Stores the change. Call inside a transaction. */
  apply({ change, ready }: ReadyChange, nowMs: number): void {
    switch (change.kind) {
      case "content": {
        const content = { ...change.content, chunks: ready?.chunks ?? [] };
        this.#keep({ ...change, content }, nowMs);
        return;
      }
      case "touched": {
        const row = this.#sameRow(change.known);
        const { file, isSettled } = change;
        this.#stamp(row.id, file, { stream: row.stream, isSettled, nowMs });
        return;
      }
      case "gone": {
        const { id } = this.#sameRow(change.known);
        const sql = "UPDATE files SET gone_since_ms = ? WHERE id = ? AND gone_since_ms IS NULL";
        this.#database.run(sql, nowMs, id);
        return;
      }
      default:
        return change satisfies never;
    }
  }

  /** Throws `Outdated` if another process has changed the file since the comparison. */
  #sameRow(known: KnownFile): FileRow {
    const row = this.#database.get<FileRow>(`${FILES} WHERE files.id = ?`, known.id);
    if (row?.stream !== known.content || row.size_bytes !== known.sizeBytes) throw new Outdated();
    return row;
  }

  #keep(change: ReadyFile, nowMs: number): void {
    const { rootId, file, content, known } = change;
    const root = this.roots().find(({ id }) => id === rootId);
    if (!root) throw new RangeError(`There is no root ${rootId}.`);
    const path = relativePath(root.path, file.path);
    const there = this.#database.get<{ id: number }>(
      "SELECT id FROM files WHERE root = ? AND path = ?",
      rootId,
      path,
    );
    if (there?.id !== known?.id) throw new Outdated();
    const row = known && this.#sameRow(known);
    const id = row?.id ?? this.#addFile(rootId, path, { file, nowMs });
    const isAppended = content.how === "appended" && row !== undefined;
    const stream = isAppended ? row.stream : this.#addStream(id);
    const sizeBytes = this.#addPieces(stream, isAppended ? row.size_bytes : 0, content.chunks);
    if (sizeBytes !== content.sizeBytes) throw new RangeError("A content has another length.");
    const kept = { ...file, sizeBytes };
    this.#addVersion(stream, kept, { digest: content.digest, nowMs });
    this.#stamp(id, kept, { stream, isSettled: content.isSettled, nowMs });
  }

  #addPieces(stream: number, from: number, chunks: ReadyContent["chunks"]): number {
    const sql = "INSERT INTO pieces (stream, start, chunk) VALUES (?, ?, ?)";
    let start = from;
    for (const chunk of chunks) {
      this.#database.run(sql, stream, start, this.#chunks.add(chunk));
      start += chunk.sizeBytes;
    }
    return start;
  }

  #addFile(root: number, path: string, seen: { file: SessionFile; nowMs: number }): number {
    const { role, folder, parentId, isCleaned } = seen.file;
    const sql = `INSERT INTO files (root, path, role, folder, parent, is_cleaned, size_bytes,
      modified_ms, is_settled, stream, first_seen_ms, last_seen_ms)
      VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?, ?)`;
    const values = [role, folder, parentId ?? null, isCleaned ? 1 : 0, seen.nowMs, seen.nowMs];
    return this.#database.run(sql, root, path, ...values).id;
  }

  #addStream(file: number): number {
    return this.#database.run("INSERT INTO streams (file) VALUES (?)", file).id;
  }

  #addVersion(stream: number, file: SessionFile, at: { digest: string; nowMs: number }): void {
    const sql = `INSERT INTO versions (stream, size_bytes, modified_ms, kept_ms, digest)
      VALUES (?, ?, ?, ?, ?)`;
    const digest = Buffer.from(at.digest, "hex");
    this.#database.run(sql, stream, file.sizeBytes, file.modifiedMs, at.nowMs, digest);
  }

  #stamp(
    id: number,
    file: SessionFile,
    seen: { stream: number; isSettled: boolean; nowMs: number },
  ): void {
    const sql = `UPDATE files SET size_bytes = ?, modified_ms = ?, changed_ms = ?, inode = ?,
      is_settled = ?, role = ?, is_cleaned = ?, stream = ?, last_seen_ms = ?, gone_since_ms = NULL WHERE id = ?`;
    const stamp = [file.sizeBytes, file.modifiedMs, file.changedMs ?? null, file.inode ?? null];
    const where = [file.role, file.isCleaned ? 1 : 0, seen.stream, seen.nowMs, id];
    this.#database.run(sql, ...stamp, seen.isSettled ? 1 : 0, ...where);
  }
}

type ReadyFile = Extract<FileChange, { kind: "content" }> & {
  content: NewContent & ReadyContent;
};
