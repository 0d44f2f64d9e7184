import { optional } from "../core/optional.ts";
import type { ForgetPlan } from "../ingest/forgetting.ts";
import { removeReturnedSessions, forgetSessions, planForget } from "../ingest/forgetting.ts";
import type { IngestReport } from "../ingest/ingest-report.ts";
import { locatedOf } from "../core/rows/session-rows.ts";
import { foundFiles } from "../ingest/disk-home.ts";
import type { FilesAtRisk } from "../ingest/retention-risk.ts";
import { filesAtRisk } from "../ingest/retention-risk.ts";
import { sessionFiles } from "../queries/coverage.ts";
import type { Deletion } from "../queries/doctor/deletion.ts";
import type { SessionAtRisk } from "../queries/doctor/retention-risk.ts";
import { findRisks, WARN_DAYS } from "../queries/doctor/retention-risk.ts";
import type { ImportReport, SessionRef, StoreStats, VerifyReport } from "../store/store.ts";
import { healthOf, retentionOf, urgentRisks, sessionsAtRisk } from "./doctor.ts";
import type { EntryName, SettingsAnswer } from "./settings-entries.ts";
import { settingsAnswers } from "./settings-entries.ts";
import type { StoreAccess } from "./store-access.ts";
import type { SyncClient } from "./sync.ts";
import { totalBytes } from "../core/files/session-file.ts";

/** Result of keeping everything. */
export interface KeepAnswer {
  /** Path of the archive. */
  archive: string;
  /** Sessions that their agent will delete; they are kept now. */
  atRisk: SessionAtRisk[];
  roots: IngestReport[];
}

/** Sessions that may soon be lost and are not kept yet. */
export interface UnkeptAtRisk {
  sessions: number;
  /** The most urgent ones; only their files were read. */
  named: SessionAtRisk[];
  /** Paths of all their files. */
  files: ReadonlySet<string>;
}

export interface ImportedAnswer extends ImportReport {
  /** Sessions that were forgotten here before, and were not imported. */
  leftOut: number;
}

export interface CompactAnswer {
  beforeBytes: number;
  afterBytes: number;
}

const MOST_NAMED = 5;
/** Maximum size to read before keeping starts; more would take as long as keeping. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Keeps sessions and maintains the archive. */
export class ArchiveAdmin {
  readonly #access: StoreAccess;

  constructor(access: StoreAccess) {
    this.#access = access;
  }

  /** Whether an archive is configured. */
  get isThere(): boolean {
    return this.#access.hasStore;
  }

  /** Path of the archive, whether or not it exists. */
  get path(): string {
    return this.#access.path;
  }

  /** A token that changes with every write to the store; undefined if that cannot be known. */
  async state(): Promise<string | undefined> {
    const { isStoreUsed, mayHoldSessions } = this.#access;
    return isStoreUsed && mayHoldSessions ? (await this.#access.store()).state?.() : undefined;
  }

  /** True if answers could come from an archive, but nothing is kept yet. */
  async isUnused(): Promise<boolean> {
    const { isStoreUsed, hasRequestedRoots } = this.#access;
    return isStoreUsed && !hasRequestedRoots && (await this.#access.keptRoots()).length === 0;
  }

  /** Whether anything of a root is kept. Does not create an archive. */
  async hasRoot(path: string): Promise<boolean> {
    return (await this.#access.keptRoots()).some((root) => root.path === path);
  }

  /** How much of the disk is kept; `null` if nothing is. */
  async safety(): Promise<Awaited<ReturnType<typeof healthOf>>["archive"]> {
    return (await healthOf(this.#access)).archive;
  }

  /**
   * Sessions that may soon be lost and are not kept yet; reported before the long work of keeping.
   */
  async unkeptAtRisk(nowMs: number): Promise<UnkeptAtRisk> {
    await this.#access.storeToWrite();
    const { archive, isKept } = await healthOf(this.#access);
    if (archive?.unkeptFiles === 0) return { sessions: 0, named: [], files: new Set() };
    const all = filesAtRisk(this.#access.foundPlaces(), { nowMs, isKept, warnDays: WARN_DAYS });
    const files = new Set(all.flatMap(({ files: own }) => own.map(({ path }) => path)));
    const small = all.filter(({ files: own }) => totalBytes(own) <= MOST_BYTES);
    const named = small.slice(0, MOST_NAMED).flatMap((risk) => nameRisk(risk, { nowMs, isKept }));
    return { sessions: all.length, named, files };
  }

  /** What agents will delete soon, and whether data would be lost. */
  async deletion(nowMs: number): Promise<Deletion> {
    return (await urgentRisks(this.#access, nowMs, {})).deletion;
  }

  /** Which of the sessions with these ids will be lost: deleted by their agent, and not kept. */
  async losing(ids: readonly string[], nowMs: number): Promise<SessionRef[]> {
    const health = await healthOf(this.#access);
    if (health.unkept !== "all" && health.unkept.size === 0) return [];
    const wanted = new Set(ids);
    const risks = await sessionsAtRisk(this.#access, nowMs, health);
    return risks
      .filter((risk) => !risk.isKept && wanted.has(risk.sessionId))
      .map(({ source, sessionId }) => ({ source, id: sessionId }));
  }

  /** True if nothing is kept and nothing is on the disk. */
  async isEmpty(): Promise<boolean> {
    const access = this.#access;
    const paths = new Set(access.setup.places.map(({ root }) => root.path));
    const kept = access.isStoreUsed ? await access.keptRoots() : [];
    const scope = kept
      .filter(({ path }) => !access.hasRequestedRoots || paths.has(path))
      .map(({ id }) => id);
    if (scope.length > 0) {
      const query = { scope, limit: 1 } as const;
      if ((await (await access.store()).sessions(query)).total > 0) return false;
    }
    const { files, besideFiles } = foundFiles(access.foundPlaces());
    return files + besideFiles === 0;
  }

  /** Keeps everything: bytes and rows first, then texts. Files that may soon be lost come first. */
  async keep(nowMs: number, first?: UnkeptAtRisk): Promise<KeepAnswer> {
    const access = this.#access;
    const { files } = first ?? (await this.unkeptAtRisk(nowMs));
    const roots = await this.#keepAll(nowMs, files);
    const atRisk = await sessionsAtRisk(access, nowMs, await healthOf(access));
    return { archive: access.path, atRisk, roots };
  }

  /** The same for a running watch, without the report of sessions at risk. */
  async keepChanges(nowMs: number): Promise<IngestReport[]> {
    await this.#access.storeToWrite();
    return this.#keepAll(nowMs);
  }

  async #keepAll(nowMs: number, urgent?: ReadonlySet<string>): Promise<IngestReport[]> {
    const access = this.#access;
    const roots = await access.ingest(access.hasRequestedRoots ? "asked" : "usual", urgent);
    await this.index();
    await removeReturnedSessions(await access.store(), access.setup.sources, nowMs);
    access.forget();
    return roots;
  }

  /** Indexes the texts of all kept sessions; returns the number of indexed sessions. */
  async index(): Promise<number> {
    const store = await this.#access.storeToWrite();
    const indexed = await (await this.#access.ingester()).indexTexts();
    await store.care.settle();
    return indexed;
  }

  /** Rebuilds all rows from the kept bytes; returns the number of sessions. */
  async rebuild(): Promise<number> {
    await this.#access.storeToWrite();
    this.#access.forget();
    const { progress } = this.#access.setup.options;
    const sessions = await (await this.#access.ingester()).rebuild(optional("progress", progress));
    await this.index();
    return sessions;
  }

  /** Number of kept files that could not be read. */
  async unread(): Promise<number> {
    const coverage = await (await this.#access.store()).coverage({ scope: "own" });
    return sessionFiles(coverage).reduce(
      (sum, group) => (group.isRead ? sum : sum + group.files),
      0,
    );
  }

  /** Paths that change when there is something new to keep. */
  watched(): string[] {
    return this.#access.setup.places.flatMap(({ source, root }) => source.watched(root));
  }

  /** Adds an entry to agents' settings, or removes it; writes only in mode `write`. */
  async settings<Name extends EntryName>(
    name: Name,
    request: Omit<Parameters<typeof settingsAnswers<Name>>[2], "homeDir">,
  ): Promise<SettingsAnswer[]> {
    const { places, environment } = this.#access.setup;
    return settingsAnswers(places, name, { ...request, homeDir: environment.homeDir });
  }

  async stats(): Promise<StoreStats> {
    return (await this.#access.store()).care.stats();
  }

  async verify(): Promise<VerifyReport> {
    return (await this.#access.store()).care.verify(this.#progress);
  }

  async compact(): Promise<CompactAnswer> {
    const { care } = await this.#access.storeToWrite();
    const { sizeBytes: beforeBytes } = await care.stats();
    await care.compact(this.#progress);
    return { beforeBytes, afterBytes: (await care.stats()).sizeBytes };
  }

  async exportTo(path: string): Promise<void> {
    await (await this.#access.store()).care.exportTo(path);
  }

  async importFrom(path: string): Promise<ImportedAnswer> {
    const { clock, sources } = this.#access.setup;
    const store = await this.#access.storeToWrite();
    const nowMs = Math.floor(clock());
    const answer = await store.care.importFrom(path, nowMs);
    await (await this.#access.ingester()).rebuild({ only: "unread" });
    this.#access.forget();
    return { ...answer, leftOut: await removeReturnedSessions(store, sources, nowMs) };
  }

  /** Lists what `forget` would remove. Changes nothing. */
  async planForget(refs: readonly SessionRef[]): Promise<ForgetPlan> {
    return planForget(await this.#access.store(), this.#access.setup.sources, refs);
  }

  /** Removes bytes, rows and words of sessions, and records that they must not be kept again. */
  async forget(refs: readonly SessionRef[]): Promise<ForgetPlan> {
    const { sources, clock } = this.#access.setup;
    const store = await this.#access.storeToWrite();
    const plan = await forgetSessions(store, sources, { refs, nowMs: Math.floor(clock()) });
    this.#access.forget();
    return plan;
  }

  /** Sync with a team's server. */
  async sync(): Promise<SyncClient> {
    const { SyncClient: Client } = await import("./sync.ts");
    return new Client(this.#access);
  }

  /** Makes the next query look for changes again. */
  lookAgain(): void {
    this.#access.lookAgain();
  }

  /** Ends the thread that ingests, to free its memory; the next ingest starts another one. */
  async endIngest(): Promise<void> {
    await this.#access.endIngest();
  }

  async close(): Promise<void> {
    await this.#access.close();
  }

  get #progress(): (done: number, total: number) => void {
    const { progress } = this.#access.setup.options;
    return (done, total) => {
      const bytes = { doneBytes: done, totalBytes: total };
      progress?.({ work: "checking", ...bytes, doneFiles: 0, totalFiles: 0 });
    };
  }
}

function nameRisk(
  { place, rows, surplus }: FilesAtRisk,
  context: { nowMs: number; isKept: (path: string) => boolean },
): SessionAtRisk[] {
  const roots = [{ path: place.root.path, retention: retentionOf(place.source, place.root) }];
  return findRisks(rows().map(locatedOf), { ...context, roots, surplus });
}
