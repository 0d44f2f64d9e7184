import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { MessagePort, Worker } from "node:worker_threads";
import { PolluxError } from "../core/error.ts";
import type { KeptRoot } from "../core/kept.ts";
import type { Changed } from "./changed.ts";
import type { StoreOptions } from "./store.ts";
import type { TookIn } from "./ingest-report.ts";

/** Files of one session. */
export interface ChangedGroup {
  key: string;
  group: Changed[];
}

/** What a second thread is told. */
export interface Share {
  archive: string;
  root: KeptRoot;
  source: string;
  options: StoreOptions;
  groups: ChangedGroup[];
}

/** What comes of it. */
export interface ShareDone {
  took: TookIn;
  sessions: number;
  hasUnsureProject: boolean;
  error?: { code: string; message: string; remedy?: string };
}

/** Places in the memory that both threads see. */
export const LOCK = 0;
export const ALIVE = 1;
export const DONE = 2;
export const DONE_KB = 3;
const STOP = 4;
const NEXT = 5;
export const TOLD = 6;
const PLACES = 7;

/** How long a thread may take to begin, and to finish one step; a huge session is one. */
const BEGIN_MS = 15_000;
const STEP_MS = 120_000;
const LEAST_BYTES_PER_MS = 1024;
const STOP_MS = 10_000;

/**
 * Two threads take turns at writing: waiting for one another is quicker than trying again. And each
 * takes the next of what is to be done, so that neither has to wait for the other at the end.
 */
export class Turns {
  /** Numbers of what this thread has taken. */
  readonly claimed: Set<number> = new Set();
  readonly #shared: Int32Array;

  constructor(shared: Int32Array) {
    this.#shared = shared;
  }

  /** What this thread is to do next, of a list that both have in the same order. */
  *share<T>(list: readonly T[]): Generator<T> {
    for (;;) {
      const at = Atomics.add(this.#shared, NEXT, 1);
      const next = list[at];
      if (next === undefined) return;
      this.claimed.add(at);
      yield next;
    }
  }

  /** Whether it is the other thread's turn at the moment. */
  get isTaken(): boolean {
    return Atomics.load(this.#shared, LOCK) === 1;
  }

  take<T>(work: () => T): T {
    if (Atomics.load(this.#shared, STOP) === 1) throw new Stopped();
    // Should the other thread be gone, the database's own lock is still there.
    while (Atomics.compareExchange(this.#shared, LOCK, 0, 1) !== 0) {
      if (Atomics.wait(this.#shared, LOCK, 1, STEP_MS) === "timed-out") break;
    }
    try {
      return work();
    } finally {
      Atomics.store(this.#shared, LOCK, 0);
      Atomics.notify(this.#shared, LOCK, 1);
    }
  }
}

/** There is nobody left who waits for what a thread does. */
class Stopped extends Error {}

let running: Int32Array | undefined;

/**
 * Ends the second thread after the step that it is at, when the first one does not wait for it any
 * more. One that is broken off inside of the database would take the whole process with it.
 */
export function stopSecondThread(): void {
  // One that was never told anything has nothing under way.
  void begun?.worker.terminate();
  begun?.port.close();
  begun = undefined;
  const shared = running;
  running = undefined;
  if (!shared || Atomics.load(shared, DONE) === 1) return;
  Atomics.store(shared, STOP, 1);
  // The first thread may have been stopped in its own turn.
  Atomics.store(shared, LOCK, 0);
  Atomics.notify(shared, LOCK);
  if (Atomics.wait(shared, ALIVE, 0, BEGIN_MS) !== "timed-out") {
    Atomics.wait(shared, DONE, 0, STOP_MS);
  }
}

export interface SecondThread {
  turns: Turns;
  doneBytes(): number;
  /** Waits for its end; nothing when it did not come to one. */
  join(): ShareDone | undefined;
}

/** A thread that has begun, and waits until it is told its share. */
interface Begun {
  worker: Worker;
  shared: Int32Array;
  port: MessagePort;
}

let begun: Begun | undefined;

/** Begins the second thread before it is known what there is to share: that takes it a while. */
export function readySecondThread(): void {
  begun ??= begin();
}

function begin(): Begun | undefined {
  const path = workerPath();
  if (path === undefined || availableParallelism() < 2) return undefined;
  const shared = new Int32Array(new SharedArrayBuffer(PLACES * 4));
  // Loaded when there is a thread to begin: most commands begin none.
  const threads = process.getBuiltinModule("node:worker_threads");
  const { port1, port2 } = new threads.MessageChannel();
  const workerData = { shared, port: port2 };
  const worker = new threads.Worker(path, { workerData, transferList: [port2] });
  worker.unref();
  // What goes wrong in it is told at its end; without an end, its share is done here.
  worker.on("error", () => undefined);
  return { worker, shared, port: port1 };
}

/** Shares the work with another thread, where there is one to be had. */
export function beginShare(share: Share): SecondThread | undefined {
  readySecondThread();
  if (!begun) return undefined;
  const { worker, shared, port } = begun;
  begun = undefined;
  running = shared;
  // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
  port.postMessage(share);
  Atomics.store(shared, TOLD, 1);
  Atomics.notify(shared, TOLD);
  return {
    turns: new Turns(shared),
    doneBytes: () => Atomics.load(shared, DONE_KB) * 1024,
    join() {
      const isDone = waitFor(shared, patienceFor(share));
      running = undefined;
      const { receiveMessageOnPort } = process.getBuiltinModule("node:worker_threads");
      const told = isDone ? receiveMessageOnPort(port) : undefined;
      port.close();
      if (!isDone) void worker.terminate();
      return told?.message as ShareDone | undefined;
    },
  };
}

/** A thread that only takes long must not be ended: it may be inside of the database. */
function patienceFor({ groups }: Pick<Share, "groups">): number {
  const sizes = groups.map(({ group }) => {
    return group.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  });
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  return STEP_MS + Math.ceil(largest / LEAST_BYTES_PER_MS);
}

/** Blocks until the other thread has said that it is done, or shows no sign of life. */
function waitFor(shared: Int32Array, stepMs: number): boolean {
  if (Atomics.wait(shared, ALIVE, 0, BEGIN_MS) === "timed-out") return false;
  for (;;) {
    const before = Atomics.load(shared, DONE_KB);
    if (Atomics.wait(shared, DONE, 0, stepMs) !== "timed-out") return true;
    if (Atomics.load(shared, DONE_KB) === before) return false;
  }
}

/** Built beside the program; not there when the sources run as they are. */
function workerPath(): string | undefined {
  const paths = ["./keep-worker.js", "../keep-worker.js"].map((name) => {
    return fileURLToPath(new URL(name, import.meta.url));
  });
  return paths.find((path) => existsSync(path));
}

export function thrownIn({ error }: ShareDone): PolluxError | undefined {
  if (!error) return undefined;
  const { code, message, remedy } = error;
  return new PolluxError(code, message, remedy === undefined ? {} : { remedy });
}
