import { once } from "node:events";
import type { MessagePort, Worker } from "node:worker_threads";
import type { PlainError } from "../../core/error.ts";
import { errorFrom, plainError, PolluxError } from "../../core/error.ts";
import { THREAD_LIMITS } from "../../ingest/threads/helper-thread.ts";
import { READER_VERSION } from "../../ingest/reader-version.ts";
import type { Reading } from "../../team/ingest-sent.ts";
import { ingestSent } from "../../team/ingest-sent.ts";
import type { Team } from "../../store/team.ts";

type Answer = { error?: PlainError };

/** Reads files sent by a team's machines in a thread, so that requests are answered meanwhile. */
export class ReadingThread {
  readonly #script: string;
  readonly #location: string;
  #worker: Worker | undefined;

  constructor({ script, location }: { script: string; location: string }) {
    this.#script = script;
    this.#location = location;
  }

  /** Reads one person's files; callers must wait for the result before the next call. */
  async read(person: number): Promise<void> {
    const worker = (this.#worker ??= this.#begin());
    const done = new AbortController();
    const { signal } = done;
    try {
      const answer = once(worker, "message", { signal }) as Promise<[Answer]>;
      const ended = once(worker, "exit", { signal }).then(() => {
        throw new PolluxError("keep-failed", "The thread that reads ended.");
      });
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      worker.postMessage(person);
      const [{ error }] = await Promise.race([answer, ended]).catch((failure: unknown) => {
        // The failed thread has ended; the next request starts another one.
        this.#worker = undefined;
        throw failure;
      });
      if (error) throw errorFrom(error);
    } finally {
      done.abort();
    }
  }

  #begin(): Worker {
    const threads = process.getBuiltinModule("node:worker_threads");
    const workerData = { role: "team", location: this.#location };
    const worker = new threads.Worker(this.#script, { workerData, resourceLimits: THREAD_LIMITS });
    worker.unref();
    // Reported by the pending request; if there is none, the next request notices.
    worker.on("error", () => undefined);
    return worker;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** The thread's side. */
export function serveReading(port: MessagePort, location: string, reading: Reading): void {
  let team: Promise<Team> | undefined;
  const open = async (): Promise<Team> => {
    const { openTeam } = await import("../../store/postgres/team/team.ts");
    return openTeam(location, { reader: READER_VERSION });
  };
  port.on("message", (person: number) => {
    team ??= open();
    void team
      .then((opened) => ingestSent(opened, person, reading))
      .then(
        (): Answer => ({}),
        (error): Answer => ({ error: plainError(error, "keep-failed") }),
      )
      .then((answer) => port.postMessage(answer));
    team.catch(() => (team = undefined));
  });
}
