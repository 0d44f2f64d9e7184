import type { IngestProgress } from "./ingest-report.ts";
import { totalBytes } from "../core/files/session-file.ts";

/** Number and total size of files. */
interface Amount {
  files: number;
  bytes: number;
}

export function amountOf(files: readonly { sizeBytes: number }[]): Amount {
  const bytes = totalBytes(files);
  return { files: files.length, bytes };
}

/** Progress over all agents, as one count that reaches its total once. */
export class ProgressMeter {
  readonly #work: IngestProgress["work"];
  readonly #report: ((progress: IngestProgress) => void) | undefined;
  readonly #expected = new Map<string, Amount>();
  #total: Amount = { files: 0, bytes: 0 };
  #done: Amount = { files: 0, bytes: 0 };

  constructor(
    work: IngestProgress["work"],
    report: ((progress: IngestProgress) => void) | undefined,
  ) {
    this.#work = work;
    this.#report = report;
  }

  /** Adds the amount that the scan of an agent found. */
  expect(agent: string, { files, bytes }: Amount): void {
    this.#expected.set(agent, { files, bytes });
    this.#add(files, bytes);
  }

  /** Starts an agent: the amount that is really read replaces the expected one. */
  begin(agent: string, { files, bytes }: Amount): (files: number, bytes: number) => void {
    const expected = this.#expected.get(agent) ?? { files: 0, bytes: 0 };
    this.#expected.delete(agent);
    this.#add(files - expected.files, bytes - expected.bytes);
    return (doneFiles, doneBytes) => {
      this.#done = {
        files: this.#done.files + doneFiles,
        bytes: this.#done.bytes + doneBytes,
      };
      this.#report?.({
        work: this.#work,
        agent,
        doneFiles: this.#done.files,
        totalFiles: this.#total.files,
        doneBytes: this.#done.bytes,
        totalBytes: this.#total.bytes,
      });
    };
  }

  #add(files: number, bytes: number): void {
    this.#total = { files: this.#total.files + files, bytes: this.#total.bytes + bytes };
  }
}
