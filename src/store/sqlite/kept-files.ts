import type { Diagnostic } from "../../core/diagnostic.ts";
import type { KeptFile, KeptRoot, KeptVersion, RootHow } from "../../core/kept.ts";
import { optional } from "../../core/optional.ts";
import type { FileRole, SessionFile } from "../../core/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Forgotten, ForgottenKind, KeptFiles, NewContent, Seen } from "../archive.ts";
import { joinPath, relativePath } from "../paths.ts";
import type { Chunks, ReadyContent } from "./chunks.ts";
import type { Database } from "./database.ts";
import { replacedContents } from "./replaced-contents.ts";

/**
 * The precious half: bytes in, bytes out. With `+root`, rows are read as they lie: most are of one
 * root, and an index would only lead back and forth.
 */
export class SqliteKeptFiles implements KeptFiles {
  readonly #database: Database;
  readonly #chunks: Chunks;

  constructor(database: Database, chunks: Chunks) {
    this.#database = database;
    this.#chunks = chunks;
  }

  roots(): KeptRoot[] {
    const sql = `SELECT roots.*, machines.uid, machines.name,
      machines.id = (SELECT value FROM meta WHERE key = 'machine') AS is_this
      FROM roots JOIN machines ON machines.id = roots.machine ORDER BY roots.id`;
    return this.#database.all<RootRow>(sql).map(rootOf);
  }

  addRoot(root: { source: string; path: string; how: RootHow }, nowMs: number): KeptRoot {
    const { source, path, how } = root;
    // A place once taken in on purpose stays so; one that was only visited can be raised.
    const sql = `INSERT INTO roots (machine, source, path, how, looked_ms)
      SELECT value, ?1, ?2, ?3, ?4 FROM meta WHERE key = 'machine'
      ON CONFLICT DO UPDATE SET looked_ms = ?4,
      how = CASE WHEN how = 'visited' OR ?3 = 'usual' THEN ?3 ELSE how END`;
    this.#database.run(sql, source, path, how, nowMs);
    const found = this.roots().find((one) => {
      return one.machine.isThis && one.source === source && one.path === path;
    });
    if (!found) throw new RangeError("A root was added and is not there.");
    return found;
  }

  files(root: KeptRoot): KeptFile[] {
    const sql = "SELECT * FROM files WHERE root = ?";
    return this.#database.all<FileRow>(sql, root.id).map((row) => fileOf(row, root));
  }

  filesAt(root: KeptRoot, paths: readonly string[]): KeptFile[] {
    const sql = "SELECT * FROM files WHERE root = ? AND path IN (SELECT value FROM json_each(?))";
    const below = JSON.stringify(paths.map((path) => relativePath(root.path, path)));
    return this.#database.all<FileRow>(sql, root.id, below).map((row) => fileOf(row, root));
  }

  filesAround(root: KeptRoot, ids: readonly number[]): KeptFile[] {
    const sql = `SELECT * FROM files WHERE +root = ?
      AND (role IN ('evidence', 'spill') OR id IN (SELECT value FROM json_each(?)))`;
    const rows = this.#database.all<FileRow>(sql, root.id, JSON.stringify(ids));
    return rows.map((row) => fileOf(row, root));
  }

  companions(root: KeptRoot): KeptFile[] {
    const sql = `SELECT * FROM files WHERE +root = ?
      AND role NOT IN ('main', 'subagent', 'set-aside')`;
    return this.#database.all<FileRow>(sql, root.id).map((row) => fileOf(row, root));
  }

  folders(root: KeptRoot): string[] {
    const sql = "SELECT DISTINCT folder FROM files WHERE +root = ?";
    return this.#database.all<{ folder: string }>(sql, root.id).map(({ folder }) => folder);
  }

  file(id: number): KeptFile | undefined {
    if (id < 0) return this.#replacedFile(id);
    const row = this.#database.get<FileRow>("SELECT * FROM files WHERE id = ?", id);
    const root = row && this.roots().find((one) => one.id === row.root);
    return root && fileOf(row, root);
  }

  replaced(root: KeptRoot, ids: readonly number[]): KeptFile[] {
    return replacedContents(this.#database, ids, { root, fileOf: (id) => this.file(id) });
  }

  #replacedFile(id: number): KeptFile | undefined {
    const sql =
      "SELECT root FROM files JOIN streams ON streams.file = files.id WHERE streams.id = ?";
    const row = this.#database.get<{ root: number }>(sql, -id);
    const root = row && this.roots().find((one) => one.id === row.root);
    return root && this.replaced(root, [id])[0];
  }

  versions(file: Pick<KeptFile, "id">): KeptVersion[] {
    const sql = `SELECT versions.id, file AS fileId, stream, size_bytes AS sizeBytes,
      modified_ms AS modifiedMs, kept_ms AS keptMs FROM versions
      JOIN streams ON streams.id = versions.stream
      WHERE file = coalesce((SELECT file FROM streams WHERE id = -?1), ?1)
      ORDER BY kept_ms, versions.id`;
    return this.#database.all<KeptVersion>(sql, file.id).map((row) => ({ ...row }));
  }

  bytes(file: Pick<KeptFile, "path" | "stream" | "sizeBytes">): ByteSource {
    return this.#chunks.bytesOf(file.stream, file);
  }

  prepare(bytes: Iterable<Buffer>): ReadyContent {
    return this.#chunks.prepare(bytes);
  }

  keep(root: KeptRoot, file: SessionFile, content: NewContent): KeptFile | undefined {
    return this.#database.write(() => {
      const path = relativePath(root.path, file.path);
      const known = this.#row(root.id, path);
      if (!isStillSo(known, content)) return undefined;
      const id = known?.id ?? this.#addFile(root.id, path, { file, nowMs: content.nowMs });
      const after = content.how === "appended" ? content.known : undefined;
      const stream = after?.stream ?? this.#addStream(id);
      let start = after?.sizeBytes ?? 0;
      for (const chunk of (content.content as ReadyContent).chunks) {
        const number = this.#chunks.add(chunk);
        const sql = "INSERT INTO pieces (stream, start, chunk) VALUES (?, ?, ?)";
        this.#database.run(sql, stream, start, number);
        start += chunk.sizeBytes;
      }
      const kept = { ...file, sizeBytes: start };
      this.#addVersion(stream, kept, content.nowMs);
      this.#stamp(id, { file: kept, stream, seen: content });
      return this.#file(root, path);
    });
  }

  restamp(root: KeptRoot, file: SessionFile, seen: Seen): void {
    this.#database.write(() => {
      const row = this.#row(root.id, relativePath(root.path, file.path));
      if (!row || !isStillSo(row, seen)) return;
      this.#stamp(row.id, { file, stream: row.stream, seen });
    });
  }

  gone(roots: readonly KeptRoot[]): Map<string, number> {
    const sql = "SELECT path, gone_since_ms AS ms FROM files WHERE root = ? AND gone_since_ms > 0";
    const gone = roots.flatMap((root) =>
      this.#database.all<{ path: string; ms: number }>(sql, root.id).map(({ path, ms }) => {
        return [joinPath(root.path, path), ms] as const;
      }),
    );
    return new Map(gone);
  }

  markGone(ids: readonly number[], nowMs: number): void {
    const sql = "UPDATE files SET gone_since_ms = ?1 WHERE id = ?2 AND gone_since_ms IS NULL";
    this.#database.write(() => {
      for (const id of ids) this.#database.run(sql, nowMs, id);
    });
  }

  looked(root: KeptRoot, told: { nowMs: number; diagnostics: readonly Diagnostic[] }): void {
    const sql = "UPDATE roots SET looked_ms = ?, diagnostics = ? WHERE id = ?";
    const values = [told.nowMs, JSON.stringify(told.diagnostics), root.id] as const;
    this.#database.write(() => this.#database.run(sql, ...values));
  }

  diagnostics(root: KeptRoot): Diagnostic[] {
    const sql = "SELECT diagnostics FROM roots WHERE id = ?";
    const row = this.#database.get<{ diagnostics: string }>(sql, root.id);
    return JSON.parse(row?.diagnostics ?? "[]") as Diagnostic[];
  }

  forgotten(): Forgotten {
    const rows = this.#database.all<{ kind: string; key: string }>(
      "SELECT kind, key FROM forgotten",
    );
    const keys = new Set(rows.map(({ kind, key }) => `${kind} ${key}`));
    return { has: (kind: ForgottenKind, key: string) => keys.has(`${kind} ${key}`) };
  }

  markForgotten(paths: readonly string[], nowMs: number): void {
    const sql = "INSERT OR REPLACE INTO forgotten (kind, key, at_ms) VALUES ('file', ?, ?)";
    this.#database.write(() => {
      for (const path of paths) this.#database.run(sql, path, nowMs);
    });
  }

  #row(root: number, path: string): FileRow | undefined {
    const sql = "SELECT * FROM files WHERE root = ? AND path = ?";
    return this.#database.get<FileRow>(sql, root, path);
  }

  #file(root: KeptRoot, path: string): KeptFile {
    const row = this.#row(root.id, path);
    if (!row) throw new RangeError("A file was kept and is not there.");
    return fileOf(row, root);
  }

  #addFile(root: number, path: string, told: { file: SessionFile; nowMs: number }): number {
    const { role, folder, parentId, isCleaned } = told.file;
    const sql = `INSERT INTO files (root, path, role, folder, parent, is_cleaned, size_bytes,
      modified_ms, is_settled, stream, first_seen_ms, last_seen_ms)
      VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?, ?)`;
    const values = [role, folder, parentId ?? null, isCleaned ? 1 : 0, told.nowMs, told.nowMs];
    return this.#database.run(sql, root, path, ...values).id;
  }

  #addStream(file: number): number {
    return this.#database.run("INSERT INTO streams (file) VALUES (?)", file).id;
  }

  #addVersion(stream: number, file: SessionFile, nowMs: number): void {
    const sql = `INSERT INTO versions (stream, size_bytes, modified_ms, kept_ms)
      VALUES (?, ?, ?, ?)`;
    this.#database.run(sql, stream, file.sizeBytes, file.modifiedMs, nowMs);
  }

  #stamp(id: number, told: { file: SessionFile; stream: number; seen: Seen }): void {
    const { file, stream, seen } = told;
    const sql = `UPDATE files SET size_bytes = ?, modified_ms = ?, inode = ?, is_settled = ?,
      role = ?, is_cleaned = ?, stream = ?, last_seen_ms = ?, gone_since_ms = NULL WHERE id = ?`;
    const stamp = [file.sizeBytes, file.modifiedMs, file.inode ?? null, seen.isSettled ? 1 : 0];
    const where = [file.role, file.isCleaned ? 1 : 0, stream, seen.nowMs, id];
    this.#database.run(sql, ...stamp, ...where);
  }
}

/** Another process may have kept the same file since it was looked at: its work stands. */
function isStillSo(row: FileRow | undefined, { known }: Seen): boolean {
  if (!row || !known) return row === undefined && known === undefined;
  return row.stream === known.stream && row.size_bytes === known.sizeBytes;
}

interface RootRow {
  id: number;
  source: string;
  path: string;
  how: RootHow;
  looked_ms: number;
  uid: string;
  name: string;
  is_this: number;
}

function rootOf(row: RootRow): KeptRoot {
  const { id, source, path, how, uid, name } = row;
  const machine = { uid, name, isThis: row.is_this === 1 };
  return { id, source, path, how, machine, lookedMs: row.looked_ms };
}

interface FileRow {
  id: number;
  root: number;
  path: string;
  role: FileRole;
  folder: string;
  parent: string | null;
  is_cleaned: number;
  size_bytes: number;
  modified_ms: number;
  inode: number | null;
  is_settled: number;
  stream: number;
  first_seen_ms: number;
  last_seen_ms: number;
  gone_since_ms: number | null;
}

function fileOf(row: FileRow, root: KeptRoot): KeptFile {
  return {
    id: row.id,
    rootId: row.root,
    path: joinPath(root.path, row.path),
    root: root.path,
    role: row.role,
    sizeBytes: row.size_bytes,
    modifiedMs: row.modified_ms,
    ...optional("inode", row.inode ?? undefined),
    folder: row.folder,
    isCleaned: row.is_cleaned === 1,
    ...optional("parentId", row.parent ?? undefined),
    stream: row.stream,
    isSettled: row.is_settled === 1,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    ...optional("goneSinceMs", row.gone_since_ms ?? undefined),
  };
}
