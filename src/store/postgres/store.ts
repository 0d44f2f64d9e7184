import type { Annotation, AnnotationChange } from "../../core/session/annotation.ts";
import type { Chain } from "../../core/session/chain.ts";
import { PolluxError } from "../../core/error.ts";
import type { StoredCoverage } from "../../core/files/coverage.ts";
import type { KnownFile, KnownRoot, Version } from "../../core/files/kept.ts";
import type { SessionUnrecorded } from "../../core/session/session.ts";
import type { SessionLocation, SessionRow } from "../../core/rows/session-rows.ts";
import type { SessionWorkRow } from "../../core/rows/session-work.ts";
import { locatedOf } from "../../core/rows/session-rows.ts";
import type { ToolBuckets } from "../../core/rows/tool-fact.ts";
import type { PaidReply, ReplyTimes, UsageBuckets } from "../../core/usage/usage-fact.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { expiringAmong } from "../expiring.ts";
import { forgottenOf } from "../forgotten.ts";
import type {
  AnnotationQuery,
  Batch,
  BucketQuery,
  Care,
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
import { PostgresCare } from "./care.ts";
import { openBytes } from "./bytes/chunks.ts";
import { commitBatch } from "./commit.ts";
import { coverageOf, findLeftovers } from "./reads/coverage.ts";
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
  return new PostgresStore(database, { mode, machine: thisMachine() });
}

function isOfTeam(location: string): PolluxError {
  return new PolluxError("store-of-team", `A team shares ${location}.`, {
    remedy:
      "Send sessions with `pollux sync`; `pollux serve` answers about them. Here, " +
      "`--owner WHO --reason TEXT` shows those of one person.",
  });
}

class PostgresStore implements Store {
  readonly location: string;
  readonly mode: "write" | "read";
  readonly care: Care;
  readonly #database: Database;
  readonly #machine: Machine;
  readonly #dictionaries: Dictionaries;
  readonly #texts: TextWriter;

  constructor(database: Database, { mode, machine }: { mode: Store["mode"]; machine: Machine }) {
    this.location = database.location;
    this.mode = mode;
    this.#database = database;
    this.#machine = machine;
    this.#dictionaries = new Dictionaries(database);
    this.#texts = new TextWriter(database);
    this.care = new PostgresCare({ database, mode, whole: this });
  }

  #mayWrite(): void {
    if (this.mode === "read") throw readOnly(this.location);
  }

  async roots(): Promise<KnownRoot[]> {
    return rootsOf(this.#database, this.#machine);
  }

  async addRoot(root: NewRoot, nowMs: number): Promise<KnownRoot> {
    this.#mayWrite();
    return addRoot(this.#database, this.#machine, { root, nowMs });
  }

  async known(query: KnownQuery): Promise<KnownFile[]> {
    return this.#database.snapshot((connection) => knownFiles(connection, query));
  }

  async bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): Promise<ByteSource> {
    return openBytes(this.#database, file);
  }

  async versions(fileId: number): Promise<Version[]> {
    return versionsOf(this.#database, fileId);
  }

  async commit(batch: Batch): Promise<Committed | "outdated"> {
    this.#mayWrite();
    return commitBatch(this.#database, this.#dictionaries, batch);
  }

  async unread(): Promise<number[]> {
    return unreadFiles(this.#database);
  }

  async indexTexts(batch: readonly SessionTexts[]): Promise<void> {
    this.#mayWrite();
    await this.#texts.put(batch);
  }

  async withoutTexts(limit: number): Promise<TextRequest[]> {
    const sql = `SELECT source, id, revision FROM sessions WHERE NOT is_indexed
      ORDER BY newest, id, source LIMIT $1`;
    return this.#database.all<TextRequest>(sql, [limit]);
  }

  async annotate(changes: readonly AnnotationChange[], nowMs: number): Promise<void> {
    this.#mayWrite();
    await this.#database.write((connection) => annotate(connection, changes, nowMs));
  }

  async annotations(query: AnnotationQuery): Promise<Annotation[]> {
    return annotationsOf(this.#database, query);
  }

  async forget(selection: ForgetSelection): Promise<void> {
    this.#mayWrite();
    await forget(this.#database, selection);
  }

  async forgotten(): Promise<Forgotten> {
    const sql = "SELECT kind, key FROM forgotten";
    const rows = await this.#database.all<{ kind: string; key: string }>(sql);
    return forgottenOf(rows);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async sessions(query: SessionQuery): Promise<Page<SessionRow>> {
    return this.#database.snapshot((connection) => sessionPage(connection, query));
  }

  async refs(query: StartQuery): Promise<SessionRef[]> {
    return sessionRefs(this.#database, query);
  }

  async located(query: RefQuery): Promise<SessionLocation[]> {
    return (await this.sessions(query)).items.map(locatedOf);
  }

  async expiring(query: ExpiryQuery): Promise<Expiring> {
    const { scope, filter } = query;
    return expiringAmong(await this.located({ scope, filter, sort: "newest" }), query);
  }

  async usage(query: BucketQuery): Promise<UsageBuckets> {
    return this.#database.snapshot((connection) => sumUsage(connection, query));
  }

  async replies(query: ReplyQuery): Promise<PaidReply[]> {
    return this.#database.snapshot((connection) => findReplies(connection, query));
  }

  async times(query: ScopedFilter): Promise<ReplyTimes> {
    return this.#database.snapshot((connection) => replyTimes(connection, query));
  }

  async unrecorded(query: ScopedFilter): Promise<SessionUnrecorded[]> {
    return this.#database.snapshot((connection) => findUnrecorded(connection, query));
  }

  async tools(query: ToolQuery): Promise<ToolBuckets> {
    return this.#database.snapshot((connection) => sumTools(connection, query));
  }

  async work(sessionIds: readonly string[]): Promise<SessionWorkRow[]> {
    return findWork(this.#database, sessionIds);
  }

  async search(query: TextQuery): Promise<FoundTexts> {
    return this.#database.snapshot((connection) => searchTexts(connection, query));
  }

  async chains(scope: Scope): Promise<Chain[]> {
    return this.#database.snapshot((connection) => findChains(connection, scope));
  }

  async coverage(query: CoverageQuery): Promise<StoredCoverage> {
    return this.#database.snapshot((connection) => coverageOf(connection, query));
  }

  async leftovers(scope: Scope): Promise<Leftover[]> {
    return this.#database.snapshot((connection) => findLeftovers(connection, scope));
  }
}
