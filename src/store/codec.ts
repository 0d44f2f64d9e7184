import { hash } from "node:crypto";
import type { BrotliOptions } from "node:zlib";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { PolluxError } from "../core/error.ts";

/** How the bytes of a chunk are stored; recorded next to each chunk. */
export type Codec = "brotli" | "plain";

/** Maximum chunk size: small enough to read one message, large enough to compress well. */
export const CHUNK_BYTES: number = 256 * 1024;

/**
 * - `fast`: used by ingest; 300 MB a second, a fifth of the size
 * - `small`: used by compaction; slow, a seventh of the size
 */
export type CompressionLevel = "fast" | "small";

const QUALITY = { fast: 1, small: 7 } as const;
/** The size of a chunk: a larger window would only use more memory. */
const WINDOW_BITS = 18;

export function pack(
  bytes: Buffer,
  effort: CompressionLevel,
): { codec: Codec; stored: Uint8Array } {
  const packed = brotliCompressSync(bytes, {
    // Compress in one piece: smaller output pieces take an eighth longer.
    chunkSize: CHUNK_BYTES,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY[effort],
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  if (packed.length >= bytes.length) return { codec: "plain", stored: bytes };
  // Copy the result: the original keeps its whole, larger output buffer in memory.
  return { codec: "brotli", stored: Buffer.from(packed) };
}

/** Limit against decompression bombs: no chunk unpacks to more. */
const MOST_BYTES = 16 * 1024 * 1024;

export function unpack(codec: string, stored: Uint8Array, path: string): Buffer {
  if (codec === "brotli") return decompressed(stored, path, {});
  if (codec === "plain") return Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  throw new PolluxError("archive-newer", `Archived data in ${path} uses a newer compression.`, {
    remedy: "Update Pollux.",
  });
}

/** Added to the share of a chunk that is unpacked, as not all of its parts are compressed alike. */
const SPARE_BYTES = 4096;
const SPARE_SHARE = 1.1;

/** Like `unpack`, but may leave out what follows the first `end` of `sizeBytes` bytes. */
export function unpackUntil(
  end: number,
  { codec, stored, sizeBytes }: { codec: string; stored: Uint8Array; sizeBytes: number },
  path: string,
): Buffer {
  const share = Math.ceil((stored.length * end * SPARE_SHARE) / sizeBytes) + SPARE_BYTES;
  if (codec === "brotli" && share < stored.length) {
    const cut = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
    const start = decompressed(stored.subarray(0, share), path, cut);
    if (start.length >= end) return start;
  }
  return unpack(codec, stored, path);
}

function decompressed(stored: Uint8Array, path: string, options: BrotliOptions): Buffer {
  try {
    // Decompress in one piece: concatenating many small pieces takes twice the memory.
    const limits = { chunkSize: CHUNK_BYTES + 1, maxOutputLength: MOST_BYTES };
    return brotliDecompressSync(stored, { ...limits, ...options });
  } catch (error) {
    throw new PolluxError("archive-damaged", `Archived data in ${path} cannot be decompressed.`, {
      remedy: "`pollux archive verify` lists the damaged files.",
      cause: error,
    });
  }
}

export function digestOf(bytes: Buffer): Buffer {
  return hash("sha256", bytes, "buffer");
}
