import { PolluxError } from "../../../core/error.ts";
import { CHUNK_BYTES, digestOf, unpack } from "../../codec.ts";
import type { SegmentStore } from "../../team.ts";
import type { Database } from "../database.ts";

/** Bytes that devices send lie where all kept bytes lie: what no file names is swept one day. */
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

  async put(segment: { digest: string; codec: string; stored: Uint8Array }): Promise<void> {
    const { digest, codec, stored } = segment;
    const bytes = opened(segment);
    const sql = `INSERT INTO chunks (digest, size_bytes, codec, effort, bytes)
      VALUES ($1, $2, $3, 'fast', $4) ON CONFLICT DO NOTHING`;
    await this.#database.run(sql, [Buffer.from(digest, "hex"), bytes.length, codec, stored]);
  }

  async get(digests: readonly string[]): Promise<Uint8Array[] | undefined> {
    const sql = `SELECT encode(digest, 'hex') AS name, codec, bytes FROM chunks
      WHERE digest = ANY($1::bytea[])`;
    const names = digests.map((digest) => Buffer.from(digest, "hex"));
    const rows = await this.#database.all<{ name: string; codec: string; bytes: Buffer }>(sql, [
      names,
    ]);
    const found = new Map(rows.map(({ name, codec, bytes }) => [name, { codec, bytes }]));
    if (digests.some((digest) => !found.has(digest))) return undefined;
    return digests.map((digest) => {
      const { codec = "", bytes = Buffer.alloc(0) } = found.get(digest) ?? {};
      return unpack(codec, bytes, this.#database.location);
    });
  }
}

/** Sent bytes may be anything: they are unpacked within bounds, and compared with their name. */
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
    // Whatever is wrong with it, it is not what was announced.
    return undefined;
  }
}
