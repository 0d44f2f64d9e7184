import type { IngestReport } from "../ingest/ingest-report.ts";

/** Files move while nobody looks: what was seen is told for so long. */
const NEW_MS = 10_000;

/** What a look at the disk found, for the question that brought it about: one look is enough. */
export class LastLook {
  #seen: { reports: readonly IngestReport[]; atMs: number } | undefined;

  note(reports: readonly IngestReport[], nowMs: number): void {
    this.#seen = { reports, atMs: nowMs };
  }

  /** Once. */
  take(nowMs: number): readonly IngestReport[] | undefined {
    const seen = this.#seen;
    this.#seen = undefined;
    return seen && nowMs - seen.atMs < NEW_MS ? seen.reports : undefined;
  }
}
