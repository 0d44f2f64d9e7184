import type { IngestReport } from "../ingest/ingest-report.ts";

/** How long a result stays valid; files may change meanwhile. */
const NEW_MS = 10_000;

/**
 * Passes the result of comparing the disk to the query that caused it, so that one comparison is
 * enough.
 */
export class LastComparison {
  #seen: { reports: readonly IngestReport[]; atMs: number } | undefined;

  note(reports: readonly IngestReport[], nowMs: number): void {
    this.#seen = { reports, atMs: nowMs };
  }

  /** Returns the result once, if it is recent. */
  take(nowMs: number): readonly IngestReport[] | undefined {
    const seen = this.#seen;
    this.#seen = undefined;
    return seen && nowMs - seen.atMs < NEW_MS ? seen.reports : undefined;
  }
}
