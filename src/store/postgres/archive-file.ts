import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyKept } from "../copy-kept.ts";
import type { ImportReport, Store } from "../store.ts";

/** Exports the kept half as an SQLite archive, the format that other machines import. */
export async function exportArchive(store: Store, path: string): Promise<void> {
  await withArchive(async (archive) => {
    await copyKept(store, archive);
    await archive.care.exportTo(path);
  });
}

/** Imports an exported archive; a damaged or newer one is rejected before anything is stored. */
export async function importArchive(
  store: Store,
  path: string,
  nowMs: number,
): Promise<ImportReport> {
  return withArchive(async (archive) => {
    await archive.care.importFrom(path, nowMs);
    return copyKept(archive, store);
  });
}

/** Runs `work` with a temporary archive. */
async function withArchive<T>(work: (archive: Store) => Promise<T>): Promise<T> {
  const { openSqliteStore } = await import("../sqlite/store.ts");
  const folder = mkdtempSync(join(tmpdir(), "pollux-"));
  try {
    const archive = await openSqliteStore(join(folder, "archive.db"), { reader: 0 });
    try {
      return await work(archive);
    } finally {
      await archive.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
