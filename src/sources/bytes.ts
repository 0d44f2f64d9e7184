import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The bytes of one file, wherever they lie: on the disk or in the archive. */
export interface ByteSource {
  /** How diagnostics and places call it. */
  path: string;
  /** Chunks in order. A chunk is only valid until the next one is asked for. */
  chunks(): Iterable<Buffer>;
}

const CHUNK_BYTES = 1 << 20;

/** Reads a file chunk by chunk through one reused buffer: memory does not grow with the file. */
export function fileBytes(path: string): ByteSource {
  return {
    path,
    *chunks() {
      const descriptor = openSync(path, "r");
      try {
        const size = fstatSync(descriptor).size;
        const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size + 1));
        for (;;) {
          const count = readSync(descriptor, buffer, 0, buffer.length, null);
          if (count === 0) return;
          yield buffer.subarray(0, count);
        }
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

export function memoryBytes(path: string, bytes: Uint8Array): ByteSource {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    path,
    *chunks() {
      for (let start = 0; start < whole.length; start += CHUNK_BYTES) {
        yield whole.subarray(start, start + CHUNK_BYTES);
      }
    },
  };
}

/** The first bytes, enough to tell what a file is. */
export function headOf(source: ByteSource, limit: number): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  for (const chunk of source.chunks()) {
    const piece = Buffer.from(chunk.subarray(0, limit - length));
    pieces.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return Buffer.concat(pieces, length);
}
