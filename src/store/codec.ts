import { hash } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { PolluxError } from "../core/error.ts";

/** How the bytes of a chunk are stored; the tag stands beside each of them. */
export type Codec = "brotli" | "plain";

/** Bytes of one chunk at most: small enough to read one message, large enough to compress well. */
export const CHUNK_BYTES: number = 256 * 1024;

/**
 * - `fast`: while files are kept; 300 MB a second, a fifth of the size
 * - `small`: when the archive is compacted; slow, a seventh of the size
 */
export type Effort = "fast" | "small";

const QUALITY = { fast: 1, small: 7 } as const;
/** As large as a chunk: a larger window would only take memory. */
const WINDOW_BITS = 18;

export function pack(bytes: Buffer, effort: Effort): { codec: Codec; stored: Uint8Array } {
  const packed = brotliCompressSync(bytes, {
    // All at once: piece by piece takes an eighth longer.
    chunkSize: CHUNK_BYTES,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY[effort],
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  if (packed.length >= bytes.length) return { codec: "plain", stored: bytes };
  // Only what was written: the rest of the room for it would be held as well.
  return { codec: "brotli", stored: Buffer.from(packed) };
}

/** What unpacks to more was never a chunk, however small it is packed. */
const MOST_BYTES = 16 * 1024 * 1024;

export function unpack(codec: string, stored: Uint8Array, path: string): Buffer {
  try {
    // In one piece: many small ones, put together afterwards, take twice the memory.
    const limits = { chunkSize: CHUNK_BYTES + 1, maxOutputLength: MOST_BYTES };
    if (codec === "brotli") return brotliDecompressSync(stored, limits);
  } catch (error) {
    throw new PolluxError("archive-damaged", `Kept bytes in ${path} cannot be unpacked.`, {
      remedy: "`pollux archive verify` tells which files they belong to.",
      cause: error,
    });
  }
  if (codec === "plain") return Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  throw new PolluxError("archive-newer", `Kept bytes in ${path} are packed in a newer way.`, {
    remedy: "Update Pollux.",
  });
}

export function digestOf(bytes: Buffer): Buffer {
  return hash("sha256", bytes, "buffer");
}
