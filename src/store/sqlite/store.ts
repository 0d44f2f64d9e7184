import { setImmediate as nextTurn } from "node:timers/promises";
import { forgottenOf } from "../forgotten.ts";
import type { Reads, Store, Batch } from "../store.ts";
import { annotate, annotationsOf } from "./annotations.ts";
import { careOf } from "./care.ts";
import { findChains } from "./reads/chains.ts";
import { ChunkIsGone, Chunks } from "./bytes/chunks.ts";
import { Coverages } from "./reads/coverage.ts";
import type { Database } from "./database.ts";
import { openDerived } from "./derived/derived.ts";
import { listExpiring } from "./reads/expiring.ts";
import { forget } from "./forget.ts";
import { Outdated, SqliteKeptFiles } from "./bytes/kept-files.ts";
import { listLocated, listRefs, listSessions, listSummaries } from "./reads/list-sessions.ts";
import { openDatabase } from "./open.ts";
import { isNotWritable, openToRead } from "./open-to-read.ts";
import { findReplies, replyTimes, unrecordedUsage } from "./reads/replies.ts";
import { Texts } from "./texts/texts.ts";
import { sumTools } from "./reads/tools.ts";
import { sumUsage } from "./reads/usage.ts";
import { findWork } from "./reads/work.ts";
import { updateDayBuckets } from "./derived/day-buckets.ts";
import type { ReadyChange } from "./bytes/kept-files.ts";
import { putReading } from "./derived/readings.ts";
import { SessionWriter } from "./derived/write-sessions.ts";

/**
 * Opens or creates an archive. `reader` is the version of the session readers: rows made by an
 * older version are deleted and rebuilt from the kept bytes (see `unread`).
 */
export async function openSqliteStore(
  path: string,
  { reader }: { reader: number },
): Promise<Store> {
  const database = openDatabase(path);
  try {
    return storeIn(database, reader);
  } catch (error) {
    // An older reader's rows cannot be rebuilt now, but they can still be read.
    if (database.access !== "write" || !isNotWritable(error)) throw error;
    return storeIn(openToRead(path), reader);
  }
}

/**
 * One file holds bytes and rows, a second one the text index. SQLite calls are synchronous: after
 * each step of long work, the store yields to the event loop (Ctrl-C, messages).
 */
function storeIn(database: Database, reader: number): Store {
  try {
    openDerived(database, reader);
    const chunks = new Chunks(database);
    const files = new SqliteKeptFiles(database, chunks);
    const texts = new Texts(database);
    return {
      location: database.path,
      mode: database.access === "write" ? "write" : "read",
      state: () => database.state,
      ...readsOf(database, files, texts),
      ...writesOf(database, files, texts),
      care: careOf(database, chunks, { files, texts }),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function readsOf(database: Database, files: SqliteKeptFiles, texts: Texts): Reads {
  const coverages = new Coverages(database);
  /** Answers from one state of the database. */
  const read = <Answer>(question: () => Answer): Answer => database.read(question);
  return {
    roots: async () => files.roots(),
    sessions: async (query) => read(() => listSessions(database, query)),
    summaries: async (query) => read(() => listSummaries(database, query)),
    refs: async (query) => listRefs(database, query),
    located: async (query) => read(() => listLocated(database, query)),
    expiring: async (query) => read(() => listExpiring(database, query)),
    usage: async (query) => read(() => sumUsage(database, query)),
    replies: async (query) => read(() => findReplies(database, query)),
    times: async (query) => read(() => replyTimes(database, query)),
    unrecorded: async (query) => unrecordedUsage(database, query),
    tools: async (query) => read(() => sumTools(database, query)),
    work: async (sessionIds) => findWork(database, sessionIds),
    search: async (query) => texts.search(query),
    chains: async (scope) => read(() => findChains(database, scope)),
    coverage: async (query) => read(() => coverages.of(query)),
    annotations: async (query) => annotationsOf(database, query),
  };
}

type Writes = Omit<Store, keyof Reads | "location" | "mode" | "care">;

function writesOf(database: Database, files: SqliteKeptFiles, texts: Texts): Writes {
  return {
    addRoot: async (root, nowMs) => files.addRoot(root, nowMs),
    known: async (query) => files.known(query),
    bytes: async (file) => files.bytes(file),
    versions: async (fileId) => files.versions(fileId),
    unread: async () => files.unread(),
    async commit(batch) {
      // Compress before the transaction: it takes longest, and other writers are not blocked.
      const ready = batch.files.map((change) => files.prepare(change));
      try {
        commitBatch(database, files, { ...batch, ready });
        if (batch.dropped.length > 0) texts.drop(batch.dropped);
        await nextTurn();
        return "done";
      } catch (error) {
        if (error instanceof Outdated || error instanceof ChunkIsGone) return "outdated";
        throw error;
      }
    },
    async indexTexts(batch) {
      texts.index(batch);
      await nextTurn();
    },
    withoutTexts: async () => texts.missing(),
    annotate: async (changes, nowMs) => annotate(database, changes, nowMs),
    async forget(selection) {
      texts.forget(selection.sessions);
      forget(database, selection);
    },
    async forgotten() {
      type Row = { kind: string; key: string };
      return forgottenOf(database.all<Row>("SELECT kind, key FROM forgotten"));
    },
    async close() {
      texts.close();
      database.close();
    },
  };
}

/** Writes a batch in one transaction; its bytes are already compressed. */
function commitBatch(
  database: Database,
  files: SqliteKeptFiles,
  batch: Batch & { ready: readonly ReadyChange[] },
): void {
  database.write(() => {
    for (const change of batch.ready) files.apply(change, batch.nowMs);
    for (const reading of batch.readings) putReading(database, reading);
    const writer = new SessionWriter(database);
    for (const rows of batch.sessions) writer.put(rows);
    for (const session of batch.dropped) writer.drop(session);
    for (const session of batch.renamed ?? []) writer.rename(session, session.project);
    writer.finish();
    for (const comparison of batch.comparisons ?? []) files.looked(comparison, batch.nowMs);
    // Only at the end of a comparison, so that days of many sessions are summed once.
    if (batch.comparisons) updateDayBuckets(database);
  });
}
