import { randomUUID } from "node:crypto";
import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { appendFileSync, fsyncSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, PolluxError } from "../../core/error.ts";
import { isNotRegularFile, readForeignText } from "../../kernel/open-file.ts";
import type { Claims } from "../../sources/source.ts";

/**
 * Writes a file atomically: beside its path, then moved there. With "stays", an existing file wins
 * a race.
 */
export function placeFile(
  path: string,
  bytes: Iterable<Buffer>,
  existing: "stays" | "is-replaced",
): void {
  const beside = `${path}.pollux-${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeSynced(beside, bytes);
    if (existing === "is-replaced") renameSync(beside, path);
    else moveIfFree(beside, path);
  } catch (cause) {
    throw new PolluxError("cannot-write", `${path} could not be written.`, {
      remedy: "Check that the folder is writable and the disk is not full.",
      cause,
    });
  } finally {
    if (existsSync(beside)) rmSync(beside);
  }
}

/**
 * Moves without overwriting: link() fails if the target exists. File systems without links need a
 * check first.
 */
function moveIfFree(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || existsSync(to)) throw error;
    renameSync(from, to);
  }
}

function writeSynced(path: string, bytes: Iterable<Buffer>): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    for (const chunk of bytes) {
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws before anything is written if a list is not a regular file, but a pipe or a folder. */
export function refuseNonFiles(paths: readonly string[]): void {
  const [odd] = paths.filter(isNotRegularFile);
  if (odd === undefined) return;
  throw new PolluxError("cannot-write", `${odd} is not a regular file. Nothing was written.`, {
    remedy: "Move it away; the agent creates a new one.",
  });
}

/** Appends a line to an agent's list, which may lack a final line break. */
export function appendLine(path: string, line: string): void {
  const isOpen = existsSync(path) && !/(^|\n)$/.test(readForeignText(path));
  appendFileSync(path, `${isOpen ? "\n" : ""}${line}\n`, { mode: 0o600 });
}

/** Writes the files that claim a folder, under the agent's lock if it has one. */
export function writeClaims(
  { claims = [], claim = (each) => claims.forEach(each) }: Claims,
  write: Parameters<NonNullable<Claims["claim"]>>[0],
): void {
  claim(write);
}
