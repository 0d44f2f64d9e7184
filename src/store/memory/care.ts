import { PolluxError } from "../../core/error.ts";
import type { Care, StoreStats } from "../store.ts";
import type { KeptFiles } from "./kept.ts";
import { totalBytes } from "../../core/files/session-file.ts";

interface CountedRows {
  counts(): { sessions: number; texts: number };
  clear(): void;
}

/** A store in memory needs hardly any maintenance, and cannot be exported or imported. */
export function careOf(kept: KeptFiles, rows: CountedRows): Care {
  return {
    stats: async () => ({ ...statsOf(kept), ...rows.counts() }),
    originalBytes: async () => statsOf(kept).originalBytes,
    verify: async () => ({ chunks: 0, bytes: 0, problems: [] }),
    clearDerived: async () => rows.clear(),
    async compact() {
      // Nothing to compact.
    },
    async settle() {
      // Nothing is pending.
    },
    exportTo: () => Promise.reject(immovable()),
    importFrom: () => Promise.reject(immovable()),
  };
}

function statsOf(kept: KeptFiles): Omit<StoreStats, "sessions" | "texts"> {
  const files = [...kept.files.values()];
  const versions = files.flatMap(({ id }) => kept.versions(id));
  const newestBytes = totalBytes(files);
  return {
    location: "memory",
    sizeBytes: 0,
    files: {
      total: files.length,
      gone: files.filter(({ goneSinceMs }) => goneSinceMs !== undefined).length,
    },
    versions: versions.length,
    chunks: 0,
    originalBytes: totalBytes(versions),
    newestBytes,
    distinctBytes: newestBytes,
    storedBytes: newestBytes,
    textBytes: 0,
    forgotten: 0,
    roots: kept.roots,
  };
}

function immovable(): PolluxError {
  return new PolluxError("no-archive", "What is only in memory cannot be exported or imported to.");
}
