import type { IngestProgress } from "./ingest-report.ts";

/** What is to be taken: files, and how large they are. */
interface Amount {
  files: number;
  bytes: number;
}

export function amountOf(files: readonly { sizeBytes: number }[]): Amount {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { files: files.length, bytes };
}

/** How far the keeping is, over all agents: one count that goes up to its end once. */
export class ProgressMeter {
  readonly #work: IngestProgress["work"];
  readonly #tell: ((progress: IngestProgress) => void) | undefined;
  readonly #expected = new Map<string, Amount>();
  #total: Amount = { files: 0, bytes: 0 };
  #done: Amount = { files: 0, bytes: 0 };

  constructor(
    work: IngestProgress["work"],
    tell: ((progress: IngestProgress) => void) | undefined,
  ) {
    this.#work = work;
    this.#tell = tell;
  }

  /** What a look has found of an agent, before anything is taken. */
  expect(agent: string, { files, bytes }: Amount): void {
    this.#expected.set(agent, { files, bytes });
    this.#add(files, bytes);
  }

  /** An agent's turn, with what is taken in the place of what was expected. */
  begin(agent: string, { files, bytes }: Amount): (files: number, bytes: number) => void {
    const expected = this.#expected.get(agent) ?? { files: 0, bytes: 0 };
    this.#expected.delete(agent);
    this.#add(files - expected.files, bytes - expected.bytes);
    return (doneFiles, doneBytes) => {
      this.#done = {
        files: this.#done.files + doneFiles,
        bytes: this.#done.bytes + doneBytes,
      };
      this.#tell?.({
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
