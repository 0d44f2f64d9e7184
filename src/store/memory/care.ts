import { PolluxError } from "../../core/error.ts";
import type { Care, ImportReport, StoreStats, VerifyReport } from "../store.ts";
import type { KeptFiles } from "./kept.ts";

/** A store in memory needs hardly any maintenance, and cannot be exported or imported. */
export class MemoryCare implements Care {
  readonly #kept: KeptFiles;
  readonly #rows: { counts: () => { sessions: number; texts: number }; clear: () => void };

  constructor(
    kept: KeptFiles,
    rows: { counts: () => { sessions: number; texts: number }; clear: () => void },
  ) {
    this.#kept = kept;
    this.#rows = rows;
  }

  async stats(): Promise<StoreStats> {
    const files = [...this.#kept.files.values()];
    const versions = files.flatMap(({ id }) => this.#kept.versions(id));
    const newestBytes = sum(files);
    return {
      location: "memory",
      sizeBytes: 0,
      files: {
        total: files.length,
        gone: files.filter(({ goneSinceMs }) => goneSinceMs !== undefined).length,
      },
      versions: versions.length,
      chunks: 0,
      originalBytes: sum(versions),
      newestBytes,
      distinctBytes: newestBytes,
      storedBytes: newestBytes,
      textBytes: 0,
      ...this.#rows.counts(),
      forgotten: 0,
      roots: this.#kept.roots,
    };
  }

  async verify(): Promise<VerifyReport> {
    return { chunks: 0, bytes: 0, problems: [] };
  }

  async compact(): Promise<void> {
    // Nothing to compact.
  }

  async clearDerived(): Promise<void> {
    this.#rows.clear();
  }

  async settle(): Promise<void> {
    // Nothing is pending.
  }

  async exportTo(): Promise<void> {
    throw immovable();
  }

  async importFrom(): Promise<ImportReport> {
    throw immovable();
  }
}

function sum(sizes: readonly { sizeBytes: number }[]): number {
  return sizes.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
}

function immovable(): PolluxError {
  return new PolluxError("no-archive", "What is only in memory cannot be exported or imported to.");
}
