import { randomUUID } from "node:crypto";
import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { appendFileSync, fsyncSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../../core/error.ts";
import { isNoFile, readForeignText } from "../../kernel/open-file.ts";
import type { Claims } from "../../sources/source.ts";

/** Whole or not at all: written beside its place, then moved; a file that stays wins a race. */
export function placeFile(
  path: string,
  bytes: Iterable<Buffer>,
  existing: "stays" | "is-replaced",
): void {
  const beside = `${path}.pollux-${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    write(beside, bytes);
    if (existing === "is-replaced") renameSync(beside, path);
    else moveIfFree(beside, path);
  } catch (cause) {
    throw new PolluxError("cannot-write", `${path} could not be written.`, {
      remedy: "See that the folder can be written to and the disk is not full.",
      cause,
    });
  } finally {
    if (existsSync(beside)) rmSync(beside);
  }
}

/** A link is made only where nothing is. Some file systems know none; there, a look must do. */
function moveIfFree(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" || existsSync(to)) throw error;
    renameSync(from, to);
  }
}

function write(path: string, bytes: Iterable<Buffer>): void {
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

/** Before anything is written: a list that is a pipe or a folder takes no line. */
export function refuseNoFiles(paths: readonly string[]): void {
  const [odd] = paths.filter(isNoFile);
  if (odd === undefined) return;
  throw new PolluxError("cannot-write", `${odd} is no regular file. Nothing was written.`, {
    remedy: "Move it away: the agent makes a new one.",
  });
}

/** Adds a line to a list of an agent's, which may end without a line break. */
export function appendLine(path: string, line: string): void {
  const isOpen = existsSync(path) && !/(^|\n)$/.test(readForeignText(path));
  appendFileSync(path, `${isOpen ? "\n" : ""}${line}\n`, { mode: 0o600 });
}

/** The files that claim a folder, while their agent does not write its own where that matters. */
export function writeClaims(
  { claims = [], claim = (write) => claims.forEach(write) }: Claims,
  write: Parameters<NonNullable<Claims["claim"]>>[0],
): void {
  claim(write);
}
