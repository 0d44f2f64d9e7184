import type { FileHandle } from "node:fs/promises";
import { link, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, PolluxError } from "../core/error.ts";

export interface StreamedFile {
  path: string;
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
  /** What happens if the file exists. */
  existing: "stays" | "is-replaced";
  /** Who may read it: files with unmasked conversations or keys are for the owner only. */
  access: "everybody" | "owner";
}

/**
 * Writes a temporary file and moves it into place when complete, so that the file is either
 * complete or absent. Overwrites nothing unless requested.
 */
export async function writeStreamedFile(file: StreamedFile): Promise<number> {
  const { path, chunks, existing, access } = file;
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    if (existing === "stays" && (await isThere(path))) throw thereAlready(path);
    await mkdir(dirname(path), { recursive: true });
    await rm(aside, { force: true });
    const sizeBytes = await fill(aside, chunks, access === "owner" ? 0o600 : 0o666);
    await (existing === "stays" ? moveToFree(aside, path) : rename(aside, path));
    return sizeBytes;
  } catch (error) {
    throw readable(error, path);
  } finally {
    await rm(aside, { force: true });
  }
}

async function fill(aside: string, chunks: StreamedFile["chunks"], mode: number): Promise<number> {
  const file: FileHandle = await open(aside, "wx", mode);
  let sizeBytes = 0;
  try {
    for await (const chunk of joined(chunks)) {
      await file.writeFile(chunk);
      sizeBytes += chunk.length;
    }
  } finally {
    await file.close();
  }
  return sizeBytes;
}

/** Linking fails if the file was created meanwhile; not every file system supports links. */
async function moveToFree(aside: string, path: string): Promise<void> {
  try {
    await link(aside, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || (await isThere(path))) throw thereAlready(path);
    await rename(aside, path);
  }
}

const BLOCK_BYTES = 1 << 18;

/** Joins small chunks into larger ones. */
async function* joined(chunks: StreamedFile["chunks"]): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    waiting.push(bytes);
    length += bytes.length;
    if (length < BLOCK_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

export function thereAlready(
  path: string,
  remedy = "Choose another name, or use --force to replace it.",
): PolluxError {
  return new PolluxError("file-exists", `${path} already exists and was not changed.`, {
    remedy,
  });
}

function readable(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (error instanceof PolluxError || code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  const message = `${path} could not be written (${code}).`;
  return new PolluxError("file-failed", message, { cause: error });
}
