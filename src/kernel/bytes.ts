import { closeSync, readSync } from "node:fs";
import type { PartsAhead } from "./json/part.ts";
import { openForeignFile, readFully } from "./open-file.ts";

/** The bytes of one file, on disk or in the archive. */
export interface ByteSource {
  /** The file's path in diagnostics and places. */
  path: string;
  /** Yields chunks in order. A chunk is valid only until the next one is requested. */
  chunks(): Iterable<Buffer>;
  /** Returns a copy of the bytes `[start, end)`; shorter at the end of the file. */
  range(start: number, end: number): Buffer;
  /** Fills a buffer with the first bytes of the file. Returns the number of bytes written. */
  fill(target: Buffer): number;
  /** Reads into the caller's memory; only for sources that can do so without a copy. */
  reader?(start: number): ByteReader;
  /** What another thread has read of the file. Undefined if it has not, or if that was used. */
  ahead?(): PartsAhead | undefined;
}

/** Reads a file to its end into the caller's memory. */
export interface ByteReader {
  /** Returns the number of bytes written to the start of `into`; 0 at the end. */
  read(into: Buffer): number;
  close(): void;
}

/** Returns a reader for any source, from an offset on. */
export function readerOf(source: ByteSource, start: number): ByteReader {
  return source.reader?.(start) ?? copyingReader(source, start);
}

function copyingReader(source: ByteSource, start: number): ByteReader {
  let skipped = 0;
  const chunks = source.chunks()[Symbol.iterator]();
  let rest: Buffer = Buffer.alloc(0);
  return {
    read(into) {
      while (rest.length === 0) {
        const next = chunks.next();
        if (next.done === true) return 0;
        rest = next.value.subarray(Math.max(0, start - skipped));
        skipped += next.value.length;
      }
      const count = rest.copy(into);
      rest = rest.subarray(count);
      return count;
    },
    close: () => void chunks.return?.(),
  };
}

const CHUNK_BYTES = 1 << 20;
/** Free buffers, reused because reading thousands of small files needs only one. */
const spare: Buffer[] = [];

/**
 * Reads a file chunk by chunk through one reused buffer: memory does not grow with the file.
 * `found`: see `openForeignFile`.
 */
export function fileBytes(path: string, found?: "found"): ByteSource {
  return {
    path,
    *chunks() {
      const { descriptor } = openForeignFile(path, found);
      let lent: Buffer | undefined;
      try {
        const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
        lent = buffer;
        for (;;) {
          const count = readSync(descriptor, buffer, 0, buffer.length, null);
          if (count === 0) return;
          yield buffer.subarray(0, count);
        }
      } finally {
        if (lent) spare.push(lent);
        closeSync(descriptor);
      }
    },
    reader(start) {
      const { descriptor, stats } = openForeignFile(path, found);
      let at = start;
      return {
        read(into) {
          if (at >= stats.size) return 0;
          const count = readSync(descriptor, into, 0, into.length, at);
          at += count;
          return count;
        },
        close: () => closeSync(descriptor),
      };
    },
    range: (start, end) => fillFrom(Buffer.allocUnsafe(Math.max(0, end - start)), start),
    fill: (target) => fillFrom(target, 0).length,
  };

  function fillFrom(target: Buffer, start: number): Buffer {
    const { descriptor } = openForeignFile(path, found);
    try {
      return readFully(descriptor, target, start);
    } finally {
      closeSync(descriptor);
    }
  }
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
    range: (start, end) => Buffer.from(whole.subarray(start, end)),
    fill: (target) => whole.copy(target),
  };
}

/** The first `end` bytes of a file, as if it ended there. */
export function truncatedBytes(source: ByteSource, end: number): ByteSource {
  return {
    path: source.path,
    *chunks() {
      let left = end;
      for (const chunk of source.chunks()) {
        if (left <= 0) return;
        yield chunk.subarray(0, left);
        left -= chunk.length;
      }
    },
    range: (start, stop) => source.range(Math.min(start, end), Math.min(stop, end)),
    fill: (target) => source.fill(target.subarray(0, end)),
  };
}

/** The first `sizeBytes` bytes of one source, followed by all bytes of another. */
export function joinBytes(first: ByteSource, sizeBytes: number, second: ByteSource): ByteSource {
  const head = truncatedBytes(first, sizeBytes);
  return {
    path: second.path,
    *chunks() {
      yield* head.chunks();
      yield* second.chunks();
    },
    range(start, end) {
      const behind = second.range(Math.max(0, start - sizeBytes), Math.max(0, end - sizeBytes));
      return start < sizeBytes ? Buffer.concat([head.range(start, end), behind]) : behind;
    },
    fill(target) {
      const filled = head.fill(target);
      return filled + second.fill(target.subarray(filled));
    },
  };
}

/** Reads all bytes into memory. */
export function readWhole(source: ByteSource): Buffer {
  const pieces: Buffer[] = [];
  for (const chunk of source.chunks()) pieces.push(Buffer.from(chunk));
  return Buffer.concat(pieces);
}
