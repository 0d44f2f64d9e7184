import type { MessagePort } from "node:worker_threads";
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { openArchive } from "../store/sqlite/archive.ts";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import { sources } from "../sources/index.ts";
import { archivedHome } from "./archived-home.ts";
import { READER_VERSION } from "./reader-version.ts";
import type { Share, ShareDone } from "./second-thread.ts";
import { ALIVE, DONE, DONE_KB, TOLD, Turns } from "./second-thread.ts";
import { Store } from "./store.ts";
import { takeShare } from "./take-sessions.ts";
import { nothingTaken } from "./ingest-report.ts";

// The second thread of taking in: the same work on a share of the sessions, on its own line.
interface Told {
  shared: Int32Array;
  port: MessagePort;
}

const { shared, port } = workerData as Told;
Atomics.store(shared, ALIVE, 1);
Atomics.notify(shared, ALIVE);
Atomics.wait(shared, TOLD, 0);
port.postMessage(perform(receiveMessageOnPort(port)?.message as Share));
Atomics.store(shared, DONE, 1);
Atomics.notify(shared, DONE);

function perform(share: Share): ShareDone {
  const took = nothingTaken({
    root: { path: share.root.path, because: "", isFound: true },
    files: [],
  });
  const done: ShareDone = { took, sessions: 0, hasUnsureProject: false };
  try {
    const archive = openArchive(share.archive, READER_VERSION);
    const source = sources.find(({ id }) => id === share.source);
    if (!source) return done;
    const { root, options, groups } = share;
    const inside = archivedHome(archive, source, { root, files: archive.files.files(root) });
    const store = new Store(archive, root, options);
    const progress = (bytes: number): void => {
      Atomics.store(shared, DONE_KB, Math.floor(bytes / 1024));
    };
    takeShare({ archive, inside, store, progress, turns: new Turns(shared) }, groups, took);
    archive.close();
    return { ...done, sessions: store.sessions, hasUnsureProject: store.hasUnsureProject };
  } catch (error) {
    const told = error instanceof PolluxError ? error : undefined;
    const message = error instanceof Error ? error.message : String(error);
    const code = told?.code ?? "keep-failed";
    return { ...done, error: { code, message, ...optional("remedy", told?.remedy) } };
  }
}
