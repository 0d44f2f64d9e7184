import type { Annotation, AnnotationChange } from "../../core/session/annotation.ts";
import type { Chain } from "../../core/session/chain.ts";
import type { StoredCoverage } from "../../core/files/coverage.ts";
import type { KnownFile, KnownRoot, Version } from "../../core/files/kept.ts";
import type { LinkedSession, LinkedSessions } from "../../core/session/links.ts";
import { keyOf, linkSessions } from "../../core/session/links.ts";
import type { SessionUnrecorded } from "../../core/session/session.ts";
import type { SessionLocation, SessionRow, SessionRows } from "../../core/rows/session-rows.ts";
import { locatedOf } from "../../core/rows/session-rows.ts";
import type { SessionWorkRow } from "../../core/rows/session-work.ts";
import type { ToolBuckets } from "../../core/rows/tool-fact.ts";
import type { PaidReply, ReplyTimes, UsageBuckets } from "../../core/usage/usage-fact.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { expiringAmong } from "../expiring.ts";
import { stateOf, withFileStates } from "../file-state.ts";
import { forgottenKey, forgottenOf } from "../forgotten.ts";
import { withAnnotations, withOwnTitle } from "../annotated-rows.ts";
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
  Store,
  TextQuery,
  TextRequest,
  ToolQuery,
} from "../store.ts";
import { Annotations } from "./annotations.ts";
import { MemoryCare } from "./care.ts";
import { coverageOf, leftoversIn } from "./coverage.ts";
import type { OpenBytes } from "./kept.ts";
import { KeptFiles } from "./kept.ts";
import { findReplies } from "./replies.ts";
import { searchTexts } from "./search.ts";
import { inProject, pageOf, refsOf, unrecordedOf } from "./sessions.ts";
import { sumTools } from "./tools.ts";
import { sumUsage, timesOf } from "./usage.ts";
import { workRows } from "./work.ts";

/** With `bytes`, file contents are not held in memory but opened on demand. */
export function memoryStore({ bytes }: { bytes?: OpenBytes } = {}): Store {
  return new MemoryStore(bytes);
}

/**
 * The plain store: holds everything in memory and scans all of it for each query. Tests compare the
 * other stores with it.
 */
class MemoryStore implements Store {
  readonly location = "memory";
  readonly mode = "write";
  readonly care: Care;
  readonly #kept: KeptFiles;
  readonly #sessions = new Map<string, SessionRows>();
  readonly #texts = new Map<string, SessionTexts>();
  /** Sessions whose rows are newer than their indexed texts, with the revision of the rows. */
  readonly #unindexed = new Map<string, number>();
  #revision = 0;
  /** Texts received so far of sessions that are indexed in several calls. */
  readonly #unfinished = new Map<string, SessionTexts["pieces"]>();
  readonly #rootDiagnostics = new Map<number, StoredCoverage["diagnostics"]>();
  readonly #forgotten = new Set<string>();
  readonly #annotations = new Annotations();
  #linked: LinkedSessions | undefined;

  constructor(open: OpenBytes | undefined) {
    this.#kept = new KeptFiles(open);
    this.care = new MemoryCare(this.#kept, {
      counts: () => ({ sessions: this.#sessions.size, texts: this.#texts.size }),
      clear: () => this.#clear(),
    });
  }

  async roots(): Promise<KnownRoot[]> {
    return this.#kept.roots.map((root) => ({ ...root }));
  }

  async addRoot(root: NewRoot, nowMs: number): Promise<KnownRoot> {
    return this.#kept.addRoot(root, nowMs);
  }

  async known(query: KnownQuery): Promise<KnownFile[]> {
    return this.#kept.known(query);
  }

  async bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): Promise<ByteSource> {
    return this.#kept.bytes(file);
  }

  async versions(fileId: number): Promise<Version[]> {
    return this.#kept.versions(fileId);
  }

  async unread(): Promise<number[]> {
    return this.#kept.unread();
  }

  async commit(batch: Batch): Promise<Committed | "outdated"> {
    const gathered = this.#kept.gather(batch.files);
    if (batch.files.some((change) => this.#kept.isOutdated(change))) return "outdated";
    const files = batch.files.map((change) => {
      return this.#kept.apply(change, batch.nowMs, gathered.get(change));
    });
    for (const reading of batch.readings) this.#kept.read(reading);
    for (const rows of batch.sessions) {
      const key = keyOf(rows.summary.source, rows.summary.id);
      this.#sessions.set(key, rows);
      this.#unindexed.set(key, (this.#revision += 1));
    }
    for (const { source, id } of batch.dropped) this.#drop(keyOf(source, id));
    for (const { source, id, project } of batch.renamed ?? []) {
      const rows = this.#sessions.get(keyOf(source, id));
      if (rows) this.#sessions.set(keyOf(source, id), inProject(rows, project));
    }
    for (const { rootId, diagnostics, snapshot } of batch.comparisons ?? []) {
      const root = this.#kept.roots.find(({ id }) => id === rootId);
      if (!root) continue;
      root.lookedMs = batch.nowMs;
      if (snapshot === undefined) delete root.snapshot;
      else root.snapshot = snapshot;
      this.#rootDiagnostics.set(rootId, diagnostics);
    }
    this.#linked = undefined;
    return { files: new Map(files.map(({ path, id }) => [path, id])) };
  }

  #drop(key: string): void {
    this.#sessions.delete(key);
    this.#texts.delete(key);
    this.#unindexed.delete(key);
  }

  #clear(): void {
    for (const key of this.#sessions.keys()) this.#drop(key);
    this.#kept.readings.clear();
    this.#linked = undefined;
  }

  async indexTexts(batch: readonly SessionTexts[]): Promise<void> {
    for (const texts of batch) {
      const key = keyOf(texts.source, texts.id);
      if (!this.#sessions.has(key)) continue;
      const before = this.#unfinished.get(key) ?? [];
      const pieces = [...before, ...texts.pieces];
      if (texts.more) {
        this.#unfinished.set(key, pieces);
        continue;
      }
      this.#unfinished.delete(key);
      this.#texts.set(key, { ...texts, pieces });
      const newest = this.#unindexed.get(key);
      if ((texts.revision ?? newest) === newest) this.#unindexed.delete(key);
    }
  }

  async withoutTexts(limit: number): Promise<TextRequest[]> {
    const sessions = [...this.#unindexed.keys()].flatMap((key) => this.#sessions.get(key) ?? []);
    const { items } = pageOf(sessions, { scope: "own", filter: {}, sort: "newest", limit });
    return items.map(({ summary: { source, id } }) => {
      return { source, id, revision: this.#unindexed.get(keyOf(source, id)) ?? 0 };
    });
  }

  async annotate(changes: readonly AnnotationChange[], nowMs: number): Promise<void> {
    this.#annotations.change(changes, nowMs);
    this.#linked = undefined;
  }

  async annotations({ sessionIds }: AnnotationQuery): Promise<Annotation[]> {
    return this.#annotations.list(sessionIds);
  }

  async forget({ files, sessions, paths }: ForgetSelection): Promise<void> {
    this.#kept.forget(files);
    for (const { source, id } of sessions) {
      this.#drop(keyOf(source, id));
      this.#forgotten.add(`session ${forgottenKey({ source, id })}`);
      this.#annotations.forget(source, id);
    }
    for (const path of paths) this.#forgotten.add(`file ${path}`);
    this.#linked = undefined;
  }

  async forgotten(): Promise<Forgotten> {
    const notes = [...this.#forgotten].map((note) => note.split(/ (.*)/s));
    return forgottenOf(notes.map(([kind = "", key = ""]) => ({ kind, key })));
  }

  async close(): Promise<void> {
    // Nothing to close.
  }

  #links(): LinkedSessions {
    if (this.#linked) return this.#linked;
    const known = this.#kept.known({ replaced: "with" });
    const states = new Map(known.map((file) => [file.path, stateOf(file)]));
    const { sessions, chains } = linkSessions(
      [...this.#sessions.values()].map((rows) => {
        return { ...rows, ...withFileStates(rows, (path) => states.get(path)) };
      }),
    );
    this.#linked = { sessions: withAnnotations(sessions, this.#annotations.list()), chains };
    return this.#linked;
  }

  /** A reply's owner is determined among all sessions, whatever the scope. */
  #in(scope: Scope): LinkedSession[] {
    const { sessions } = this.#links();
    if (scope === "own") return sessions;
    const roots = new Set(
      this.#kept.roots
        .filter(({ id }) => scope.includes(id))
        .map(({ source, path }) => keyOf(source, path)),
    );
    return sessions.filter(({ session }) =>
      session.files.some(({ root }) => roots.has(keyOf(session.source, root))),
    );
  }

  async sessions(query: SessionQuery): Promise<Page<SessionRow>> {
    return pageOf(this.#in(query.scope).map(withOwnTitle), query);
  }

  async refs(query: SessionQuery): Promise<SessionRef[]> {
    return refsOf(this.#in(query.scope).map(withOwnTitle), query);
  }

  async located(query: RefQuery): Promise<SessionLocation[]> {
    return (await this.sessions(query)).items.map(locatedOf);
  }

  async expiring(query: ExpiryQuery): Promise<Expiring> {
    const { scope, filter } = query;
    return expiringAmong(await this.located({ scope, filter, sort: "newest" }), query);
  }

  async usage(query: BucketQuery): Promise<UsageBuckets> {
    return sumUsage(this.#in(query.scope), query);
  }

  async replies(query: ReplyQuery): Promise<PaidReply[]> {
    return findReplies(this.#in(query.scope), query);
  }

  async times({ scope, filter }: ScopedFilter): Promise<ReplyTimes> {
    return timesOf(this.#in(scope), filter);
  }

  async unrecorded({ scope, filter }: ScopedFilter): Promise<SessionUnrecorded[]> {
    return unrecordedOf(this.#in(scope), filter);
  }

  async tools(query: ToolQuery): Promise<ToolBuckets> {
    return sumTools(this.#in(query.scope), query);
  }

  async work(sessionIds: readonly string[]): Promise<SessionWorkRow[]> {
    return workRows(this.#in("own"), sessionIds, {
      rowsOf: (key) => this.#sessions.get(key),
      workOf: (key) => (this.#unindexed.has(key) ? undefined : this.#texts.get(key)?.work),
    });
  }

  async search(query: TextQuery): Promise<FoundTexts> {
    const texts = [...this.#texts.values()];
    return searchTexts({ sessions: this.#in(query.scope), texts }, query);
  }

  async chains(scope: Scope): Promise<Chain[]> {
    const ids = new Set(this.#in(scope).map(({ summary }) => summary.id));
    return this.#links().chains.filter(({ sessionIds }) => sessionIds.some((id) => ids.has(id)));
  }

  async coverage(query: CoverageQuery): Promise<StoredCoverage> {
    const sessions = this.#in(query.scope);
    return coverageOf({ kept: this.#kept, sessions, diagnostics: this.#rootDiagnostics }, query);
  }

  async leftovers(scope: Scope): Promise<Leftover[]> {
    return leftoversIn(this.#kept, scope);
  }
}
