import { availableParallelism } from "node:os";
import type { ResourceLimits, Worker } from "node:worker_threads";
import type { Source } from "../../sources/source.ts";
import type { Store } from "../../store/store.ts";
import type { GroupFile } from "../group-files.ts";
import type { TextGroup } from "../texts/index-texts.ts";
import { indexGroups } from "../texts/index-texts.ts";
import type { IngestReport } from "../ingest-report.ts";
import { emptyReport } from "../ingest-report.ts";
import { storedHomes } from "../companions/stored-companions.ts";
import type { IngestWork, TakenGroups } from "../take-groups.ts";
import { GroupTaker } from "../take-groups.ts";

/** Where a thread is begun, and what it works on. */
export interface ThreadPlace {
  /** The built file that a thread runs. */
  script: string;
  /** Where the store lies. */
  location: string;
}

/** A share of the work for a second thread; both take the next of one list. */
export type HelperTask = { location: string; shared: Int32Array } & (
  | { kind: "groups"; source: string; groups: GroupFile[][] }
  | { kind: "texts"; groups: TextGroup[] }
);

export type HelperResult =
  | { kind: "groups"; taken: TakenGroups; reports: [rootId: number, report: IngestReport][] }
  | { kind: "texts" }
  | { kind: "failed"; message: string };

/**
 * What is made and thrown away at once takes turns in halves of this size; the engine's own choice
 * makes each thread take 50 MB more, and is no quicker.
 */
export const YOUNG: ResourceLimits = { maxYoungGenerationSizeMb: 8 };

/** Places in the memory that both threads see. */
const NEXT = 0;
const DONE_KB = 1;
const DONE_FILES = 2;

export function newShared(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** What this thread is to do next, of a list that both have in the same order. */
export function* claim<T>(list: readonly T[], shared: Int32Array): Generator<T> {
  for (;;) {
    const next = list[Atomics.add(shared, NEXT, 1)];
    if (next === undefined) return;
    yield next;
  }
}

/** How far the helper is. */
export function helperProgress(shared: Int32Array): { files: number; bytes: number } {
  return { files: Atomics.load(shared, DONE_FILES), bytes: Atomics.load(shared, DONE_KB) * 1024 };
}

/** What a helper does, inside of its thread. */
export async function help(
  task: HelperTask,
  context: {
    sources: readonly Source[];
    clock: () => number;
    open: (location: string) => Promise<Store>;
  },
): Promise<HelperResult> {
  const store = await context.open(task.location);
  try {
    if (task.kind === "groups") return await helpWithGroups(store, task, context);
    await indexGroups(store, claim(task.groups, task.shared), { sources: context.sources });
    return { kind: "texts" };
  } finally {
    await store.close();
  }
}

async function helpWithGroups(
  store: Store,
  { source: id, groups, shared }: HelperTask & { kind: "groups" },
  { sources, clock }: { sources: readonly Source[]; clock: () => number },
): Promise<HelperResult> {
  const source = sources.find((candidate) => candidate.id === id);
  if (!source) throw new RangeError(`There is no source ${id}.`);
  const homes = await storedHomes(store, [source]);
  const reports = new Map(homes.map(({ root }) => [root.id, emptyReport(root.path)]));
  const work: IngestWork = {
    store,
    source,
    clock,
    homes: new Map(homes.map((home) => [home.root.id, home])),
    forgotten: await store.forgotten(),
    reports,
    advance(files, bytes) {
      Atomics.add(shared, DONE_FILES, files);
      Atomics.add(shared, DONE_KB, Math.ceil(bytes / 1024));
    },
  };
  const taker = new GroupTaker(work);
  for (const group of claim(groups, shared)) await taker.take(group);
  await taker.flush();
  return { kind: "groups", taken: taker.taken, reports: [...reports] };
}

/** A second thread, begun before it is known what there is to share: that takes it a while. */
export class HelperThread {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Nothing, where there is one processor. */
  static begin({ script }: ThreadPlace): HelperThread | undefined {
    if (availableParallelism() < 2) return undefined;
    // Loaded when there is a thread to begin: most commands begin none.
    const threads = process.getBuiltinModule("node:worker_threads");
    const workerData = { role: "helper" };
    const worker = new threads.Worker(script, { workerData, resourceLimits: YOUNG });
    worker.unref();
    return new HelperThread(worker);
  }

  /** Whatever goes wrong in it is told as its result. */
  run(task: HelperTask): Promise<HelperResult> {
    // One task at a time: who waited for the one before has heard of it.
    this.#worker.removeAllListeners();
    return new Promise((resolve) => {
      const fail = (reason: unknown): void => {
        resolve({
          kind: "failed",
          message: reason instanceof Error ? reason.message : String(reason),
        });
      };
      this.#worker.once("message", resolve);
      this.#worker.once("error", fail);
      this.#worker.once("exit", () => fail("The thread ended."));
      this.#worker.ref();
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
