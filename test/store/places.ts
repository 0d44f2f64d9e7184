import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Archive } from "../../src/store/archive.ts";
import { openArchive } from "../../src/store/sqlite/archive.ts";

/** A folder that is gone when the test ends. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pollux-archive-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export const READER = 1;

/** An archive that is closed when the test ends. */
export function archiveAt(path: string = join(folder(), "archive.db")): Archive {
  const archive = openArchive(path, READER);
  onTestFinished(() => archive.close());
  return archive;
}
