import { readFileSync, statSync } from "node:fs";
import { PolluxError } from "../core/error.ts";

/** A small file that the caller named, as a whole. */
export function readGivenFile(path: string): Buffer {
  try {
    return readFileSync(path);
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
  throw new PolluxError("no-such-file", `${path} is no file.`);
}

function readable(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ENOENT") return new PolluxError("no-such-file", `There is no file ${path}.`);
  const message = `${path} could not be read (${String(error.code)}).`;
  return new PolluxError("file-failed", message, { cause: error });
}
