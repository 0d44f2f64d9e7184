import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Stats } from "node:fs";

/** Something with a file's name that is a pipe, a socket, a device or a folder. */
export class NotAFileError extends Error {
  readonly code = "ENOTFILE";

  constructor(path: string) {
    super(`${path} is no regular file.`);
    this.name = "NotAFileError";
  }
}

/** Missing on Windows, where no such file can be named. */
const O_NONBLOCK = (constants as Partial<typeof constants>).O_NONBLOCK ?? 0;

/**
 * Opens a file that another program wrote, for reading. The only function that does: opening a pipe
 * waits for a writer that may never come, and opening a device may do something. What is there is
 * looked at before and after, for it may be exchanged in between.
 */
export function openForeignFile(path: string): { descriptor: number; stats: Stats } {
  if (!statSync(path).isFile()) throw new NotAFileError(path);
  const descriptor = openSync(path, constants.O_RDONLY | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new NotAFileError(path);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Settings, registries and other small files of other programs. */
export function readForeignText(path: string): string {
  return readForeignBytes(path).toString("utf8");
}

export function readForeignBytes(path: string): Buffer {
  const { descriptor, stats } = openForeignFile(path);
  try {
    return readFully(descriptor, Buffer.allocUnsafe(stats.size), 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Something is there that is no file: nobody may open it, neither to read nor to write. */
export function isNoFile(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch {
    // Nothing is there, or it cannot be reached: whoever opens it is told why.
    return false;
  }
}

/** Fills a buffer from a place in a file; fewer bytes come back when the file has no more. */
export function readFully(descriptor: number, buffer: Buffer, start: number): Buffer {
  let length = 0;
  while (length < buffer.length) {
    const rest = buffer.length - length;
    const count = readSync(descriptor, buffer, length, rest, start + length);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}
