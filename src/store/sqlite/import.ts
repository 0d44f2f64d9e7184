import { existsSync } from "node:fs";
import { PolluxError } from "../../core/error.ts";
import type { ImportReport } from "../store.ts";
import { importAnnotations } from "./annotations.ts";
import { Chunks } from "./bytes/chunks.ts";
import { digestOf, unpack } from "../codec.ts";
import type { Database } from "./database.ts";
import { connectToRead } from "./open-to-read.ts";
import { versionOf } from "./migrations.ts";
import { isSealBroken, SINCE_ANNOTATIONS } from "./bytes/seal.ts";
import { assertArchive } from "./versions.ts";
import { verify } from "./bytes/verify.ts";

/**
 * Imports the kept half of another archive. Content that both have is not duplicated: a file known
 * to both shares one stream as far as the contents agree, and gets another stream where they
 * differ.
 */
export function importFrom(into: Database, path: string): ImportReport {
  const from = openOther(path);
  try {
    refuse(from);
    return into.write(() => new Import(into, from).run());
  } finally {
    from.close();
  }
}

function openOther(path: string): Database {
  if (existsSync(path)) return connectToRead(path);
  throw new PolluxError("no-such-file", `No such file: ${path}.`);
}

/** Remedies for another archive; those in the original errors are about the user's own. */
const REMEDIES = new Map([
  ["archive-damaged", "Export it again on the other machine."],
  ["archive-strange", "Import only takes files written by `pollux archive export`."],
  ["archive-newer", "Update Pollux here, or export it with the version used here."],
]);

function refuse(from: Database): void {
  try {
    assertArchive(from);
    refuseDamaged(from);
  } catch (error) {
    const remedy = error instanceof PolluxError ? REMEDIES.get(error.code) : undefined;
    if (!(error instanceof PolluxError) || remedy === undefined) throw error;
    const message = `Nothing was imported. ${error.message}`;
    throw new PolluxError(error.code, message, { remedy, cause: error });
  }
}

function refuseDamaged(from: Database): void {
  const { problems } = verify(from, () => undefined);
  const broken = "a name or number in it was changed after the export.";
  const [first = isSealBroken(from) ? { what: broken } : undefined] = problems;
  if (!first) return;
  throw new PolluxError("archive-damaged", `${from.path} is damaged: ${first.what}`);
}

interface RootRow {
  id: number;
  machine: number;
  source: string;
  path: string;
  how: string;
  looked_ms: number;
  diagnostics: string;
}

interface FileRow extends Record<string, number | string | null> {
  id: number;
  root: number;
  path: string;
  stream: number;
  size_bytes: number;
  modified_ms: number;
}

interface VersionRow {
  size_bytes: number;
  modified_ms: number;
  kept_ms: number;
  digest?: Uint8Array | null;
}

class Import {
  readonly #into: Database;
  readonly #from: Database;
  readonly #ours: Chunks;
  readonly #theirs: Chunks;
  readonly #answer: ImportReport = { files: 0, versions: 0, chunks: 0, bytes: 0, roots: 0 };

  constructor(into: Database, from: Database) {
    this.#into = into;
    this.#from = from;
    this.#ours = new Chunks(into);
    this.#theirs = new Chunks(from);
  }

  run(): ImportReport {
    for (const root of this.#from.all<RootRow>("SELECT * FROM roots")) {
      const own = this.#root(root);
      const sql = "SELECT * FROM files WHERE root = ?";
      for (const file of this.#from.all<FileRow>(sql, root.id)) this.#file(file, own);
    }
    if (versionOf(this.#from) >= SINCE_ANNOTATIONS) importAnnotations(this.#into, this.#from);
    this.#forgotten();
    // Files of this machine may have newer contents now, so compare them with the disk again.
    this.#into.exec("DELETE FROM snapshots");
    return this.#answer;
  }

  /**
   * Imports the list of forgotten sessions. Sessions kept here are not removed, and forgotten paths
   * are imported only from the same machine.
   */
  #forgotten(): void {
    const all = this.#from.all<{ kind: string; key: string; at_ms: number }>(
      "SELECT * FROM forgotten",
    );
    const isSame = machineOf(this.#from) === machineOf(this.#into);
    const sql = `INSERT OR IGNORE INTO forgotten (kind, key, at_ms) SELECT ?1, ?2, ?3
      WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = ?2 OR source || ':' || id = ?2)`;
    for (const { kind, key, at_ms } of all) {
      if (kind === "session" || isSame) this.#into.run(sql, kind, key, at_ms);
    }
  }

  #root(row: RootRow): number {
    const their = "SELECT uid, name FROM machines WHERE id = ?";
    const machine = this.#from.get<{ uid: string; name: string }>(their, row.machine);
    const { uid = "", name = "" } = machine ?? {};
    this.#into.run("INSERT OR IGNORE INTO machines (uid, name) VALUES (?, ?)", uid, name);
    const sql = `INSERT OR IGNORE INTO roots (machine, source, path, how, looked_ms, diagnostics)
      SELECT id, ?, ?, ?, ?, ? FROM machines WHERE uid = ?`;
    const values = [row.source, row.path, row.how, row.looked_ms, row.diagnostics, uid] as const;
    this.#answer.roots += this.#into.run(sql, ...values).changes;
    const own = `SELECT roots.id FROM roots JOIN machines ON machines.id = roots.machine
      WHERE uid = ? AND source = ? AND roots.path = ?`;
    return this.#into.get<{ id: number }>(own, uid, row.source, row.path)?.id ?? 0;
  }

  #file(theirs: FileRow, root: number): void {
    const sql = "SELECT * FROM files WHERE root = ? AND path = ?";
    const ours = this.#into.get<FileRow>(sql, root, theirs.path);
    const id = ours?.id ?? this.#addFile(theirs, root);
    const streams = "SELECT id FROM streams WHERE file = ? ORDER BY id";
    for (const { id: stream } of this.#from.all<{ id: number }>(streams, theirs.id)) {
      const own = this.#stream(stream, id);
      const isNewer = !ours || isAfter(theirs, ours, own);
      if (stream === theirs.stream && isNewer) this.#point(id, own, theirs);
    }
  }

  #addFile({ id: _theirs, root: _other, ...row }: FileRow, root: number): number {
    const names = Object.keys(row);
    const places = names.map(() => "?").join(", ");
    const sql = `INSERT INTO files (root, ${names.join(", ")}) VALUES (?, ${places})`;
    this.#answer.files += 1;
    return this.#into.run(sql, root, ...names.map((name) => row[name] ?? null)).id;
  }

  #point(file: number, stream: number, theirs: FileRow): void {
    const sql = `UPDATE files SET stream = ?, size_bytes = ?, modified_ms = ?, changed_ms = ?,
      inode = ?, is_settled = ? WHERE id = ?`;
    const { size_bytes: size, modified_ms: modified, changed_ms: changed = null } = theirs;
    const { inode = null, is_settled: settled = 0 } = theirs;
    this.#into.run(sql, stream, size, modified, changed, inode, settled, file);
    this.#into.run("DELETE FROM readings WHERE file = ?", -stream);
  }

  /**
   * Returns our stream that agrees with theirs as far as both reach, extended if needed, or a new
   * one.
   */
  #stream(theirs: number, file: number): number {
    const length = lengthOf(this.#from, theirs);
    const sql = "SELECT id FROM streams WHERE file = ? ORDER BY id";
    const ours = this.#into.all<{ id: number }>(sql, file).find(({ id }) => {
      return this.#isSameAsFar(id, theirs, length);
    });
    const id = ours?.id ?? this.#into.run("INSERT INTO streams (file) VALUES (?)", file).id;
    const known = lengthOf(this.#into, id);
    if (length > known) this.#append(theirs, { id, known, length });
    // A replaced content may have grown, so it is read again.
    if (length > known) this.#into.run("DELETE FROM readings WHERE file = ?", -id);
    this.#versions(theirs, id);
    return id;
  }

  #isSameAsFar(ours: number, theirs: number, length: number): boolean {
    const common = Math.min(lengthOf(this.#into, ours), length);
    const mine = this.#ours.bytesOf(ours, { path: "", sizeBytes: common });
    const other = this.#theirs.bytesOf(theirs, { path: "", sizeBytes: common });
    for (let at = 0; at < common; at += COMPARED_BYTES) {
      const end = Math.min(common, at + COMPARED_BYTES);
      if (!mine.range(at, end).equals(other.range(at, end))) return false;
    }
    return true;
  }

  #append(theirs: number, to: { id: number; known: number; length: number }): void {
    const { id, known, length } = to;
    this.#answer.bytes += length - known;
    const pieces = "SELECT start, chunk FROM pieces WHERE stream = ? ORDER BY start";
    let at = known;
    for (const { start, chunk } of this.#from.all<{ start: number; chunk: number }>(
      pieces,
      theirs,
    )) {
      const bytes = this.#theirs.read(chunk);
      if (start + bytes.length <= known) continue;
      const number = start >= known ? this.#copyChunk(chunk) : this.#cut(bytes, known - start);
      this.#into.run("INSERT INTO pieces (stream, start, chunk) VALUES (?, ?, ?)", id, at, number);
      at = start + bytes.length;
    }
  }

  /** Copies a chunk without compressing it again. */
  #copyChunk(theirs: number): number {
    const sql = "SELECT digest, size_bytes, codec, effort, bytes FROM chunks WHERE id = ?";
    const row = this.#from.get<ChunkRow>(sql, theirs);
    if (!row) throw new RangeError("A checked chunk is gone.");
    const known = "SELECT id FROM chunks WHERE digest = ?";
    const ours = this.#into.get<{ id: number }>(known, row.digest)?.id;
    if (ours !== undefined) return ours;
    const isWhole = digestOf(unpack(row.codec, row.bytes, this.#from.path)).equals(row.digest);
    if (!isWhole) throw new RangeError("A checked chunk has changed.");
    this.#answer.chunks += 1;
    const insert = `INSERT INTO chunks (digest, size_bytes, codec, effort, bytes)
      VALUES (?, ?, ?, ?, ?)`;
    const { digest, size_bytes: size, codec, effort, bytes } = row;
    return this.#into.run(insert, digest, size, codec, effort, bytes).id;
  }

  #cut(bytes: Buffer, from: number): number {
    const { chunks } = this.#ours.prepare([bytes.subarray(from)]);
    const [chunk] = chunks;
    if (!chunk) throw new RangeError("There is nothing to cut.");
    return this.#ours.add(chunk);
  }

  #versions(theirs: number, ours: number): void {
    // Archives of version 1 have no digests.
    const sql = "SELECT * FROM versions WHERE stream = ? ORDER BY id";
    const known = new Set(
      this.#into.all<VersionRow>(sql, ours).map((row) => `${row.size_bytes} ${row.modified_ms}`),
    );
    const insert = `INSERT INTO versions (stream, size_bytes, modified_ms, kept_ms, digest)
      VALUES (?, ?, ?, ?, ?)`;
    for (const row of this.#from.all<VersionRow>(sql, theirs)) {
      if (known.has(`${row.size_bytes} ${row.modified_ms}`)) continue;
      const { size_bytes: size, modified_ms: modified, kept_ms: kept, digest = null } = row;
      this.#into.run(insert, ours, size, modified, kept, digest);
      this.#answer.versions += 1;
    }
  }
}

function machineOf(database: Database): string | undefined {
  const sql = "SELECT uid FROM machines WHERE id = (SELECT value FROM meta WHERE key = 'machine')";
  return database.get<{ uid: string }>(sql)?.uid;
}

/** True if theirs was written later, or is a longer state of the same content. */
function isAfter(theirs: FileRow, ours: FileRow, stream: number): boolean {
  if (stream === ours.stream) return theirs.size_bytes > ours.size_bytes;
  return theirs.modified_ms > ours.modified_ms;
}

const COMPARED_BYTES = 1024 * 1024;

interface ChunkRow {
  digest: Uint8Array;
  size_bytes: number;
  codec: string;
  effort: string;
  bytes: Uint8Array;
}

function lengthOf(database: Database, stream: number): number {
  const sql = `SELECT coalesce(sum(size_bytes), 0) AS n FROM pieces
    JOIN chunks ON chunks.id = pieces.chunk WHERE stream = ?`;
  return database.get<{ n: number }>(sql, stream)?.n ?? 0;
}
