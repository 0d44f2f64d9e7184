import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Codec } from "../../codec.ts";
import { CHUNK_BYTES, digestOf, pack, unpack, unpackUntil } from "../../codec.ts";
import type { Database } from "../database.ts";

/** A chunk to store; without `packed` it is already in the archive. */
export interface ReadyChunk {
  digest: Buffer;
  sizeBytes: number;
  packed?: { codec: Codec; stored: Uint8Array };
}

export interface ReadyContent {
  sizeBytes: number;
  chunks: ReadyChunk[];
}

/** Thrown if a chunk was found during preparation but was removed by `forget` since then. */
export class ChunkIsGone extends Error {}

/** Compressed bytes held for the transaction; above this limit they are written immediately. */
const WAITING_BYTES = 2 * 1024 * 1024;

const REMEMBERED = 16;

/** Chunks of bytes by digest, each stored once. */
export class Chunks {
  readonly #database: Database;
  /** Cache of the chunks read last: neighbouring ranges are often read one after another. */
  readonly #recent = new Map<number, { bytes: Buffer; unpacked: number }>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Splits, hashes and compresses bytes: the slow part, done before the write lock is taken. */
  prepare(pieces: Iterable<Uint8Array>): ReadyContent {
    const ready: ReadyChunk[] = [];
    let waiting = 0;
    let sizeBytes = 0;
    for (const bytes of recut(pieces)) {
      const chunk = this.#ready(bytes);
      ready.push(chunk);
      sizeBytes += chunk.sizeBytes;
      waiting += chunk.packed?.stored.length ?? 0;
      if (waiting < WAITING_BYTES) continue;
      // A huge file is stored in parts, to limit memory use.
      this.#database.write(() => ready.forEach((waits) => this.add(waits)));
      // It is then read again sequentially, where a large page cache does not help.
      this.#database.exec("PRAGMA cache_size = -2048; PRAGMA shrink_memory");
      for (const waits of ready) delete waits.packed;
      waiting = 0;
    }
    return { sizeBytes, chunks: ready };
  }

  #ready(bytes: Buffer): ReadyChunk {
    const digest = digestOf(bytes);
    const sizeBytes = bytes.length;
    if (this.#find(digest) !== undefined) return { digest, sizeBytes };
    return { digest, sizeBytes, packed: copied(pack(bytes, "fast"), bytes) };
  }

  /** Returns the chunk's id; stores it if it is new. Call inside a transaction. */
  add({ digest, sizeBytes, packed }: ReadyChunk): number {
    if (packed) {
      const { codec, stored } = packed;
      const sql = `INSERT INTO chunks (digest, size_bytes, codec, effort, bytes)
        VALUES (?, ?, ?, 'fast', ?) ON CONFLICT DO NOTHING`;
      const { changes, id } = this.#database.run(sql, digest, sizeBytes, codec, stored);
      if (changes > 0) return id;
    }
    const known = this.#find(digest);
    if (known === undefined) throw new ChunkIsGone();
    return known;
  }

  #find(digest: Buffer): number | undefined {
    const sql = "SELECT id FROM chunks WHERE digest = ?";
    return this.#database.get<{ id: number }>(sql, digest)?.id;
  }

  /** The bytes of a chunk, at least up to `end`: a record is a small part of a chunk. */
  read(id: number, end: number = Number.POSITIVE_INFINITY): Buffer {
    const recent = this.#recent.get(id);
    if (recent && recent.unpacked >= end) return recent.bytes;
    const sql = "SELECT codec, bytes AS stored, size_bytes AS sizeBytes FROM chunks WHERE id = ?";
    const row = this.#database.get<PackedChunk>(sql, id);
    if (!row) throw new RangeError(`There is no chunk ${id}.`);
    const { path } = this.#database;
    // Whoever reads a chunk twice will read on.
    const isPart = end < row.sizeBytes && !recent;
    const bytes = isPart ? unpackUntil(end, row, path) : unpack(row.codec, row.stored, path);
    const [oldest] = this.#recent.size >= REMEMBERED ? this.#recent.keys() : [];
    if (oldest !== undefined) this.#recent.delete(oldest);
    const isWhole = bytes.length >= row.sizeBytes;
    this.#recent.set(id, { bytes, unpacked: isWhole ? Number.POSITIVE_INFINITY : bytes.length });
    return bytes;
  }

  /** The first `sizeBytes` bytes of a stream as a byte source. */
  bytesOf(stream: number, { path, sizeBytes }: { path: string; sizeBytes: number }): ByteSource {
    const overlapping = (start: number, end: number): Piece[] => this.#pieces(stream, start, end);
    const read = (id: number): Buffer => this.read(id);
    return {
      path,
      *chunks() {
        for (const { start, chunk } of overlapping(0, sizeBytes)) {
          yield read(chunk).subarray(0, sizeBytes - start);
        }
      },
      range: (from, to) => {
        const end = Math.min(to, sizeBytes);
        const parts = overlapping(from, end).map(({ start, chunk }) =>
          this.read(chunk, end - start).subarray(Math.max(0, from - start), end - start),
        );
        return Buffer.concat(parts);
      },
      fill(target) {
        let filled = 0;
        for (const { start, chunk } of overlapping(0, Math.min(sizeBytes, target.length))) {
          filled += read(chunk).copy(target, start, 0, sizeBytes - start);
        }
        return filled;
      },
    };
  }

  #pieces(stream: number, from: number, to: number): Piece[] {
    if (to <= from) return [];
    const sql = `SELECT start, chunk FROM pieces WHERE stream = ?1 AND start < ?3 AND start >=
      coalesce((SELECT max(start) FROM pieces WHERE stream = ?1 AND start <= ?2), 0)
      ORDER BY start`;
    return this.#database.all<Piece>(sql, stream, from, to);
  }
}

interface PackedChunk {
  codec: string;
  stored: Uint8Array;
  sizeBytes: number;
}

interface Piece {
  start: number;
  chunk: number;
}

/** Splits bytes into chunks of fixed size, so that equal contents have equal chunks. */
function* recut(pieces: Iterable<Uint8Array>): Generator<Buffer> {
  // Iterators may reuse their buffer, so the rest of a piece is copied; lists do not.
  const isList = Array.isArray(pieces);
  let rest: Buffer = Buffer.alloc(0);
  for (const given of pieces) {
    const piece = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    let from = 0;
    if (rest.length > 0) {
      from = Math.min(CHUNK_BYTES - rest.length, piece.length);
      rest = Buffer.concat([rest, piece.subarray(0, from)]);
      if (rest.length < CHUNK_BYTES) continue;
      yield rest;
      rest = Buffer.alloc(0);
    }
    for (; piece.length - from >= CHUNK_BYTES; from += CHUNK_BYTES) {
      yield piece.subarray(from, from + CHUNK_BYTES);
    }
    const left = piece.subarray(from);
    rest = isList ? left : Buffer.from(left);
  }
  if (rest.length > 0) yield rest;
}

/** Copies bytes that were not compressed: they still point to a buffer that is reused. */
function copied(
  packed: { codec: Codec; stored: Uint8Array },
  bytes: Buffer,
): { codec: Codec; stored: Uint8Array } {
  return packed.stored === bytes ? { ...packed, stored: Buffer.from(bytes) } : packed;
}
