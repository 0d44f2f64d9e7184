import { createHash } from "node:crypto";
import { PolluxError } from "../../../core/error.ts";
import type { Progress, VerifyReport } from "../../store.ts";
import { groupBy } from "../../../core/group.ts";
import { joinPath } from "../../paths.ts";
import { Chunks } from "./chunks.ts";
import { digestOf, unpack } from "../../codec.ts";
import type { Database } from "../database.ts";

/** Checks every kept byte against its digest, every stream for gaps, and every page for damage. */
export function verify(database: Database, progress: Progress): VerifyReport {
  const answer: VerifyReport = { chunks: 0, bytes: 0, problems: [] };
  const report = (what: string, files: string[] = []): void => {
    answer.problems.push({ what, files });
  };
  attempt(report, () => checkPages(database, report));
  attempt(report, () => checkStreams(database, report));
  attempt(report, () => {
    const ids = database.all<{ id: number }>("SELECT id FROM chunks ORDER BY id");
    for (const { id } of ids) {
      const wrong = checkChunk(database, id, answer);
      if (wrong !== undefined) report(wrong, filesOfChunk(database, id));
      progress((answer.chunks += 1), ids.length);
    }
  });
  // All chunks may be intact but in the wrong order.
  if (answer.problems.length === 0) attempt(report, () => checkContents(database, report));
  return answer;
}

type Report = (what: string, files?: string[]) => void;

/** Runs one check; a damaged page must not stop the others. */
function attempt(report: Report, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof PolluxError)) throw error;
    report(error.message);
  }
}

function checkPages(database: Database, report: Report): void {
  const rows = database.all<{ integrity_check: string }>("PRAGMA integrity_check(20)");
  for (const { integrity_check: words } of rows) {
    if (words !== "ok") report(`The database reports damage: ${words}`);
  }
}

function checkChunk(database: Database, id: number, answer: VerifyReport): string | undefined {
  try {
    const sql = "SELECT digest, size_bytes, codec, bytes FROM chunks WHERE id = ?";
    const row = database.get<ChunkRow>(sql, id);
    if (!row) return `Chunk ${id} has disappeared.`;
    const bytes = unpack(row.codec, row.bytes, database.path);
    answer.bytes += bytes.length;
    const isWhole = bytes.length === row.size_bytes && digestOf(bytes).equals(row.digest);
    return isWhole ? undefined : `Chunk ${id} does not match its digest.`;
  } catch (error) {
    if (!(error instanceof PolluxError)) throw error;
    return `Chunk ${id} cannot be read: ${error.message}`;
  }
}

interface ChunkRow {
  digest: Uint8Array;
  size_bytes: number;
  codec: string;
  bytes: Uint8Array;
}

/** Checks that a stream has no gaps and is as long as its versions. */
function checkStreams(database: Database, report: Report): void {
  const sql = `SELECT stream, start, coalesce(size_bytes, -1) AS size FROM pieces
    LEFT JOIN chunks ON chunks.id = pieces.chunk ORDER BY stream, start`;
  const lengths = new Map<number, number>();
  for (const { stream, start, size } of database.each<StreamRow>(sql)) {
    const length = lengths.get(stream) ?? 0;
    if (size < 0 || start !== length) {
      report(`Bytes are missing in a stream at ${start}.`, filesOfStream(database, stream));
    }
    lengths.set(stream, start + Math.max(0, size));
  }
  const versions = "SELECT stream, max(size_bytes) AS size FROM versions GROUP BY stream";
  for (const { stream, size } of database.all<{ stream: number; size: number }>(versions)) {
    const length = lengths.get(stream) ?? 0;
    if (size <= length) continue;
    const what = `Only ${length} of ${size} bytes of a version exist.`;
    report(what, filesOfStream(database, stream));
  }
}

interface VersionRow {
  stream: number;
  size_bytes: number;
  digest: Uint8Array;
}

/** Checks every version that has a digest, reading each stream once. */
function checkContents(database: Database, report: Report): void {
  const sql = `SELECT stream, size_bytes, digest FROM versions WHERE digest IS NOT NULL
    ORDER BY stream, size_bytes`;
  const versions = groupBy(database.all<VersionRow>(sql), ({ stream }) => stream);
  const chunks = new Chunks(database);
  for (const [stream, states] of versions) {
    const sizeBytes = states.at(-1)?.size_bytes ?? 0;
    const bytes = chunks.bytesOf(stream, { path: database.path, sizeBytes });
    const wrong = states.filter(digestChecker(bytes.chunks()));
    if (wrong.length === 0) continue;
    const what = "An archived file does not match its digest.";
    report(what, filesOfStream(database, stream));
  }
}

/**
 * Returns a function that reports whether a version is wrong; call it in ascending order of size.
 */
function digestChecker(chunks: Iterable<Buffer>): (state: VersionRow) => boolean {
  const hash = createHash("sha256");
  const iterator = chunks[Symbol.iterator]();
  let rest: Buffer = Buffer.alloc(0);
  let hashed = 0;
  return ({ size_bytes: size, digest }) => {
    while (hashed < size) {
      if (rest.length === 0) {
        const next = iterator.next();
        if (next.done === true) return true;
        rest = next.value;
      }
      const part = rest.subarray(0, size - hashed);
      hash.update(part);
      hashed += part.length;
      rest = rest.subarray(part.length);
    }
    return !hash.copy().digest().equals(digest);
  };
}

interface StreamRow {
  stream: number;
  start: number;
  size: number;
}

const FILE_OF_STREAM = `FROM streams JOIN files ON files.id = streams.file
  JOIN roots ON roots.id = files.root`;

function filesOfStream(database: Database, stream: number): string[] {
  const sql = `SELECT files.path, roots.path AS root ${FILE_OF_STREAM} WHERE streams.id = ?`;
  return pathsOf(database.all<PathRow>(sql, stream));
}

function filesOfChunk(database: Database, chunk: number): string[] {
  const sql = `SELECT DISTINCT files.path, roots.path AS root ${FILE_OF_STREAM}
    WHERE streams.id IN (SELECT stream FROM pieces WHERE chunk = ?)`;
  return pathsOf(database.all<PathRow>(sql, chunk));
}

interface PathRow {
  path: string;
  root: string;
}

function pathsOf(rows: readonly PathRow[]): string[] {
  return rows.map(({ root, path }) => joinPath(root, path));
}
