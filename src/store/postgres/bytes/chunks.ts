import type { ByteSource } from "../../../kernel/bytes.ts";
import { truncatedBytes } from "../../../kernel/bytes.ts";
import { CHUNK_BYTES, digestOf, pack, unpack } from "../../codec.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../database.ts";
import { insertRows } from "../derived/insert.ts";
import { fetchBytes, putOutside } from "./external-bytes.ts";

/** A part of a content, identified by the digest of its bytes. */
export interface StoredChunk {
  digest: Buffer;
  sizeBytes: number;
}

/** Chunks sent per statement. */
const GROUP = 64;

/**
 * Stores new chunks in separate statements without a lock, before the transaction that assigns them
 * to a file. If that transaction never comes, `compact` removes them as unused.
 */
export async function storeBytes(
  database: Database,
  pieces: Iterable<Uint8Array>,
): Promise<StoredChunk[]> {
  const stored: StoredChunk[] = [];
  let waiting: Buffer[] = [];
  for (const bytes of recut(pieces)) {
    waiting.push(bytes);
    if (waiting.length < GROUP) continue;
    stored.push(...(await storeGroup(database, waiting)));
    waiting = [];
  }
  stored.push(...(await storeGroup(database, waiting)));
  return stored;
}

async function storeGroup(database: Database, group: readonly Buffer[]): Promise<StoredChunk[]> {
  if (group.length === 0) return [];
  const chunks = group.map((bytes) => ({ bytes, digest: digestOf(bytes) }));
  const there = await known(database, chunks);
  const missing = new Map(
    chunks
      .map((chunk) => [chunk.digest.toString("hex"), chunk] as const)
      .filter(([name]) => !there.has(name)),
  );
  const packed = [...missing.values()].map(({ bytes, digest }) => {
    return { digest, sizeBytes: bytes.length, ...pack(bytes, "fast") };
  });
  await storePacked(database, packed);
  return chunks.map(({ bytes, digest }) => ({ digest, sizeBytes: bytes.length }));
}

const CHUNKS = {
  table: "chunks",
  columns: ["digest", "size_bytes", "codec", "effort", "bytes", "packed_bytes"],
  conflict: "ON CONFLICT DO NOTHING",
};

export interface PackedChunk extends StoredChunk {
  codec: string;
  stored: Uint8Array;
}

/** Stores new chunks in the database or in the external storage. */
export async function storePacked(
  database: Database,
  chunks: readonly PackedChunk[],
): Promise<void> {
  // Sorted, so that two writers of the same chunks cannot deadlock.
  const seal = await database.seal();
  const sorted = chunks
    .toSorted((a, b) => a.digest.compare(b.digest))
    .map((chunk) => (seal ? { ...chunk, stored: seal.close(chunk.stored, chunk.digest) } : chunk));
  const rows = sorted.map(({ digest, sizeBytes, codec, stored }) => {
    const bytes = database.outside ? [null, stored.length] : [stored, null];
    return [digest, sizeBytes, codec, "fast", ...bytes];
  });
  if (!database.outside) return insertRows(database, CHUNKS, rows);
  await putOutside(database, sorted, (connection) => insertRows(connection, CHUNKS, rows));
}

/** Digests of the chunks that are already stored. */
export async function known(
  connection: Connection,
  chunks: readonly Pick<StoredChunk, "digest">[],
): Promise<Set<string>> {
  const sql = "SELECT digest FROM chunks WHERE digest = ANY($1::bytea[])";
  const rows = await connection.all<{ digest: Buffer }>(sql, [chunks.map(({ digest }) => digest)]);
  return new Set(rows.map(({ digest }) => digest.toString("hex")));
}

/** Splits bytes into chunks of fixed size, so that equal contents have equal chunks. */
function* recut(pieces: Iterable<Uint8Array>): Generator<Buffer> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const part = piece.subarray(from, from + CHUNK_BYTES - filled);
      chunk.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

export interface PackedPiece {
  start: number;
  codec: string;
  bytes: Buffer;
}

/**
 * The first `sizeBytes` bytes of a content. They are fetched at once and held compressed, because
 * `ByteSource` is synchronous and cannot wait for a server.
 */
export async function openBytes(
  database: Database,
  { path, content, sizeBytes }: { path: string; content: number; sizeBytes: number },
): Promise<ByteSource> {
  const sql = `SELECT start, codec, digest, bytes FROM pieces JOIN chunks USING (digest)
    WHERE content = $1 AND start < $2 ORDER BY start`;
  type Row = Omit<PackedPiece, "bytes"> & { digest: Buffer; bytes: Buffer | null };
  const rows = await database.all<Row>(sql, [content, sizeBytes]);
  return truncatedBytes(packedBytes(path, await fetchBytes(database, rows)), sizeBytes);
}

/** A byte source that decompresses pieces as they are read. */
export function packedBytes(path: string, pieces: readonly PackedPiece[]): ByteSource {
  const open = ({ codec, bytes }: PackedPiece): Buffer => unpack(codec, bytes, path);
  function* chunks(): Generator<Buffer> {
    for (const piece of pieces) yield open(piece);
  }
  return {
    path,
    chunks,
    range(from, to) {
      const parts = pieces
        .filter(({ start }, at) => start < to && (pieces[at + 1]?.start ?? Infinity) > from)
        .map((piece) =>
          open(piece).subarray(Math.max(0, from - piece.start), Math.max(0, to - piece.start)),
        );
      return Buffer.concat(parts);
    },
    fill(target) {
      let filled = 0;
      for (const chunk of chunks()) {
        filled += chunk.copy(target, filled);
        if (filled === target.length) break;
      }
      return filled;
    },
  };
}
