import { PolluxError } from "../../../core/error.ts";
import { CHUNK_BYTES, digestOf, pack, unpack } from "../../codec.ts";
import type { Seal } from "../../seal.ts";
import type { Progress, VerifyReport } from "../../store.ts";
import { openBytes, storeBytes } from "./chunks.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../database.ts";
import { insertRows } from "../derived/insert.ts";
import { lock } from "../migrations.ts";
import { dropLoose, getOutside, putOutside } from "./external-bytes.ts";

/** Chunks fetched per query. */
const GROUP = 64;

interface ChunkRow {
  digest: Buffer;
  size_bytes: number;
  codec: string;
  bytes: Buffer;
  /** The bytes are stored outside of the database. */
  is_outside: boolean;
}

/**
 * Removes chunks that no content uses: those of forgotten files, and those of a process that was
 * killed before its commit. A writer that is about to use one of them notices in `isOutdated` and
 * starts again. Call in a transaction that holds the commit lock. Bytes outside of the database
 * become loose, and `dropLoose` removes them.
 */
export async function sweepChunks(connection: Connection): Promise<void> {
  const sql = `WITH unused AS (
      DELETE FROM chunks WHERE NOT EXISTS (
        SELECT 1 FROM pieces WHERE pieces.digest = chunks.digest)
      RETURNING digest, bytes IS NULL AS is_outside
    )
    INSERT INTO loose_bytes (digest) SELECT digest FROM unused WHERE is_outside
    ON CONFLICT DO NOTHING`;
  await connection.run(sql);
}

/** Checks every kept byte against its digest, and every content for gaps. */
export async function verifyChunks(database: Database, progress: Progress): Promise<VerifyReport> {
  const report: VerifyReport = { chunks: 0, bytes: 0, problems: [] };
  const [counted] = await database.all<{ chunks: number }>("SELECT count(*) AS chunks FROM chunks");
  for await (const chunks of chunkGroups(database, "true")) {
    for (const chunk of chunks) {
      const wrong = problemOf(chunk, database.location);
      if (wrong !== undefined) {
        report.problems.push({ what: wrong, files: await filesOf(database, chunk.digest) });
      }
      report.bytes += chunk.size_bytes;
      report.chunks += 1;
    }
    progress(report.chunks, counted?.chunks ?? report.chunks);
  }
  report.problems.push(...(await gapsOf(database)));
  return report;
}

/** Yields chunks in groups, ordered by digest. */
async function* chunkGroups(database: Database, condition: string): AsyncGenerator<ChunkRow[]> {
  let last: Buffer = Buffer.alloc(0);
  for (;;) {
    const sql = `SELECT digest, size_bytes, codec, bytes, bytes IS NULL AS is_outside FROM chunks
      WHERE digest > $1 AND ${condition} ORDER BY digest LIMIT ${GROUP}`;
    const rows = await database.all<ChunkRow>(sql, [last]);
    if (rows.length === 0) return;
    last = rows.at(-1)?.digest ?? last;
    const outside = rows.filter((row) => row.is_outside);
    const found = await getOutside(
      database,
      outside.map(({ digest }) => digest),
    );
    // Missing bytes become an empty buffer, which does not match the digest.
    for (const [at, row] of outside.entries()) row.bytes = found[at] ?? Buffer.alloc(0);
    const seal = await database.seal();
    yield seal ? rows.map((row) => ({ ...row, bytes: opened(seal, row) })) : rows;
  }
}

/** Opens sealed bytes; returns an empty buffer on failure. */
function opened(seal: Seal, { bytes, digest }: ChunkRow): Buffer {
  try {
    return seal.open(bytes, digest);
  } catch {
    // The digest check reports it as damage.
    return Buffer.alloc(0);
  }
}

function problemOf(
  { digest, size_bytes, codec, bytes }: ChunkRow,
  path: string,
): string | undefined {
  const name = digest.toString("hex").slice(0, 12);
  try {
    const plain = unpack(codec, bytes, path);
    const isWhole = plain.length === size_bytes && digestOf(plain).equals(digest);
    return isWhole ? undefined : `Chunk ${name} does not match its digest.`;
  } catch (error) {
    if (!(error instanceof PolluxError)) throw error;
    return `Chunk ${name} cannot be read: ${error.message}`;
  }
}

async function filesOf(connection: Connection, digest: Buffer): Promise<string[]> {
  const sql = `SELECT DISTINCT files.path FROM pieces
    JOIN contents ON contents.id = pieces.content JOIN files ON files.id = contents.file
    WHERE pieces.digest = $1 ORDER BY files.path`;
  return (await connection.all<{ path: string }>(sql, [digest])).map(({ path }) => path);
}

/** Finds contents with gaps, or shorter than their versions. */
async function gapsOf(connection: Connection): Promise<VerifyReport["problems"]> {
  const sql = `SELECT files.path, versions.size_bytes AS wanted,
      coalesce(held.size_bytes, 0) AS held, coalesce(held.is_whole, true) AS is_whole
    FROM (SELECT content, max(size_bytes) AS size_bytes FROM versions GROUP BY content) AS versions
    JOIN contents ON contents.id = versions.content JOIN files ON files.id = contents.file
    LEFT JOIN (
      SELECT content, sum(size) AS size_bytes, bool_and(start = reached) AS is_whole FROM (
        SELECT content, start, coalesce(chunks.size_bytes, 0) AS size,
          coalesce(sum(chunks.size_bytes) OVER (PARTITION BY content ORDER BY start
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS reached
        FROM pieces LEFT JOIN chunks USING (digest)
      ) AS placed GROUP BY content
    ) AS held ON held.content = versions.content
    WHERE coalesce(held.size_bytes, 0) < versions.size_bytes OR NOT coalesce(held.is_whole, true)`;
  const rows = await connection.all<{ path: string; wanted: number; held: number }>(sql);
  return rows.map(({ path, wanted, held }) => {
    return { what: `Only ${held} of ${wanted} bytes of a version exist.`, files: [path] };
  });
}

/**
 * Makes the bytes as small as possible without losing one: removes unused chunks, merges the small
 * chunks of files that grew line by line, and compresses all chunks at `small` effort.
 */
export async function compactChunks(database: Database, progress: Progress): Promise<void> {
  const contents = await scattered(database);
  const [counted] = await database.all<{ chunks: number }>(
    `SELECT count(*) AS chunks FROM chunks WHERE ${toRepack(database)}`,
  );
  const total = contents.length + (counted?.chunks ?? 0);
  let done = 0;
  for (const content of contents) {
    await gather(database, content);
    progress((done += 1), total);
  }
  await database.write(async (connection) => {
    await lock(connection, "commit");
    await sweepChunks(connection);
  });
  await dropLoose(database);
  for await (const chunks of chunkGroups(database, toRepack(database))) {
    for (const chunk of chunks) await repack(database, chunk);
    progress((done += chunks.length), Math.max(total, done));
  }
  progress(total, total);
}

/** Contents with more chunks than their length needs. */
async function scattered(connection: Connection): Promise<number[]> {
  const sql = `SELECT content FROM pieces JOIN chunks USING (digest)
    GROUP BY content HAVING count(*) > 1 + (sum(size_bytes) - 1) / $1`;
  return (await connection.all<{ content: number }>(sql, [CHUNK_BYTES])).map(
    ({ content }) => content,
  );
}

/** Merges a content's chunks. The lock keeps other writers from appending to it meanwhile. */
async function gather(database: Database, content: number): Promise<void> {
  await database.write(async (connection) => {
    await lock(connection, "commit");
    const sql = "SELECT coalesce(max(size_bytes), 0) AS size FROM versions WHERE content = $1";
    const [row] = await connection.all<{ size: number }>(sql, [content]);
    const file = { path: database.location, content, sizeBytes: row?.size ?? 0 };
    const chunks = await storeBytes(database, (await openBytes(database, file)).chunks());
    await connection.run("DELETE FROM pieces WHERE content = $1", [content]);
    let start = 0;
    const rows = chunks.map(({ digest, sizeBytes }) => {
      start += sizeBytes;
      return [content, start - sizeBytes, digest];
    });
    await insertRows(
      connection,
      { table: "pieces", columns: ["content", "start", "digest"] },
      rows,
    );
  });
}

/** Condition for chunks to compress again, or to move out of the database. */
function toRepack({ outside }: Database): string {
  return outside ? "(effort <> 'small' OR bytes IS NOT NULL)" : "effort <> 'small'";
}

async function repack(database: Database, chunk: ChunkRow): Promise<void> {
  const { digest, is_outside: isOutside } = chunk;
  const packed = pack(unpack(chunk.codec, chunk.bytes, ""), "small");
  // An outside object and its row cannot change atomically, so the codec must stay the same.
  const isFit = !isOutside || packed.codec === chunk.codec;
  const isSmaller = isFit && packed.stored.length < chunk.bytes.length;
  const { codec, stored: plain } = isSmaller ? packed : { codec: chunk.codec, stored: chunk.bytes };
  const stored = (await database.seal())?.close(plain, digest) ?? plain;
  const inside = database.outside ? [null, stored.length] : [stored, null];
  const sql = `UPDATE chunks SET codec = $2, bytes = $3, packed_bytes = $4, effort = 'small'
    WHERE digest = $1`;
  const write = async (connection: Connection): Promise<void> => {
    await connection.run(sql, [digest, codec, ...inside]);
  };
  if (database.outside) await putOutside(database, [{ digest, stored }], write);
  else await write(database);
}
