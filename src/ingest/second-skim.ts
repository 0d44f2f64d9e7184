import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import type { SessionFile } from "../core/session-file.ts";
import { sources } from "../sources/index.ts";
import type { Source } from "../sources/source.ts";

/** A file to be skimmed. */
export interface Wanted {
  source: Source;
  file: SessionFile;
}

/** What a second thread gets: all files, where both note which one is next, and more. */
export interface SkimShare {
  wanted: { source: string; file: SessionFile }[];
  next: Int32Array;
  told: unknown;
}

/** Below this, one thread is done before a second one has begun. */
const SHARED_BYTES = 64 * 1024 * 1024;

/** Whether a second thread pays, and knows all of the sources. */
export function isShareable(wanted: readonly Wanted[]): boolean {
  const bytes = wanted.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  return bytes >= SHARED_BYTES && wanted.every(({ source }) => sources.includes(source));
}

/** A thread that skims along. It takes a while to begin: the sooner it does, the better. */
export class SecondSkim {
  readonly #worker: Worker;
  /** What it tells in the end; nothing when it does not come to it. */
  readonly #found: Promise<unknown>;

  private constructor(path: string) {
    // Loaded when there is a thread to begin: most commands begin none.
    const threads = process.getBuiltinModule("node:worker_threads");
    const worker = new threads.Worker(path);
    // As long as it waits for its work, it does not keep the program from ending.
    worker.unref();
    this.#worker = worker;
    // It may fail before it is told anything.
    this.#found = new Promise((resolve) => {
      worker.once("message", resolve);
      worker.once("error", () => resolve(undefined));
      worker.once("exit", () => resolve(undefined));
    });
  }

  /** Nothing where there is none to be had. */
  static begin(script: string): SecondSkim | undefined {
    if (availableParallelism() < 2) return undefined;
    // Built beside the program; not there when the sources run as they are.
    const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
    return existsSync(path) ? new SecondSkim(path) : undefined;
  }

  /** What it made of the files that it took; nothing when it did not come to its end. */
  async skim<T>(
    wanted: readonly Wanted[],
    next: Int32Array,
    told: unknown,
  ): Promise<Map<number, T> | undefined> {
    const files = wanted.map(({ source, file }) => ({ source: source.id, file: { ...file } }));
    const share: SkimShare = { wanted: files, next, told };
    this.#worker.ref();
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(share);
    const found = (await this.#found) as Map<number, T> | undefined;
    this.end();
    return found;
  }

  /** It has told all, or is not needed: nobody waits until it is cleared away. */
  end(): void {
    this.#worker.unref();
    void this.#worker.terminate();
  }
}
