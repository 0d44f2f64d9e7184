import { once } from "node:events";
import type { MessagePort, Worker } from "node:worker_threads";
import type { PlainError } from "../../core/error.ts";
import { errorFrom, plainError, PolluxError } from "../../core/error.ts";
import { THREAD_LIMITS } from "../../ingest/threads/helper-thread.ts";
import type { ArchiveAdmin } from "../archive.ts";
import type { Library } from "../library.ts";
import type { OpenOptions } from "../open-options.ts";
import type { Review } from "../review.ts";
import { threadScript } from "./thread-script.ts";

/** Queries that take long in a large store: sums over all of it, and scans of every file. */
export interface LongQueries {
  usage: Library["usage"];
  tools: Library["tools"];
  costs: Review["costs"];
  insights: Review["insights"];
  deletion: ArchiveAdmin["deletion"];
  safety: ArchiveAdmin["safety"];
}

/** Answers in the calling thread. */
export function queryHere(library: Library): LongQueries {
  return {
    usage: (query) => library.usage(query),
    tools: (filter) => library.tools(filter),
    costs: (filter) => library.review.costs(filter),
    insights: (filter) => library.review.insights(filter),
    deletion: (nowMs) => library.archive.deletion(nowMs),
    safety: () => library.archive.safety(),
  };
}

/**
 * Options for the thread, without those that cannot be cloned; it answers from the store as it is.
 */
export type AsideOptions = Omit<
  OpenOptions,
  "sources" | "store" | "refresh" | "clock" | "progress" | "firstKeep" | "remark"
> & { store?: string };

type Question = { name: keyof LongQueries; args: readonly unknown[] };
type Message = Question | "release" | "close";
type Answer = { value: unknown } | { error: PlainError };

function endedEarly(): PolluxError {
  return new PolluxError("no-answer", "The thread that answers ended.");
}

/**
 * Answers in a separate thread, so that the caller stays responsive. The thread gets one query at a
 * time, so that closing waits for at most one.
 */
export class QueryThread implements LongQueries {
  readonly #worker: Worker;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #hasEnded = false;

  /** Undefined if Pollux runs from its sources, without a build. */
  static begin(options: AsideOptions): QueryThread | undefined {
    const script = threadScript();
    return script === undefined ? undefined : new QueryThread(script, options);
  }

  constructor(script: string, options: AsideOptions) {
    const threads = process.getBuiltinModule("node:worker_threads");
    const workerData = { role: "questions", options };
    this.#worker = new threads.Worker(script, { workerData, resourceLimits: THREAD_LIMITS });
    this.#worker.unref();
    // Reported to the pending request.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => (this.#hasEnded = true));
  }

  usage: LongQueries["usage"] = (query) => this.#ask("usage", [query]);
  tools: LongQueries["tools"] = (filter) => this.#ask("tools", [filter]);
  costs: LongQueries["costs"] = (filter) => this.#ask("costs", [filter]);
  insights: LongQueries["insights"] = (filter) => this.#ask("insights", [filter]);
  deletion: LongQueries["deletion"] = (nowMs) => this.#ask("deletion", [nowMs]);
  safety: LongQueries["safety"] = () => this.#ask("safety", []);

  /** The store has changed: makes the next query read again. */
  release(): void {
    this.#post("release");
  }

  /**
   * Waits for the thread to end: terminating it during an SQL statement would crash the process.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#hasEnded) return;
    const ended = once(this.#worker, "exit");
    this.#worker.ref();
    this.#post("close");
    await ended;
  }

  #ask<T>(name: keyof LongQueries, args: readonly unknown[]): Promise<T> {
    const answer = this.#last.then(() => this.#send({ name, args }));
    this.#last = answer.catch(() => undefined);
    return answer as Promise<T>;
  }

  #send(question: Question): Promise<unknown> {
    // No caller waits after closing, so requests stay pending.
    if (this.#isClosed) return new Promise(() => undefined);
    if (this.#hasEnded) return Promise.reject(endedEarly());
    return new Promise((resolve, reject) => {
      const answered = (answer: Answer): void => {
        stopListening();
        if ("value" in answer) resolve(answer.value);
        else reject(errorFrom(answer.error));
      };
      const failed = (error: unknown): void => {
        stopListening();
        reject(errorFrom(plainError(error, "no-answer")));
      };
      const ended = (): void => failed(endedEarly());
      const stopListening = (): void => {
        this.#worker.off("message", answered).off("error", failed).off("exit", ended);
      };
      this.#worker.on("message", answered).on("error", failed).on("exit", ended);
      this.#post(question);
    });
  }

  #post(message: Message): void {
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message);
  }
}

/** The thread's side. */
export function serveQuestions(port: MessagePort, library: Library): void {
  const here: Record<Question["name"], (...args: never[]) => Promise<unknown>> = queryHere(library);
  port.on("message", (message: Message) => {
    if (message === "release") return library.release();
    if (message === "close") return void library.close().then(() => port.close());
    void here[message.name](...(message.args as never[])).then(
      (value) => port.postMessage({ value } satisfies Answer),
      (error: unknown) =>
        port.postMessage({ error: plainError(error, "no-answer") } satisfies Answer),
    );
  });
}
