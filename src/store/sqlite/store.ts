import { setImmediate as nextTurn } from "node:timers/promises";
import type { Annotation, AnnotationChange } from "../../core/session/annotation.ts";
import type { Chain } from "../../core/session/chain.ts";
import type { StoredCoverage } from "../../core/files/coverage.ts";
import type { KnownFile, KnownRoot, Version } from "../../core/files/kept.ts";
import type { SessionUnrecorded } from "../../core/session/session.ts";
import type { SessionLocation, SessionRow } from "../../core/rows/session-rows.ts";
import type { SessionWorkRow } from "../../core/rows/session-work.ts";
import type { ToolBuckets } from "../../core/rows/tool-fact.ts";
import type { PaidReply, ReplyTimes, UsageBuckets } from "../../core/usage/usage-fact.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { forgottenOf } from "../forgotten.ts";
import type {
  AnnotationQuery,
  Batch,
  BucketQuery,
  Committed,
  CoverageQuery,
  Expiring,
  ExpiryQuery,
  ForgetSelection,
  Forgotten,
  FoundTexts,
  KnownQuery,
  Leftover,
  NewRoot,
  Page,
  RefQuery,
  ReplyQuery,
  Scope,
  ScopedFilter,
  SessionQuery,
  SessionRef,
  SessionTexts,
  StartQuery,
  Store,
  TextQuery,
  TextRequest,
  ToolQuery,
} from "../store.ts";
import { annotate, annotationsOf } from "./annotations.ts";
import { SqliteCare } from "./care.ts";
import { findChains } from "./reads/chains.ts";
import { ChunkIsGone, Chunks } from "./bytes/chunks.ts";
import { commitBatch } from "./commit.ts";
import { Coverages, leftoversOf } from "./reads/coverage.ts";
import type { Database } from "./database.ts";
import { openDerived } from "./derived/derived.ts";
import { listExpiring } from "./reads/expiring.ts";
import { forget } from "./forget.ts";
import { Outdated, SqliteKeptFiles } from "./bytes/kept-files.ts";
import { listLocated, listRefs, listSessions } from "./reads/list-sessions.ts";
import { openDatabase } from "./open.ts";
import { isNotWritable, openToRead } from "./open-to-read.ts";
import { findReplies, replyTimes, unrecordedUsage } from "./reads/replies.ts";
import { Texts } from "./texts/texts.ts";
import { sumTools } from "./reads/tools.ts";
import { sumUsage } from "./reads/usage.ts";
import { findWork } from "./reads/work.ts";

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

function storeIn(database: Database, reader: number): Store {
  try {
    openDerived(database, reader);
    return new SqliteStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * One file holds bytes and rows, a second one the text index. SQLite calls are synchronous: after
 * each step of long work, the store yields to the event loop (Ctrl-C, messages).
 */
class SqliteStore implements Store {
  readonly location: string;
  readonly mode: Store["mode"];
  readonly care: SqliteCare;
  readonly #database: Database;
  readonly #files: SqliteKeptFiles;
  readonly #texts: Texts;
  readonly #coverages: Coverages;

  constructor(database: Database) {
    const chunks = new Chunks(database);
    this.location = database.path;
    this.mode = database.access === "write" ? "write" : "read";
    this.#database = database;
    this.#files = new SqliteKeptFiles(database, chunks);
    this.#texts = new Texts(database);
    this.#coverages = new Coverages(database);
    this.care = new SqliteCare(database, chunks, { files: this.#files, texts: this.#texts });
  }

  async roots(): Promise<KnownRoot[]> {
    return this.#files.roots();
  }

  async addRoot(root: NewRoot, nowMs: number): Promise<KnownRoot> {
    return this.#files.addRoot(root, nowMs);
  }

  async known(query: KnownQuery): Promise<KnownFile[]> {
    return this.#files.known(query);
  }

  async bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): Promise<ByteSource> {
    return this.#files.bytes(file);
  }

  async versions(fileId: number): Promise<Version[]> {
    return this.#files.versions(fileId);
  }

  async commit(batch: Batch): Promise<Committed | "outdated"> {
    // Compress before the transaction: it takes longest, and other writers are not blocked.
    const ready = batch.files.map((change) => this.#files.prepare(change));
    try {
      const committed = commitBatch(this.#database, this.#files, { ...batch, ready });
      if (batch.dropped.length > 0) this.#texts.drop(batch.dropped);
      await nextTurn();
      return committed;
    } catch (error) {
      if (error instanceof Outdated || error instanceof ChunkIsGone) return "outdated";
      throw error;
    }
  }

  async unread(): Promise<number[]> {
    return this.#files.unread();
  }

  async indexTexts(batch: readonly SessionTexts[]): Promise<void> {
    this.#texts.index(batch);
    await nextTurn();
  }

  async withoutTexts(limit: number): Promise<TextRequest[]> {
    return this.#texts.missing(limit);
  }

  async annotate(changes: readonly AnnotationChange[], nowMs: number): Promise<void> {
    annotate(this.#database, changes, nowMs);
  }

  async annotations(query: AnnotationQuery): Promise<Annotation[]> {
    return annotationsOf(this.#database, query);
  }

  async forget(selection: ForgetSelection): Promise<void> {
    this.#texts.forget(selection.sessions);
    forget(this.#database, selection);
  }

  async forgotten(): Promise<Forgotten> {
    type Row = { kind: string; key: string };
    const rows = this.#database.all<Row>("SELECT kind, key FROM forgotten");
    return forgottenOf(rows);
  }

  async close(): Promise<void> {
    this.#texts.close();
    this.#database.close();
  }

  async sessions(query: SessionQuery): Promise<Page<SessionRow>> {
    return this.#database.read(() => listSessions(this.#database, query));
  }

  async refs(query: StartQuery): Promise<SessionRef[]> {
    return listRefs(this.#database, query);
  }

  async located(query: RefQuery): Promise<SessionLocation[]> {
    return this.#database.read(() => listLocated(this.#database, query));
  }

  async expiring(query: ExpiryQuery): Promise<Expiring> {
    return this.#database.read(() => listExpiring(this.#database, query));
  }

  async usage(query: BucketQuery): Promise<UsageBuckets> {
    return this.#database.read(() => sumUsage(this.#database, query));
  }

  async replies(query: ReplyQuery): Promise<PaidReply[]> {
    return this.#database.read(() => findReplies(this.#database, query));
  }

  async times(query: ScopedFilter): Promise<ReplyTimes> {
    return this.#database.read(() => replyTimes(this.#database, query));
  }

  async unrecorded(query: ScopedFilter): Promise<SessionUnrecorded[]> {
    return unrecordedUsage(this.#database, query);
  }

  async tools(query: ToolQuery): Promise<ToolBuckets> {
    return this.#database.read(() => sumTools(this.#database, query));
  }

  async work(sessionIds: readonly string[]): Promise<SessionWorkRow[]> {
    return findWork(this.#database, sessionIds);
  }

  async search(query: TextQuery): Promise<FoundTexts> {
    return this.#texts.search(query);
  }

  async chains(scope: Scope): Promise<Chain[]> {
    return this.#database.read(() => findChains(this.#database, scope));
  }

  async coverage(query: CoverageQuery): Promise<StoredCoverage> {
    return this.#database.read(() => this.#coverages.of(query));
  }

  async leftovers(scope: Scope): Promise<Leftover[]> {
    return leftoversOf(this.#database, scope);
  }
}
