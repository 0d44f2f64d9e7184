import { statSync } from "node:fs";
import { codeOf, PolluxError } from "../core/error.ts";
import { NotAFileError, readForeignBytes } from "../kernel/open-file.ts";

/** Reads a small file that the user named. */
export function readGivenFile(path: string): Buffer {
  try {
    return readForeignBytes(path);
  } catch (error) {
    throw readable(error, path);
  }
}

/** Fails early if the file does not exist. */
export function mustBeFile(path: string): void {
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    throw readable(error, path);
  }
  throw readable(new NotAFileError(path), path);
}

function readable(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === "ENOENT") return new PolluxError("no-such-file", `No such file: ${path}.`);
  if (error instanceof NotAFileError) return new PolluxError("no-such-file", error.message);
  const message = `${path} could not be read (${code}).`;
  return new PolluxError("file-failed", message, { cause: error });
}
