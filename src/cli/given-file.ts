import { statSync } from "node:fs";
import { PolluxError } from "../core/error.ts";
import { NotAFileError, readForeignBytes } from "../kernel/open-file.ts";

/** A small file that the caller named, as a whole. */
export function readGivenFile(path: string): Buffer {
  try {
    return readForeignBytes(path);
  } catch (error) {
    throw readable(error, path);
  }
}

/** Refuses what is not there before anything is begun. */
export function mustBeFile(path: string): void {
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    throw readable(error, path);
  }
  throw readable(new NotAFileError(path), path);
}

function readable(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ENOENT") return new PolluxError("no-such-file", `There is no file ${path}.`);
  if (error instanceof NotAFileError) return new PolluxError("no-such-file", error.message);
  const message = `${path} could not be read (${String(error.code)}).`;
  return new PolluxError("file-failed", message, { cause: error });
}
