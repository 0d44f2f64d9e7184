import type { Worker } from "node:worker_threads";
import { errorFrom, PolluxError } from "../../core/error.ts";
import type { RootOrigin } from "../../core/files/kept.ts";
import { optional } from "../../core/optional.ts";
import type { Source } from "../../sources/source.ts";
import type { Store } from "../../store/store.ts";
import type { SourceRoot } from "../decode.ts";
import type { ThreadConfig } from "./helper-thread.ts";
import { THREAD_LIMITS } from "./helper-thread.ts";
import type { IndexOptions } from "../texts/index-texts.ts";
import { indexTexts } from "../texts/index-texts.ts";
import type { ShareGroups } from "../ingest.ts";
import { ingest } from "../ingest.ts";
import type { IngestProgress, IngestReport } from "../ingest-report.ts";
import { rebuild } from "../rebuild.ts";
import { shareGroups, shareTexts } from "./share-work.ts";
import type { IngestAnswer, IngestRequest } from "./worker.ts";

/** Ingests new files, usually in a thread, so that the caller stays responsive. */
export interface Ingester {
  ingest(request: IngestOptions): Promise<IngestReport[]>;
  /** Indexes the texts of all sessions that are not indexed yet. Returns their number. */
  indexTexts(progress?: OnProgress): Promise<number>;
  /** Makes rows again from kept bytes. Returns the number of sessions. */
  rebuild(options?: { only?: "unread"; progress?: OnProgress }): Promise<number>;
  close(): Promise<void>;
}

interface IngestOptions {
  places: readonly SourceRoot[];
  how: RootOrigin;
  urgent?: ReadonlySet<string>;
  progress?: OnProgress;
}

type OnProgress = (progress: IngestProgress) => void;

/** Ingests in a thread that starts with the first request. */
export function threadIngester(place: ThreadConfig): Ingester {
  return new ThreadIngester(place);
}

export interface DirectOptions {
  sources: readonly Source[];
  clock: () => number;
  /** Where to start a helper thread if there is much work; none by default. */
  helper?: ThreadConfig;
}

/** Ingests in the thread of the caller, for callers with nothing else to do, or without threads. */
export function directIngester(store: Store, { sources, clock, helper }: DirectOptions): Ingester {
  const share = helper && { share: shareWith(helper) };
  return {
    ingest: ({ places, how, urgent, progress }) => {
      const more = { ...optional("urgent", urgent), ...optional("progress", progress) };
      return ingest(store, places, { how, clock, ...more, ...share });
    },
    indexTexts: (progress) => {
      const options: IndexOptions = {
        sources,
        progress: (doneFiles, totalFiles) => {
          const bytes = { doneBytes: 0, totalBytes: 0 };
          progress?.({ work: "indexing", ...bytes, doneFiles, totalFiles });
        },
      };
      return helper ? shareTexts(helper, store, options) : indexTexts(store, options);
    },
    rebuild: (options) => rebuild(store, { sources, clock, ...options, ...share }),
    close: () => Promise.resolve(),
  };
}

function shareWith(helper: ThreadConfig): ShareGroups {
  return (work, groups) => shareGroups(helper, work, groups);
}

class ThreadIngester implements Ingester {
  readonly #place: ThreadConfig;
  #worker: Worker | undefined;
  /** Requests run one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: ThreadConfig) {
    this.#place = place;
  }

  async ingest({ places, how, urgent, progress }: IngestOptions): Promise<IngestReport[]> {
    const named = places.map(({ source, root }) => ({ source: source.id, root }));
    const request = {
      kind: "ingest",
      places: named,
      how,
      urgent: urgent ?? new Set<string>(),
    } as const;
    return (await this.#ask(request, progress)).reports;
  }

  async indexTexts(progress?: OnProgress): Promise<number> {
    return (await this.#ask({ kind: "texts" }, progress)).count;
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

  #ask(request: IngestRequest, progress: OnProgress | undefined): Promise<Done> {
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
