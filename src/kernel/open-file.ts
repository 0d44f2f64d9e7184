import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Stats } from "node:fs";

/** The path is a pipe, a socket, a device or a folder. */
export class NotAFileError extends Error {
  readonly code = "ENOTFILE";

  constructor(path: string) {
    super(`${path} is not a regular file.`);
    this.name = "NotAFileError";
  }
}

/** Undefined on Windows, where pipes and devices have no path in the file system. */
const O_NONBLOCK = (constants as Partial<typeof constants>).O_NONBLOCK ?? 0;

/**
 * Opens a file that another program wrote, for reading. All such reads must use it: opening a pipe
 * waits for a writer that may never come, and opening a device may have side effects. The type is
 * checked before and after opening, because the file may be replaced in between. The first check is
 * left out for files that were found to be regular files just before.
 */
export function openForeignFile(
  path: string,
  found: "found" | "unchecked" = "unchecked",
): { descriptor: number; stats: Stats } {
  if (found === "unchecked" && !statSync(path).isFile()) throw new NotAFileError(path);
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

/** Reads settings, registries and other small files of other programs. */
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

/**
 * Whether the path exists and is not a regular file: it must not be opened for reading or writing.
 */
export function isNotRegularFile(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch {
    // Missing or unreachable: opening it will report why.
    return false;
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Fills a buffer from an offset in a file; the result is shorter at the end of the file. */
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
