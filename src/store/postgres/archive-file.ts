import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyKept } from "../copy-kept.ts";
import type { ImportReport, Store } from "../store.ts";

/** The kept half as an archive file, as other machines export and import it. */
export async function exportArchive(store: Store, path: string): Promise<void> {
  await withArchive(async (archive) => {
    await copyKept(store, archive);
    await archive.care.exportTo(path);
  });
}

/** Takes an exported file in; one that is damaged, or newer, is refused before anything else. */
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

/** An archive that is there for as long as it is needed. */
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
