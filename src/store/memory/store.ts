import type { AnnotationChange } from "../../core/session/annotation.ts";
import type { StoredCoverage } from "../../core/files/coverage.ts";
import type { LinkedSession, LinkedSessions } from "../../core/session/links.ts";
import { keyOf, linkSessions } from "../../core/session/links.ts";
import type { SessionRows } from "../../core/rows/session-rows.ts";
import { summaryPage } from "../reads.ts";
import { locatedOf } from "../../core/rows/session-rows.ts";
import { withAnnotations, withOwnTitle } from "../annotated-rows.ts";
import { expiringAmong } from "../expiring.ts";
import { stateOf, withFileStates } from "../file-state.ts";
import { forgottenKey, forgottenOf } from "../forgotten.ts";
import type {
  Batch,
  ForgetSelection,
  Forgotten,
  Reads,
  Scope,
  SessionTexts,
  Store,
  TextRequest,
} from "../store.ts";
import { Annotations } from "./annotations.ts";
import { careOf } from "./care.ts";
import { coverageOf } from "./coverage.ts";
import type { OpenBytes } from "./kept.ts";
import { KeptFiles } from "./kept.ts";
import { findReplies } from "./replies.ts";
import { searchTexts } from "./search.ts";
import { inProject, inScope, pageOf, refsOf, unrecordedOf } from "./sessions.ts";
import { sumTools } from "./tools.ts";
import { sumUsage, timesOf } from "./usage.ts";
import { workRows } from "./work.ts";

/**
 * The plain store: holds everything in memory and scans all of it for each query. Tests compare the
 * other stores with it. With `bytes`, file contents are not held in memory but opened on demand.
 */
export function memoryStore({ bytes }: { bytes?: OpenBytes } = {}): Store {
  const kept = new KeptFiles(bytes);
  const rows = new Rows(kept);
  return {
    location: "memory",
    mode: "write",
    ...readsOf(kept, rows),
    addRoot: async (root, nowMs) => kept.addRoot(root, nowMs),
    known: async (query) => kept.known(query),
    bytes: async (file) => kept.bytes(file),
    versions: async (fileId) => kept.versions(fileId),
    unread: async () => kept.unread(),
    commit: async (batch) => rows.commit(batch),
    indexTexts: async (batch) => rows.indexTexts(batch),
    withoutTexts: async () => rows.withoutTexts(),
    annotate: async (changes, nowMs) => rows.annotate(changes, nowMs),
    forget: async (selection) => rows.forget(selection),
    forgotten: async () => rows.forgotten(),
    care: careOf(kept, rows),
    async close() {
      // Nothing to close.
    },
  };
}

function readsOf(kept: KeptFiles, rows: Rows): Reads {
  const reads: Reads = {
    roots: async () => kept.roots.map((root) => ({ ...root })),
    sessions: async (query) => pageOf(rows.in(query.scope).map(withOwnTitle), query),
    summaries: async (query) => summaryPage(await reads.sessions(query)),
    refs: async (query) => refsOf(rows.in(query.scope).map(withOwnTitle), query),
    located: async (query) => (await reads.sessions(query)).items.map(locatedOf),
    async expiring(query) {
      const { scope, filter } = query;
      return expiringAmong(await reads.located({ scope, filter }), query);
    },
    usage: async (query) => sumUsage(rows.in(query.scope), query),
    replies: async (query) => findReplies(rows.in(query.scope), query),
    times: async ({ scope, filter }) => timesOf(rows.in(scope), filter),
    unrecorded: async ({ scope, filter }) => unrecordedOf(rows.in(scope), filter),
    tools: async (query) => sumTools(rows.in(query.scope), query),
    work: async (sessionIds) => workRows(rows.in("own"), sessionIds, rows),
    search: async (query) => {
      return searchTexts({ sessions: rows.in(query.scope), texts: rows.allTexts() }, query);
    },
    async chains(scope) {
      const ids = new Set(rows.in(scope).map(({ summary }) => summary.id));
      return rows.links().chains.filter(({ sessionIds }) => sessionIds.some((id) => ids.has(id)));
    },
    async coverage(query) {
      const { rootDiagnostics: diagnostics } = rows;
      return coverageOf({ kept, sessions: rows.unlinkedIn(query.scope), diagnostics }, query);
    },
    annotations: async ({ sessionIds }) => rows.annotations.list(sessionIds),
  };
  return reads;
}

/** Everything but the bytes. */
class Rows {
  readonly annotations = new Annotations();
  readonly rootDiagnostics = new Map<number, StoredCoverage["diagnostics"]>();
  readonly #kept: KeptFiles;
  readonly #sessions = new Map<string, SessionRows>();
  readonly #texts = new Map<string, SessionTexts>();
  /** Sessions whose rows are newer than their indexed texts, with the revision of the rows. */
  readonly #unindexed = new Map<string, number>();
  #revision = 0;
  /** Texts received so far of sessions that are indexed in several calls. */
  readonly #unfinished = new Map<string, SessionTexts["pieces"]>();
  readonly #forgotten = new Set<string>();
  #linked: LinkedSessions | undefined;

  constructor(kept: KeptFiles) {
    this.#kept = kept;
  }

  commit(batch: Batch): "done" | "outdated" {
    const gathered = this.#kept.gather(batch.files);
    if (batch.files.some((change) => this.#kept.isOutdated(change))) return "outdated";
    for (const change of batch.files) {
      this.#kept.apply(change, batch.nowMs, gathered.get(change));
    }
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
      this.rootDiagnostics.set(rootId, diagnostics);
    }
    this.#linked = undefined;
    return "done";
  }

  #drop(key: string): void {
    this.#sessions.delete(key);
    this.#texts.delete(key);
    this.#unindexed.delete(key);
  }

  counts(): { sessions: number; texts: number } {
    return { sessions: this.#sessions.size, texts: this.#texts.size };
  }

  clear(): void {
    for (const key of this.#sessions.keys()) this.#drop(key);
    this.#kept.readings.clear();
    this.#linked = undefined;
  }

  indexTexts(batch: readonly SessionTexts[]): void {
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

  withoutTexts(): TextRequest[] {
    const sessions = [...this.#unindexed.keys()].flatMap((key) => this.#sessions.get(key) ?? []);
    const { items } = pageOf(sessions, { scope: "own" });
    return items.map(({ summary: { source, id } }) => {
      return { source, id, revision: this.#unindexed.get(keyOf(source, id)) ?? 0 };
    });
  }

  annotate(changes: readonly AnnotationChange[], nowMs: number): void {
    this.annotations.change(changes, nowMs);
    this.#linked = undefined;
  }

  forget({ files, sessions, rows = [], paths }: ForgetSelection): void {
    this.#kept.forget(files);
    for (const { source, id } of rows) this.#drop(keyOf(source, id));
    for (const { source, id } of sessions) {
      this.#drop(keyOf(source, id));
      this.#forgotten.add(`session ${forgottenKey({ source, id })}`);
      this.annotations.forget(source, id);
    }
    for (const path of paths) this.#forgotten.add(`file ${path}`);
    this.#linked = undefined;
  }

  forgotten(): Forgotten {
    const notes = [...this.#forgotten].map((note) => note.split(/ (.*)/s));
    return forgottenOf(notes.map(([kind = "", key = ""]) => ({ kind, key })));
  }

  /** Sessions with the current state of their files. */
  #current(): SessionRows[] {
    const known = this.#kept.known({ replaced: "with" });
    const states = new Map(known.map((file) => [file.path, stateOf(file)]));
    return [...this.#sessions.values()].map((rows) => {
      return { ...rows, ...withFileStates(rows, (path) => states.get(path)) };
    });
  }

  links(): LinkedSessions {
    if (this.#linked) return this.#linked;
    const { sessions, chains } = linkSessions(this.#current());
    this.#linked = { sessions: withAnnotations(sessions, this.annotations.list()), chains };
    return this.#linked;
  }

  /** A reply's owner is determined among all sessions, whatever the scope. */
  in(scope: Scope): LinkedSession[] {
    return inScope(this.links().sessions, this.#kept.roots, scope);
  }

  /** Sessions without what links them to others. */
  unlinkedIn(scope: Scope): SessionRows[] {
    return inScope(this.#current(), this.#kept.roots, scope);
  }

  rowsOf(key: string): SessionRows | undefined {
    return this.#sessions.get(key);
  }

  /** The work of a session, if it was read since its rows changed. */
  workOf(key: string): SessionTexts["work"] {
    return this.#unindexed.has(key) ? undefined : this.#texts.get(key)?.work;
  }

  allTexts(): SessionTexts[] {
    return [...this.#texts.values()];
  }
}
