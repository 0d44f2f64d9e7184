import type { Worker } from "node:worker_threads";
import { errorFrom, PolluxError } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import type { IngestReport } from "../ingest-report.ts";
import type { ThreadConfig } from "./helper-thread.ts";
import { THREAD_LIMITS } from "./helper-thread.ts";
import type { Ingester, IngestOptions, OnProgress } from "./ingester.ts";
import type { IngestAnswer, IngestRequest } from "./worker.ts";

/** Ingests in a thread that starts with the first request. */
export class ThreadIngester implements Ingester {
  readonly #place: ThreadConfig;
  #worker: Worker | undefined;
  /** Requests run one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: ThreadConfig) {
    this.#place = place;
  }

  async ingest({ places, how, urgent, progress }: IngestOptions): Promise<IngestReport[]> {
    const named = places.map(({ source, root }) => ({ source: source.id, root }));
    const request = { kind: "ingest", places: named, how, ...optional("urgent", urgent) } as const;
    return (await this.#ask(request, progress)).reports;
  }

  async indexTexts(): Promise<number> {
    return (await this.#ask({ kind: "texts" })).count;
  }

  async rebuild({
    only,
    progress,
  }: { only?: "unread"; progress?: OnProgress } = {}): Promise<number> {
    return (await this.#ask({ kind: "rebuild", ...optional("only", only) }, progress)).count;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    // Keep the process alive until the thread has ended.
    worker.ref();
    const ended = new Promise<void>((resolve) => void worker.once("exit", () => resolve()));
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    worker.postMessage("close");
    await ended;
  }

  #ask(request: IngestRequest, progress?: OnProgress): Promise<Done> {
    const answer = this.#last.then(() => this.#send(request, progress));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  #send(request: IngestRequest, progress: OnProgress | undefined): Promise<Done> {
    const worker = (this.#worker ??= this.#begin());
    worker.ref();
    return new Promise<Done>((resolve, reject) => {
      const settle = (): void => {
        worker.off("message", listen);
        worker.off("error", fail);
        worker.off("exit", exit);
        worker.unref();
      };
      const fail = (error: unknown): void => {
        settle();
        this.#worker = undefined;
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const exit = (): void => fail(new PolluxError("keep-failed", "The ingest thread ended."));
      const listen = (message: IngestAnswer): void => {
        if (message.kind === "progress") return progress?.(message.progress);
        settle();
        if (message.kind === "done") return resolve(message);
        reject(errorFrom(message));
      };
      worker.on("message", listen);
      worker.once("error", fail);
      worker.once("exit", exit);
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      worker.postMessage(request);
    });
  }

  #begin(): Worker {
    const { script, location } = this.#place;
    const threads = process.getBuiltinModule("node:worker_threads");
    const workerData = { role: "ingest", location };
    return new threads.Worker(script, { workerData, resourceLimits: THREAD_LIMITS });
  }
}

type Done = Extract<IngestAnswer, { kind: "done" }>;
