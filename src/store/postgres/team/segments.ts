import { PolluxError } from "../../../core/error.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { CHUNK_BYTES, digestOf, unpack } from "../../codec.ts";
import type { SegmentStore } from "../../team.ts";
import type { Database } from "../database.ts";
import type { PackedPiece } from "../bytes/chunks.ts";
import { packedBytes, storePacked } from "../bytes/chunks.ts";
import { fetchBytes } from "../bytes/external-bytes.ts";
import type { SentSegment } from "../../../core/team/sync-protocol.ts";

/** Stores bytes sent by devices among all chunks; unused ones are removed by `sweepChunks`. */
export class PostgresSegments implements SegmentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async missing(digests: readonly string[]): Promise<string[]> {
    const sql = "SELECT encode(digest, 'hex') AS name FROM chunks WHERE digest = ANY($1::bytea[])";
    const names = digests.map((digest) => Buffer.from(digest, "hex"));
    const rows = await this.#database.all<{ name: string }>(sql, [names]);
    const there = new Set(rows.map(({ name }) => name));
    return digests.filter((digest) => !there.has(digest));
  }

  async put(segment: SentSegment): Promise<void> {
    const { codec, stored } = segment;
    const sizeBytes = opened(segment).length;
    const digest = Buffer.from(segment.digest, "hex");
    await storePacked(this.#database, [{ digest, sizeBytes, codec, stored }]);
  }

  async open(path: string, digests: readonly string[]): Promise<ByteSource | undefined> {
    const sql = `SELECT encode(digest, 'hex') AS name, digest, size_bytes, codec, bytes FROM chunks
      WHERE digest = ANY($1::bytea[])`;
    const names = digests.map((digest) => Buffer.from(digest, "hex"));
    const rows = await this.#database.all<SegmentRow>(sql, [names]);
    const found = new Map(
      (await fetchBytes(this.#database, rows)).map((row) => [row.name, row] as const),
    );
    let start = 0;
    const pieces: PackedPiece[] = [];
    for (const digest of digests) {
      const row = found.get(digest);
      if (!row) return undefined;
      pieces.push({ start, codec: row.codec, bytes: row.bytes });
      start += row.size_bytes;
    }
    return packedBytes(path, pieces);
  }
}

interface SegmentRow {
  name: string;
  digest: Buffer;
  size_bytes: number;
  codec: string;
  bytes: Buffer | null;
}

/** Sent bytes are untrusted: decompresses them with a size limit and checks their digest. */
function opened({ digest, codec, stored }: Parameters<SegmentStore["put"]>[0]): Buffer {
  const bytes = stored.length > CHUNK_BYTES ? undefined : unpacked(codec, stored);
  const isWhole =
    bytes && bytes.length <= CHUNK_BYTES && digestOf(bytes).toString("hex") === digest;
  if (bytes && isWhole) return bytes;
  throw new PolluxError("wrong-digest", "The bytes of a segment are not what its digest names.");
}

function unpacked(codec: string, stored: Uint8Array): Buffer | undefined {
  try {
    return unpack(codec, stored, "a segment");
  } catch {
    // Damaged in some way, so it does not match its digest.
    return undefined;
  }
}
