import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Archive, Prepared } from "../store/archive.ts";
import type { KeptFile } from "../core/kept.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import type { Changed } from "./changed.ts";
import { sweepLately } from "./spare-memory.ts";

/** What a file holds that is not kept yet. */
export interface Taken {
  /** With size and time of the moment at which it was read. */
  file: SessionFile;
  how: "same" | "appended" | "whole";
  content?: Prepared;
  /**
   * The whole content, until files of another session are taken; absent when it is so large that
   * it is read from the archive afterwards.
   */
  bytes?: ByteSource;
}

const FIRST_BYTES = 1024 * 1024;

/** Memory that is used again for each session: asking for it anew costs more than reading. */
class Arena {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;

  reset(): void {
    this.#used = 0;
  }

  /** Whoever still has bytes of it keeps them. */
  letGo(): void {
    if (this.#memory.length <= FIRST_BYTES) return;
    this.#memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#used = 0;
  }

  take(size: number): Buffer {
    if (this.#memory.length - this.#used < size) {
      this.#memory = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#memory.length));
      this.#used = 0;
    }
    const taken = this.#memory.subarray(this.#used, this.#used + size);
    this.#used += size;
    return taken;
  }
}

const arena = new Arena();

/** What was taken so far is no longer needed. */
export function releaseBytes(): void {
  arena.reset();
}

/** Nothing is taken for a while: what was huge once need not stay so. */
export function letBytesGo(): void {
  arena.letGo();
}

/** Larger files are kept piece by piece. */
const IN_MEMORY_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
const SWEPT_PIECES = 4;
/** So much at the beginning and at the end tells whether a file only grew. */
const COMPARED_BYTES = 4096;

/** Opens a file and reads what is new in it. Throws when the disk does not let it. */
export function takeBytes(archive: Archive, { file, known }: Changed): Taken {
  const descriptor = openSync(file.path, "r");
  try {
    const { size, mtimeMs, ino } = fstatSync(descriptor);
    const seen = { ...file, sizeBytes: size, modifiedMs: mtimeMs, inode: ino };
    const disk = new OpenFile(descriptor, size);
    if (known && known.inode === ino && isGrown(archive, known, disk)) {
      return takeTail(archive, { file: seen, known }, disk);
    }
    return size > IN_MEMORY_BYTES
      ? takeLarge(archive, { file: seen, ...(known ? { known } : {}) }, disk)
      : takeWhole(archive, { file: seen, ...(known ? { known } : {}) }, disk);
  } finally {
    closeSync(descriptor);
  }
}

class OpenFile {
  readonly size: number;
  readonly #descriptor: number;

  constructor(descriptor: number, size: number) {
    this.#descriptor = descriptor;
    this.size = size;
  }

  /** The bytes `[start, end)`; fewer when the file was cut meanwhile. */
  read(start: number, end: number): Buffer {
    return this.#fill(arena.take(Math.max(0, end - start)), start);
  }

  #fill(buffer: Buffer, start: number): Buffer {
    let length = 0;
    while (length < buffer.length) {
      const rest = buffer.length - length;
      const count = readSync(this.#descriptor, buffer, length, rest, start + length);
      if (count === 0) break;
      length += count;
    }
    return buffer.subarray(0, length);
  }

  /** Piece by piece, each valid until the next one. */
  *pieces(start: number): Generator<Buffer> {
    const memory = Buffer.allocUnsafeSlow(PIECE_BYTES);
    for (let at = start; at < this.size; at += PIECE_BYTES) {
      const piece = this.#fill(memory.subarray(0, Math.min(PIECE_BYTES, this.size - at)), at);
      if (piece.length === 0) return;
      yield piece;
      // What was made of the pieces lies outside of the heap, where it is not noticed.
      if ((at / PIECE_BYTES) % SWEPT_PIECES === SWEPT_PIECES - 1) sweepLately();
    }
  }
}

/** A file that is only appended to still begins as it did, and what was its end is still there. */
function isGrown(archive: Archive, known: KeptFile, disk: OpenFile): boolean {
  const { sizeBytes } = known;
  if (sizeBytes === 0 || disk.size <= sizeBytes) return false;
  const kept = archive.files.bytes(known);
  const ranges = [
    [0, Math.min(COMPARED_BYTES, sizeBytes)],
    [Math.max(0, sizeBytes - COMPARED_BYTES), sizeBytes],
  ] as const;
  return ranges.every(([start, end]) => kept.range(start, end).equals(disk.read(start, end)));
}

function takeTail(archive: Archive, { file, known }: Required<Changed>, disk: OpenFile): Taken {
  const start = known.sizeBytes;
  if (disk.size - start > IN_MEMORY_BYTES) {
    return { file, how: "appended", content: archive.files.prepare(disk.pieces(start)) };
  }
  const tail = disk.read(start, disk.size);
  const content = archive.files.prepare([tail]);
  return { file, how: "appended", content, bytes: joined(archive.files.bytes(known), start, tail) };
}

function takeWhole(archive: Archive, { file, known }: Changed, disk: OpenFile): Taken {
  const whole = disk.read(0, disk.size);
  const bytes = memoryBytes(file.path, whole);
  const common = known ? commonLength(archive, known, [whole]) : 0;
  if (known && common === known.sizeBytes) {
    if (whole.length === common) return { file, how: "same", bytes };
    const content = archive.files.prepare([whole.subarray(common)]);
    return { file, how: "appended", content, bytes };
  }
  return { file, how: "whole", content: archive.files.prepare([whole]), bytes };
}

function takeLarge(archive: Archive, { file, known }: Changed, disk: OpenFile): Taken {
  const common = known ? commonLength(archive, known, disk.pieces(0)) : 0;
  if (known && common === known.sizeBytes) {
    if (disk.size === common) return { file, how: "same" };
    return { file, how: "appended", content: archive.files.prepare(disk.pieces(common)) };
  }
  return { file, how: "whole", content: archive.files.prepare(disk.pieces(0)) };
}

/** How far a content is what is kept. */
function commonLength(archive: Archive, known: KeptFile, pieces: Iterable<Buffer>): number {
  const kept = archive.files.bytes(known);
  let at = 0;
  for (const piece of pieces) {
    const same = kept.range(at, at + piece.length);
    if (!same.equals(piece.subarray(0, same.length))) return -1;
    at += same.length;
    if (same.length < piece.length) break;
  }
  return at;
}

/** The kept beginning of a file, and what followed. */
function joined(kept: ByteSource, length: number, tail: Buffer): ByteSource {
  return {
    path: kept.path,
    *chunks() {
      yield* kept.chunks();
      yield tail;
    },
    range(start, end) {
      const before = start < length ? kept.range(start, Math.min(end, length)) : Buffer.alloc(0);
      const after = tail.subarray(Math.max(0, start - length), Math.max(0, end - length));
      return Buffer.concat([before, after]);
    },
  };
}
