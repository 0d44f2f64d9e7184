import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import { postgresStores } from "../store/postgres/stores.ts";

const postgres = await postgresStores();

/** Every kind of store. Ingest behaves the same with each. */
export const STORES: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ["memory", () => Promise.resolve(memoryStore())],
  ["SQLite", () => sqliteStore()],
  ...(postgres.isAvailable ? [["PostgreSQL", postgres.open] as const] : []),
];

/** A store in a file, closed and removed when the test ends. */
export async function sqliteStore(path: string = newArchive()): Promise<Store> {
  const store = await openSqliteStore(path, { reader: READER_VERSION });
  onTestFinished(() => store.close());
  return store;
}

export function newArchive(): string {
  const folder = mkdtempSync(join(tmpdir(), "pollux-archive-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "pollux.db");
}
