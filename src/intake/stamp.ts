import { createHash } from "node:crypto";
import type { Home } from "./gather.ts";

/**
 * A short form of everything that a look at a root tells without opening a file: names, sizes,
 * times, and what was odd about them. When it is the same as the last time, nothing has changed.
 */
export function stampOf({ files, diagnostics }: Pick<Home, "files" | "diagnostics">): string {
  const hash = createHash("sha1");
  // Its role is told by its path, or by what is in it.
  for (const { path, sizeBytes, modifiedMs, inode, isCleaned } of files) {
    hash.update(`${path}\n${sizeBytes} ${modifiedMs} ${inode} ${isCleaned}\n`);
  }
  if (diagnostics.length > 0) hash.update(JSON.stringify(diagnostics));
  return hash.digest("base64");
}
