import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";

/** A folder that is removed when the test ends. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pollux-archive-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export const READER = 1;

/** An archive that is closed when the test ends. */
export async function archiveAt(path: string = join(folder(), "archive.db")): Promise<Store> {
  const store = await openSqliteStore(path, { reader: READER });
  onTestFinished(() => store.close());
  return store;
}
