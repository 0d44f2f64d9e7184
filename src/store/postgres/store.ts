import { PolluxError } from "../../core/error.ts";
import { summaryPage } from "../reads.ts";
import { locatedOf } from "../../core/rows/session-rows.ts";
import { expiringAmong } from "../expiring.ts";
import { forgottenOf } from "../forgotten.ts";
import type { Reads, Store, TextRequest } from "../store.ts";
import { annotate, annotationsOf } from "./annotations.ts";
import { careOf } from "./care.ts";
import { openBytes } from "./bytes/chunks.ts";
import { commitBatch } from "./commit.ts";
import { coverageOf } from "./reads/coverage.ts";
import { Database } from "./database.ts";
import { Dictionaries } from "./derived/dictionaries.ts";
import { readOnly } from "./errors.ts";
import { addRoot, knownFiles, rootsOf, unreadFiles, versionsOf } from "./files.ts";
import { forget } from "./forget.ts";
import { prepareSchema } from "./migrations.ts";
import { findOutside } from "./bytes/external-bytes.ts";
import { findReplies, replyTimes } from "./reads/replies.ts";
import { searchTexts } from "./reads/search.ts";
import { findChains, findUnrecorded } from "./reads/session-links.ts";
import { sessionPage, sessionRefs } from "./reads/sessions.ts";
import type { Machine } from "./this-machine.ts";
import { thisMachine } from "./this-machine.ts";
import { tenantOf } from "./team/policies.ts";
import { sumTools } from "./reads/tools.ts";
import { sumUsage } from "./reads/usage.ts";
import { findWork } from "./reads/work.ts";
import { TextWriter } from "./derived/write-texts.ts";

export interface PostgresOptions {
  /** Version of the session readers; rows made by an older version are rebuilt. */
  reader: number;
}

/**
 * Opens a store in PostgreSQL 15 or newer: `postgres://user@host/database?schema=NAME`. Creates its
 * tables if they do not exist. With a read-only role, the store is read-only.
 */
export async function openPostgresStore(dsn: string, options: PostgresOptions): Promise<Store> {
  const database = new Database(dsn);
  try {
    const mode = await prepareSchema(database, options);
    if ((await tenantOf(database)) !== undefined) throw isOfTeam(database.location);
    database.outside = await findOutside(database, mode);
    return storeIn(database, { mode });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A store over existing tables: all rows, or those of the person that `database` acts for. */
export function storeIn(database: Database, { mode }: Pick<Store, "mode">): Store {
  const { location } = database;
  const mayWrite = (): void => {
    if (mode === "read") throw readOnly(location);
  };
  const machine = thisMachine();
  const store: Store = {
    location,
    mode,
    ...readsOf(database, machine),
    ...writesOf(database, machine, mayWrite),
    care: careOf(database, { mayWrite, whole: () => store }),
  };
  return store;
}

function isOfTeam(location: string): PolluxError {
  return new PolluxError("store-of-team", `A team shares ${location}.`, {
    remedy:
      "Send sessions with `pollux sync`; `pollux serve` answers about them. Here, " +
      "`--owner WHO --reason TEXT` shows those of one person.",
  });
}

function readsOf(database: Database, machine: Machine): Reads {
  const read = database.snapshot.bind(database);
  const reads: Reads = {
    roots: () => rootsOf(database, machine),
    sessions: (query) => read((connection) => sessionPage(connection, query)),
    summaries: async (query) => summaryPage(await reads.sessions(query)),
    refs: (query) => sessionRefs(database, query),
    located: async (query) => (await reads.sessions(query)).items.map(locatedOf),
    async expiring(query) {
      const { scope, filter } = query;
      return expiringAmong(await reads.located({ scope, filter }), query);
    },
    usage: (query) => read((connection) => sumUsage(connection, query)),
    replies: (query) => read((connection) => findReplies(connection, query)),
    times: (query) => read((connection) => replyTimes(connection, query)),
    unrecorded: (query) => read((connection) => findUnrecorded(connection, query)),
    tools: (query) => read((connection) => sumTools(connection, query)),
    work: (sessionIds) => findWork(database, sessionIds),
    search: (query) => read((connection) => searchTexts(connection, query)),
    chains: (scope) => read((connection) => findChains(connection, scope)),
    coverage: (query) => read((connection) => coverageOf(connection, query)),
    annotations: (query) => annotationsOf(database, query),
  };
  return reads;
}

type Writes = Omit<Store, keyof Reads | "location" | "mode" | "care">;

function writesOf(database: Database, machine: Machine, mayWrite: () => void): Writes {
  const dictionaries = new Dictionaries(database);
  const texts = new TextWriter(database);
  return {
    async addRoot(root, nowMs) {
      mayWrite();
      return addRoot(database, machine, { root, nowMs });
    },
    known: (query) => database.snapshot((connection) => knownFiles(connection, query)),
    bytes: (file) => openBytes(database, file),
    versions: (fileId) => versionsOf(database, fileId),
    unread: () => unreadFiles(database),
    async commit(batch) {
      mayWrite();
      return commitBatch(database, dictionaries, batch);
    },
    async indexTexts(batch) {
      mayWrite();
      await texts.put(batch);
    },
    withoutTexts: () => {
      const sql = `SELECT source, id, revision FROM sessions WHERE NOT is_indexed
        ORDER BY newest, id, source`;
      return database.all<TextRequest>(sql);
    },
    async annotate(changes, nowMs) {
      mayWrite();
      await database.write((connection) => annotate(connection, changes, nowMs));
    },
    async forget(selection) {
      mayWrite();
      await forget(database, selection);
    },
    async forgotten() {
      const sql = "SELECT kind, key FROM forgotten";
      return forgottenOf(await database.all<{ kind: string; key: string }>(sql));
    },
    close: () => database.close(),
  };
}
