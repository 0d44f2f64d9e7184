import type { MessagePort } from "node:worker_threads";
import type { PlainError } from "../../core/error.ts";
import { plainError } from "../../core/error.ts";
import type { RootOrigin } from "../../core/files/kept.ts";
import { optional } from "../../core/optional.ts";
import type { Root, Source } from "../../sources/source.ts";
import type { Store } from "../../store/store.ts";
import type { HelperResult, HelperTask } from "./helper-thread.ts";
import { runHelperTask } from "./helper-thread.ts";
import type { IngestProgress, IngestReport } from "../ingest-report.ts";
import { directIngester } from "./ingester.ts";

/** A request to the ingest thread. Sources are given by id: they cannot be sent between threads. */
export type IngestRequest =
  | {
      kind: "ingest";
      places: { source: string; root: Root }[];
      how: RootOrigin;
      urgent?: ReadonlySet<string>;
    }
  | { kind: "texts" }
  | { kind: "rebuild"; only?: "unread" };

export type IngestAnswer =
  | { kind: "progress"; progress: IngestProgress }
  | { kind: "done"; reports: IngestReport[]; count: number }
  | ({ kind: "failed" } & PlainError);

/** What a thread needs; supplied by the program that starts it. */
export interface ThreadContext {
  script: string;
  sources: readonly Source[];
  clock: () => number;
  open: (location: string) => Promise<Store>;
}

/** Serves the helper thread: one task after the other, until the thread is terminated. */
export function serveHelper(port: MessagePort, context: ThreadContext): void {
  port.on("message", (task: HelperTask) => {
    void runHelperTask(task, context).then(
      (result) => port.postMessage(result),
      () => port.postMessage({ kind: "failed" } satisfies HelperResult),
    );
  });
}

/** Serves the ingest thread: one request after the other, on one store. */
export function serveIngest(port: MessagePort, location: string, context: ThreadContext): void {
  let store: Promise<Store> | undefined;
  let last: Promise<void> = Promise.resolve();
  const answer = async (request: IngestRequest): Promise<void> => {
    try {
      store ??= context.open(location);
      port.postMessage(await perform(request, { store: await store, port, location, context }));
    } catch (error) {
      port.postMessage(failureOf(error));
    }
  };
  const end = async (): Promise<void> => {
    await (await store?.catch(() => undefined))?.close();
    port.close();
  };
  port.on("message", (request: IngestRequest | "close") => {
    last = last.then(() => (request === "close" ? end() : answer(request)));
  });
}

interface Serving {
  store: Store;
  port: MessagePort;
  location: string;
  context: ThreadContext;
}

/** Minimum time between progress messages, so that they do not keep the listener busy. */
const PROGRESS_MS = 50;

async function perform(request: IngestRequest, serving: Serving): Promise<IngestAnswer> {
  const { store, port, location, context } = serving;
  const { sources, clock, script } = context;
  const ingester = directIngester(store, { sources, clock, helper: { script, location } });
  let reportedMs = 0;
  const progress = (now: IngestProgress): void => {
    const isLast = now.doneFiles === now.totalFiles;
    if (!isLast && clock() - reportedMs < PROGRESS_MS) return;
    reportedMs = clock();
    port.postMessage({ kind: "progress", progress: now } satisfies IngestAnswer);
  };
  switch (request.kind) {
    case "ingest": {
      const places = request.places.flatMap(({ source: id, root }) => {
        const source = sources.find((candidate) => candidate.id === id);
        return source ? [{ source, root }] : [];
      });
      const { how, urgent } = request;
      const options = { places, how, progress, ...optional("urgent", urgent) };
      const reports = await ingester.ingest(options);
      return { kind: "done", reports, count: reports.length };
    }
    case "texts":
      return { kind: "done", reports: [], count: await ingester.indexTexts() };
    case "rebuild": {
      const options = { progress, ...optional("only", request.only) };
      return { kind: "done", reports: [], count: await ingester.rebuild(options) };
    }
    default:
      return request satisfies never;
  }
}

function failureOf(error: unknown): IngestAnswer {
  return { kind: "failed", ...plainError(error, "keep-failed") };
}
