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
import type { IngestContext, GroupsResult } from "../ingest-groups.ts";
import { GroupIngester } from "../ingest-groups.ts";

export interface ThreadConfig {
  /** The built file that a thread runs. */
  script: string;
  /** Location of the store. */
  location: string;
}

/** Work shared with a second thread; both claim items from the same list. */
export type HelperTask = { location: string; shared: Int32Array } & (
  | { kind: "groups"; source: string; groups: GroupFile[][] }
  | { kind: "texts"; groups: TextGroup[] }
);

export type HelperResult =
  | { kind: "groups"; result: GroupsResult; reports: [rootId: number, report: IngestReport][] }
  | { kind: "texts" }
  | { kind: "failed" };

/**
 * Size of the young generation. With V8's default each thread takes 50 MB more and is no quicker.
 */
export const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 8 };

/** Indexes into the shared memory. */
const NEXT = 0;
const DONE_KB = 1;
const DONE_FILES = 2;

export function newShared(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Yields the items that this thread claims from a list that both threads have in the same order.
 */
export function* claim<T>(list: readonly T[], shared: Int32Array): Generator<T> {
  for (;;) {
    const next = list[Atomics.add(shared, NEXT, 1)];
    if (next === undefined) return;
    yield next;
  }
}

/** Progress of the helper thread. */
export function helperProgress(shared: Int32Array): { files: number; bytes: number } {
  return { files: Atomics.load(shared, DONE_FILES), bytes: Atomics.load(shared, DONE_KB) * 1024 };
}

/** Runs a task inside the helper thread. */
export async function runHelperTask(
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
  const work: IngestContext = {
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
  const ingester = new GroupIngester(work);
  for (const group of claim(groups, shared)) await ingester.ingest(group);
  await ingester.flush();
  return { kind: "groups", result: ingester.result, reports: [...reports] };
}

/** A second thread. Started early, before its work is known, because starting takes a while. */
export class HelperThread {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Returns undefined on a machine with one processor. */
  static begin({ script }: ThreadConfig): HelperThread | undefined {
    if (availableParallelism() < 2) return undefined;
    // Loaded lazily: most commands start no thread.
    const threads = process.getBuiltinModule("node:worker_threads");
    const workerData = { role: "helper" };
    const worker = new threads.Worker(script, { workerData, resourceLimits: THREAD_LIMITS });
    worker.unref();
    return new HelperThread(worker);
  }

  /** Never rejects: any error in the thread becomes a "failed" result. */
  run(task: HelperTask): Promise<HelperResult> {
    // One task at a time: listeners of the previous task are no longer needed.
    this.#worker.removeAllListeners();
    return new Promise((resolve) => {
      const fail = (): void => resolve({ kind: "failed" });
      this.#worker.once("message", resolve);
      this.#worker.once("error", fail);
      this.#worker.once("exit", fail);
      this.#worker.ref();
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
