import type { Hash } from "node:crypto";
import { createHash, hash } from "node:crypto";
import type { Stats } from "node:fs";
import { closeSync, fstatSync, statSync } from "node:fs";
import type { KnownFile } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import { openForeignFile, readFully } from "../kernel/open-file.ts";
import type { FileChange, NewContent } from "../store/store.ts";
import type { ChangedFile } from "./scan.ts";
import { isSameState, isSettled } from "./scan.ts";

/** The content of a file, read from one consistent state. */
export interface BytesRead {
  /** With size, times and inode of the state that was read. */
  file: SessionFile;
  isSettled: boolean;
  /** Bytes that are not kept yet; absent if all are kept. */
  content?: NewContent;
  /** The whole content; absent for large files, which are read from the store afterwards. */
  bytes?: ByteSource;
}

/** Thrown when a file keeps changing while it is read. */
export class FileKeepsChangingError extends Error {
  readonly code = "ECHANGED";

  constructor(path: string) {
    super(`${path} changed during every attempt to read it.`);
    this.name = "UnsteadyFileError";
  }
}

export interface ReadBytesOptions {
  clock: () => number;
  /** The kept bytes; needed only if the store has no digest of them. */
  kept?: ByteSource;
  /** Larger files are read twice in pieces and never held in memory as a whole. */
  inMemoryBytes: number;
}

const PIECE_BYTES = 1024 * 1024;
const MOST_TRIES = 5;

/** Reads the new bytes of a file. Throws on disk errors, and if the file keeps changing. */
export function readBytes(changed: ChangedFile, options: ReadBytesOptions): BytesRead {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const read = readOnce(changed, options);
    if (read) return read;
  }
  throw new FileKeepsChangingError(changed.file.path);
}

/** Returns the change to commit; undefined if there is none. */
export function changeOf({ rootId, known }: ChangedFile, read: BytesRead): FileChange | undefined {
  const { file, content, isSettled: settled } = read;
  if (content) return { kind: "content", rootId, file, content, ...optional("known", known) };
  return known && { kind: "touched", file, known, isSettled: settled };
}

/** Whether the state that was read is the one that the scan found. */
export function isUnchangedSinceScan({ file }: ChangedFile, { file: read }: BytesRead): boolean {
  return isSameState(file, read);
}

/** Returns undefined if the file changed during the read. */
function readOnce({ file, known }: ChangedFile, options: ReadBytesOptions): BytesRead | undefined {
  const { descriptor, stats } = openForeignFile(file.path);
  try {
    const { size, mtimeMs, ctimeMs, ino } = stats;
    const state = { sizeBytes: size, modifiedMs: mtimeMs, changedMs: ctimeMs, inode: ino };
    const seen = { ...file, ...state };
    // Checked before reading: once the clock tick is over, any later write changes the times.
    const wasSettled = isSettled(seen, options.clock());
    const opened = { file: seen, descriptor, stats, wasSettled };
    const before = known && { known, ...optional("kept", options.kept) };
    return size > options.inMemoryBytes ? readLarge(opened, before) : readWhole(opened, before);
  } finally {
    closeSync(descriptor);
  }
}

interface Opened {
  file: SessionFile;
  descriptor: number;
  stats: Stats;
  wasSettled: boolean;
}

interface Before {
  known: KnownFile;
  kept?: ByteSource;
}

/** Whether the open file is unchanged and still the one at its path. */
function isUntouched({ file, descriptor, stats, wasSettled }: Opened): boolean {
  const now = fstatSync(descriptor);
  if (!wasSettled || now.size !== stats.size) return false;
  if (now.mtimeMs !== stats.mtimeMs || now.ctimeMs !== stats.ctimeMs) return false;
  return statSync(file.path, { throwIfNoEntry: false })?.ino === stats.ino;
}

/**
 * Reads a consistent state. A file untouched during the read is consistent. A file that is being
 * written to is read a second time: equal bytes existed together between the two reads.
 */
function readWhole(opened: Opened, before: Before | undefined): BytesRead | undefined {
  const { file, descriptor } = opened;
  const { sizeBytes } = file;
  const whole = readFully(descriptor, Buffer.allocUnsafeSlow(sizeBytes), 0);
  if (whole.length !== sizeBytes) return undefined;
  const digest = hash("sha256", whole, "hex");
  const untouched = isUntouched(opened);
  if (!untouched && digestOfFile(opened) !== digest) return undefined;
  const read = { file, isSettled: untouched, bytes: memoryBytes(file.path, whole) };
  const kept = before && commonWith(before, whole, digest);
  if (kept === sizeBytes) return read;
  const how = kept === undefined ? "whole" : "appended";
  const pieces = [whole.subarray(kept ?? 0)];
  return { ...read, content: { how, sizeBytes, digest, isSettled: untouched, pieces } };
}

/** Returns the number of kept bytes if the content begins with them, otherwise undefined. */
function commonWith({ known, kept }: Before, whole: Buffer, digest: string): number | undefined {
  const { sizeBytes } = known;
  if (sizeBytes > whole.length) return undefined;
  if (known.digest === undefined) {
    const isSame = kept?.range(0, sizeBytes).equals(whole.subarray(0, sizeBytes)) === true;
    return isSame ? sizeBytes : undefined;
  }
  const prefix =
    sizeBytes === whole.length ? digest : hash("sha256", whole.subarray(0, sizeBytes), "hex");
  return prefix === known.digest ? sizeBytes : undefined;
}

function digestOfFile({ descriptor, stats }: Opened): string {
  const running = createHash("sha256");
  for (const piece of piecesOf(descriptor, stats.size)) running.update(piece);
  return running.digest("hex");
}

/** The first pass finds what is new; the second returns it and verifies the digest. */
function readLarge(opened: Opened, before: Before | undefined): BytesRead | undefined {
  const { file, descriptor } = opened;
  const { sizeBytes } = file;
  const digests = digestsOf(descriptor, sizeBytes, before?.known);
  if (digests.length !== sizeBytes) return undefined;
  const untouched = isUntouched(opened);
  const isKept =
    before !== undefined && digests.prefix !== undefined && digests.prefix === digestOfKept(before);
  const start = isKept ? before.known.sizeBytes : 0;
  const read = { file, isSettled: untouched };
  if (isKept && start === sizeBytes) return untouched ? read : undefined;
  const how = isKept ? "appended" : "whole";
  const digest = digests.whole;
  const pieces = { [Symbol.iterator]: () => steadyPieces(file, { start, digest }) };
  return { ...read, content: { how, sizeBytes, digest, isSettled: untouched, pieces } };
}

interface Digests {
  whole: string;
  /** Digest of the first bytes, as many as are kept. */
  prefix: string | undefined;
  length: number;
}

function digestsOf(descriptor: number, size: number, known: KnownFile | undefined): Digests {
  const running = createHash("sha256");
  const end = known && known.sizeBytes <= size ? known.sizeBytes : undefined;
  let prefix = end === 0 ? running.copy().digest("hex") : undefined;
  let length = 0;
  for (const piece of piecesOf(descriptor, size)) {
    const cut = end === undefined ? -1 : end - length;
    if (cut > 0 && cut <= piece.length) {
      prefix = prefixDigest(running, piece.subarray(0, cut));
    }
    running.update(piece);
    length += piece.length;
  }
  return { whole: running.digest("hex"), prefix, length };
}

function prefixDigest(running: Hash, piece: Buffer): string {
  return running.copy().update(piece).digest("hex");
}

function digestOfKept({ known, kept }: Before): string | undefined {
  if (known.digest !== undefined || !kept) return known.digest;
  const running = createHash("sha256");
  for (const chunk of kept.chunks()) running.update(chunk);
  return running.digest("hex");
}

/**
 * Yields the bytes from `start`. Throws at the end if the file is no longer the one checked before.
 */
function* steadyPieces(
  file: SessionFile,
  { start, digest }: { start: number; digest: string },
): Generator<Buffer> {
  const { descriptor, stats } = openForeignFile(file.path);
  try {
    if (stats.ino !== file.inode || stats.size < file.sizeBytes) {
      throw new FileKeepsChangingError(file.path);
    }
    const running = createHash("sha256");
    let length = 0;
    for (const piece of piecesOf(descriptor, file.sizeBytes)) {
      running.update(piece);
      const fresh = piece.subarray(Math.max(0, start - length));
      length += piece.length;
      if (length > start && fresh.length > 0) yield fresh;
    }
    if (running.digest("hex") !== digest) throw new FileKeepsChangingError(file.path);
  } finally {
    closeSync(descriptor);
  }
}

/** Yields pieces in one reused buffer: each is valid until the next one. */
function* piecesOf(descriptor: number, sizeBytes: number): Generator<Buffer> {
  const memory = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, sizeBytes));
  for (let at = 0; at < sizeBytes;) {
    const piece = readFully(
      descriptor,
      memory.subarray(0, Math.min(memory.length, sizeBytes - at)),
      at,
    );
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}
