import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, PolluxError } from "../../core/error.ts";
import type { ObjectStorage } from "./place.ts";

/** A folder that every server reaches under the same path. */
export class FolderPlace implements ObjectStorage {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }

  /**
   * Writes a temporary file, syncs it and renames it, so that a stored object is complete and
   * durable.
   */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(name);
    const beside = `${path}.${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(beside, "wx", 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(beside, { force: true }).catch(() => undefined);
      throw this.#explained(error);
    }
  }

  async get(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.#path(name));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw this.#explained(error);
    }
  }

  async drop(name: string): Promise<void> {
    await rm(this.#path(name), { force: true }).catch((error: unknown) => {
      throw this.#explained(error);
    });
  }

  /** Spreads files over folders by the first two digits of the digest, the last part of a name. */
  #path(name: string): string {
    const parts = name.split("/");
    const digest = parts.pop() ?? "";
    return join(this.location, ...parts, digest.slice(0, 2), digest);
  }

  #explained(error: unknown): unknown {
    const code = codeOf(error) ?? "";
    if (code === "ENOSPC" || code === "EDQUOT") {
      return new PolluxError("archive-full", `${this.location} is full.`, {
        remedy: "Nothing was stored. Free some space and try again.",
        cause: error,
      });
    }
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(code)) return error;
    return new PolluxError("store-forbidden", `${this.location} cannot be used (${code}).`, {
      remedy: "Give the user that runs the server read and write access.",
      cause: error,
    });
  }
}

/** Syncs a folder: without it, a renamed file may be lost in a crash. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
