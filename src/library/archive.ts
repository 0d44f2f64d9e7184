import { optional } from "../core/optional.ts";
import type { ForgetPlan } from "../ingest/forgetting.ts";
import { forgetAgain, forgetSessions, planForget } from "../ingest/forgetting.ts";
import type { IngestReport } from "../ingest/ingest-report.ts";
import { locatedOf } from "../core/session-rows.ts";
import { foundFiles } from "../ingest/found-files.ts";
import type { FilesAtRisk } from "../ingest/retention-risk.ts";
import { filesAtRisk } from "../ingest/retention-risk.ts";
import { sessionFiles } from "../queries/coverage.ts";
import type { Deletion } from "../queries/doctor/deletion.ts";
import type { AtRisk } from "../queries/doctor/retention-risk.ts";
import { findRisks, WARN_DAYS } from "../queries/doctor/retention-risk.ts";
import type { ImportReport, SessionRef, StoreStats, VerifyReport } from "../store/store.ts";
import { healthOf, kindsDeleted, retentionOf, risksOf, sessionsAtRisk } from "./doctor.ts";
import type { EntryName, SettingsAnswer } from "./settings-entries.ts";
import { settingsAnswers } from "./settings-entries.ts";
import type { StoreAccess } from "./store-access.ts";
import type { SyncKeeper } from "./sync.ts";

/** What came of keeping everything. */
export interface KeepAnswer {
  /** Where the archive lies. */
  archive: string;
  /** Sessions that their program will delete by itself; they are kept now. */
  atRisk: AtRisk[];
  roots: IngestReport[];
}

/** What may soon be lost and is not kept yet. */
export interface Foresight {
  sessions: number;
  /** The most urgent of them; their files alone were read. */
  named: AtRisk[];
  /** Paths of the files of all of them. */
  files: ReadonlySet<string>;
}

export interface ImportedAnswer extends ImportReport {
  /** Sessions that were forgotten here before, and stay so. */
  leftOut: number;
}

export interface CompactAnswer {
  beforeBytes: number;
  afterBytes: number;
}

const MOST_NAMED = 5;
/** To read more than this before keeping would be the long work itself. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Keeps sessions, and looks after what is kept. */
export class ArchiveKeeper {
  readonly #access: StoreAccess;

  constructor(access: StoreAccess) {
    this.#access = access;
  }

  /** Whether there is one to work on. */
  get isThere(): boolean {
    return this.#access.hasStore;
  }

  /** Where it lies, or would. */
  get path(): string {
    return this.#access.path;
  }

  /** Answers about this machine could come from an archive, but nothing is in it yet. */
  async isUnused(): Promise<boolean> {
    const { isStoreUsed, isAsked } = this.#access;
    return isStoreUsed && !isAsked && (await this.#access.keptRoots()).length === 0;
  }

  /** Whether anything of a root is kept. Makes no archive where there is none. */
  async hasRoot(path: string): Promise<boolean> {
    return (await this.#access.keptRoots()).some((root) => root.path === path);
  }

  /** How much of the disk is kept; `null` when nothing is kept at all. */
  async safety(): Promise<Awaited<ReturnType<typeof healthOf>>["archive"]> {
    return (await healthOf(this.#access)).archive;
  }

  /** What may soon be lost and is not kept yet; told before the long work of keeping it. */
  async foresee(nowMs: number): Promise<Foresight> {
    await this.#access.storeToWrite();
    const { archive, isKept } = await healthOf(this.#access);
    if (archive?.unkeptFiles === 0) return { sessions: 0, named: [], files: new Set() };
    const all = filesAtRisk(this.#access.foundPlaces(), { nowMs, isKept, warnDays: WARN_DAYS });
    const files = new Set(all.flatMap(({ files: own }) => own.map(({ path }) => path)));
    const small = all.filter(({ files: own }) => sizeOf(own) <= MOST_BYTES);
    const named = small.slice(0, MOST_NAMED).flatMap((risk) => nameRisk(risk, { nowMs, isKept }));
    return { sessions: all.length, named, files };
  }

  /** What agents will delete soon, and whether that is a loss. */
  async deletion(nowMs: number): Promise<Deletion> {
    return (await risksOf(this.#access, nowMs, {})).deletion;
  }

  /** Nothing is kept, and nothing lies on the disk. */
  async isEmpty(): Promise<boolean> {
    const access = this.#access;
    const paths = new Set(access.setup.places.map(({ root }) => root.path));
    const kept = access.isStoreUsed ? await access.keptRoots() : [];
    const scope = kept.filter(({ path }) => !access.isAsked || paths.has(path)).map(({ id }) => id);
    if (scope.length > 0) {
      const query = { scope, filter: {}, sort: "newest", limit: 1 } as const;
      if ((await (await access.store()).sessions(query)).total > 0) return false;
    }
    const { files, besideFiles } = foundFiles(access.foundPlaces());
    return files + besideFiles === 0;
  }

  /** Keeps everything: bytes and rows first, then texts. Files that may soon be lost come first. */
  async keep(nowMs: number, first?: Foresight): Promise<KeepAnswer> {
    const access = this.#access;
    const { files } = first ?? (await this.foresee(nowMs));
    const roots = await this.#keepAll(nowMs, files);
    const atRisk = await sessionsAtRisk(access, nowMs);
    return { archive: access.path, atRisk, roots };
  }

  /** The same for whoever stays and watches: what was at risk was told before. */
  async keepChanges(nowMs: number): Promise<IngestReport[]> {
    await this.#access.storeToWrite();
    return this.#keepAll(nowMs);
  }

  async #keepAll(nowMs: number, urgent?: ReadonlySet<string>): Promise<IngestReport[]> {
    const access = this.#access;
    const roots = await access.ingest(access.isAsked ? "asked" : "usual", urgent);
    await this.index();
    await forgetAgain(await access.store(), access.setup.sources, nowMs);
    access.forget();
    return roots;
  }

  /** Makes the texts of all kept sessions searchable. Says of how many. */
  async index(): Promise<number> {
    const store = await this.#access.storeToWrite();
    const indexed = await (await this.#access.ingester()).indexTexts();
    await store.care.settle();
    return indexed;
  }

  /** Makes all rows again from the kept bytes. Says how many sessions they are. */
  async rebuild(): Promise<number> {
    await this.#access.storeToWrite();
    this.#access.forget();
    const { progress } = this.#access.setup.options;
    const sessions = await (await this.#access.ingester()).rebuild(optional("progress", progress));
    await this.index();
    return sessions;
  }

  /** How many kept files could not be read. */
  async unread(): Promise<number> {
    const coverage = await (await this.#access.store()).coverage({ scope: "own" });
    return sessionFiles(coverage).reduce(
      (sum, group) => (group.isRead ? sum : sum + group.files),
      0,
    );
  }

  /** Where something moves when there is something to keep. */
  watched(): string[] {
    return this.#access.setup.places.flatMap(({ source, root }) => source.watched(root));
  }

  /** Adds something to the settings of agents, or takes it away; writes only in that mode. */
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
    return { ...answer, leftOut: await forgetAgain(store, sources, nowMs) };
  }

  /** What would be forgotten. Nothing is changed. */
  async planForget(refs: readonly SessionRef[]): Promise<ForgetPlan> {
    return planForget(await this.#access.store(), this.#access.setup.sources, refs);
  }

  /** Removes bytes, rows and words of sessions, and notes that they are not to come back. */
  async forget(refs: readonly SessionRef[]): Promise<ForgetPlan> {
    const { sources, clock } = this.#access.setup;
    const store = await this.#access.storeToWrite();
    const plan = await forgetSessions(store, sources, { refs, nowMs: Math.floor(clock()) });
    this.#access.forget();
    return plan;
  }

  /** What sends it to a team, if this machine was enrolled. */
  async sync(): Promise<SyncKeeper> {
    const { SyncKeeper: Keeper } = await import("./sync.ts");
    return new Keeper(this.#access);
  }

  /** The next question looks for changes again. */
  lookAgain(): void {
    this.#access.lookAgain();
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

function sizeOf(files: readonly { sizeBytes: number }[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function nameRisk(
  { place, rows, surplus }: FilesAtRisk,
  context: { nowMs: number; isKept: (path: string) => boolean },
): AtRisk[] {
  const retention = retentionOf(place);
  const roots = [{ path: place.root.path, retention }];
  const own = rows().filter(({ summary }) => summary.kind === kindsDeleted(retention));
  return findRisks(own.map(locatedOf), { ...context, roots, surplus });
}
