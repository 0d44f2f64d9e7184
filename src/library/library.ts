import { homedir, tmpdir } from "node:os";
import { ExportDesk } from "./exports.ts";
import type { ExportedFile, ExportRequest } from "../exports/exporting.ts";
import type { KeepAnswer, Place } from "./archive.ts";
import { ArchiveDesk } from "./archive.ts";
import { machineClock } from "./clock.ts";
import type { Foresight } from "./foresight.ts";
import { foreseeAll, foreseenFiles } from "./foresight.ts";
import { findHomes } from "../ingest/gather.ts";
import { DiskShelf } from "../ingest/disk-sessions.ts";
import { readPriceFile } from "../ingest/price-file.ts";
import type { SessionVersion } from "../ingest/session-states.ts";
import type { Shelf } from "../ingest/session-source.ts";
import { LedgerDesk } from "./ledger.ts";
import type { SessionList } from "./sessions.ts";
import { ListDesk } from "./sessions.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session.ts";
import type { CallRecord, CallsQuery } from "../queries/calls.ts";
import type { DoctorAnswer } from "../queries/doctor.ts";
import { examine } from "../queries/doctor.ts";
import type { EventOptions } from "../queries/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";
import type { Explanation } from "../queries/explain.ts";
import type { SessionFilter } from "../queries/filter.ts";
import { isBefore } from "../queries/filter.ts";
import type { LedgerFilter } from "../queries/ledger.ts";
import type { Overview } from "../queries/overview.ts";
import type { AtRisk, Retention } from "../queries/retention-risk.ts";
import { findRisks } from "../queries/retention-risk.ts";
import type { SecretsAnswer } from "../queries/secrets.ts";
import type { ToolsReport } from "../queries/tools.ts";
import type { Transcript } from "../queries/transcript.ts";
import { transcribe } from "../queries/transcript.ts";
import type { UsageQuery, UsageReport } from "../queries/usage.ts";
import type { OpenOptions } from "./open-options.ts";
import type { RecordOptions, TranslatedRecord } from "./records.ts";
import { PromptDesk } from "./prompts.ts";
import { RecordDesk } from "./records.ts";
import type { RestoreAnswer, RestoreOptions, ResumeAnswer } from "./restore.ts";
import { RestoreDesk } from "./restore.ts";
import type { SearchAnswer } from "../queries/search.ts";
import type { SearchOptions } from "./search.ts";
import { sources as allSources } from "../sources/index.ts";
import type { Root, Environment } from "../sources/source.ts";

export type { SessionList } from "./sessions.ts";
export type { OpenOptions } from "./open-options.ts";

/** Which sessions are meant: the named ones, else those that match. */
export interface Which {
  /** Ids, beginnings of ids, `latest`; of saved chats also their tags. */
  ids?: readonly string[];
  filter?: SessionFilter;
}

/** Sessions by name, and all of a project (or of all) that were last active before an instant. */
export interface Meant {
  ids?: readonly string[];
  project?: string;
  beforeMs?: number;
}

/** Opens the sessions of this machine, or of the given roots. Nothing is read before asked. */
export function open(options: OpenOptions = {}): Library {
  return new Library(options);
}

/** All questions that can be asked. Every door (terminal, browser, …) gives these answers. */
export class Library {
  readonly roots: readonly Root[];
  /** Looks after the archive. */
  readonly archive: ArchiveDesk;
  readonly #places: readonly Place[];
  readonly #shelf: Shelf;
  readonly #clock: () => number;
  readonly #lists: ListDesk;
  readonly #ledger: LedgerDesk;
  readonly #exports: ExportDesk;
  readonly #records: RecordDesk;
  readonly #prompts: PromptDesk;
  readonly #restores: RestoreDesk;

  constructor(options: OpenOptions) {
    const { roots = [], sources = allSources, prices, environment = {} } = options;
    const around: Environment = {
      env: process.env,
      homeDir: homedir(),
      tempDir: tmpdir(),
      platform: process.platform,
      askedRoots: roots,
      ...environment,
    };
    const places = sources.flatMap((source) =>
      source.roots(around).map((root) => ({ source, root })),
    );
    this.roots = places.map(({ root }) => root);
    this.#places = places;
    const { archive = "none", refresh = "look" } = options;
    this.archive = new ArchiveDesk(options, { places, around, sources });
    const isFresh = archive === "none" || refresh === "fresh";
    const shelf = isFresh ? new DiskShelf(() => findHomes(places)) : this.archive.shelf;
    this.#shelf = shelf;
    this.#clock = options.clock ?? machineClock;
    this.#ledger = new LedgerDesk(this.#shelf, sources, () => readPriceFile(prices, around));
    this.#exports = new ExportDesk(this.#shelf, sources, around.homeDir);
    this.#records = new RecordDesk({ shelf, sources });
    this.#prompts = new PromptDesk(shelf);
    this.#lists = new ListDesk(shelf, { prompts: this.#prompts, roots: this.roots });
    this.#restores = new RestoreDesk({ shelf, archive: this.archive, sources, places, around });
  }

  /** Summaries of sessions, newest first. */
  sessions(filter: SessionFilter = {}): SessionList {
    return this.#lists.sessions(filter);
  }

  /** Lets go of what was read; the next question reads again. */
  letGo(): void {
    this.#shelf.reset();
    this.archive.letGo();
  }

  /** One session in full, by its id, an unambiguous beginning of it, or `latest`. */
  session(wish: string): Session {
    return this.#exports.session(this.#resolve(wish));
  }

  /** A session, or a chat that was saved by hand (by its id or its tag), told as one. */
  told(wish: string): Session {
    return this.#exports.session(this.#resolveAny(wish));
  }

  /** One session or saved chat with all its messages, as every door shows it. */
  transcript(wish: string): Transcript {
    const session = this.told(wish);
    const transcript = transcribe(session);
    // Only an import repeats replies of others, and only a subsession needs its parent's calls.
    if (!session.isImport && session.kind === "main") return transcript;
    const linked = this.#shelf.digests().find(({ summary }) => summary.id === session.id);
    return linked ? { ...transcript, session: linked.summary } : transcript;
  }

  /** What was looked at, what was understood, and what may be lost soon. */
  doctor(nowMs: number): DoctorAnswer {
    const shelf = this.#shelf;
    const { archive, isKept } = this.archive.health(shelf.digests());
    const isAllKept = archive === null || archive.unkeptFiles === 0;
    return examine({
      roots: this.#retentions(),
      files: shelf.files(),
      digests: shelf.digests(),
      savedChats: shelf.savedChats().length,
      promptLogsOnly: this.#prompts.only().length,
      diagnostics: shelf.diagnostics(),
      nowMs,
      archive,
      isKept,
      foreseen: isAllKept ? [] : foreseenFiles(this.#places, { nowMs, isKept }),
    });
  }

  #retentions(): (Root & { retention: Retention })[] {
    const settings = new Map(
      this.#places.map(({ source, root }) => [root.path, source.retention(root)]),
    );
    const none = { isEnabled: false, from: "no such folder" };
    return this.roots.map((root) => ({ ...root, retention: settings.get(root.path) ?? none }));
  }

  /** What the doctor says of it, without asking for anything else. */
  #atRisk(nowMs: number): AtRisk[] {
    const digests = this.#shelf.digests();
    const { isKept } = this.archive.health(digests);
    return findRisks(digests, { roots: this.#retentions(), nowMs, isKept });
  }

  /** What may soon be lost and is not kept yet; told before the long work of taking it in. */
  foresee(nowMs: number): Foresight {
    this.archive.toKeep();
    const { archive, isKept } = this.archive.health([]);
    if (archive?.unkeptFiles === 0) return { sessions: 0, named: [], files: new Set() };
    return foreseeAll(this.#places, { nowMs, isKept });
  }

  /** Takes everything into the archive, and says what its program would have deleted soon. */
  keep(nowMs: number, first: Foresight = this.foresee(nowMs)): KeepAnswer {
    const roots = this.archive.keep(first.files);
    return { archive: this.archive.path, atRisk: this.#atRisk(nowMs), roots };
  }

  /** Words in what was asked, answered, thought, run and returned. */
  async search(text: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    const { SearchDesk } = await import("./search.ts");
    return new SearchDesk(this.#shelf, this.#clock).search(text, options);
  }

  /** What was used and what it cost, by day or any other grouping. */
  async usage(query: UsageQuery = {}): Promise<UsageReport> {
    return this.#ledger.usage(this.#named(query));
  }

  /** One record per paid reply, in the words of other ledgers. */
  async *calls(query: CallsQuery = {}): AsyncGenerator<CallRecord> {
    yield* await this.#ledger.calls(this.#named(query));
  }

  /** What tools did: calls, shell commands, files touched. */
  async tools(filter: LedgerFilter = {}): Promise<ToolsReport> {
    return this.#ledger.tools(this.#named(filter));
  }

  /** Every number of a day, a session or a message, down to file and line. */
  async explain(key: string, timezone?: string): Promise<Explanation> {
    const isSession = key === "latest" || key.includes("~");
    return this.#ledger.explain(isSession ? this.#resolve(key) : key, timezone);
  }

  /** The first screen: how much, on what, and what may be lost. */
  async overview(nowMs: number, timezone?: string): Promise<Overview> {
    const overview = await this.#ledger.overview({ nowMs, ...optional("timezone", timezone) });
    return { ...overview, atRisk: this.#atRisk(nowMs) };
  }

  /** What happened in a session or a saved chat, as normalised events. */
  events(wish: string, options: EventOptions = {}): AsyncGenerator<SessionEvent> {
    return this.#exports.events(this.#resolveAny(wish), options);
  }

  /** Sessions in another form, file by file. */
  export(which: Which, request: ExportRequest): AsyncGenerator<ExportedFile> {
    return this.#exports.export(this.#idsOf(which), request);
  }

  /** Secrets in what was said, and where they stand; everything is looked through by default. */
  async secrets(which: Which = {}): Promise<SecretsAnswer> {
    const isAll = which.ids === undefined && which.filter === undefined;
    return this.#exports.secrets(isAll ? undefined : this.#idsOf(which));
  }

  /** A session as a verifiable record; its bytes are made when they are asked for. */
  async record(wish: string, options: RecordOptions = {}): Promise<TranslatedRecord> {
    return this.#records.record(wish, options, () => this.#resolve(wish));
  }

  /** Puts a session back where its program finds it, as it is or as it once was. */
  restore(wish: string, options: RestoreOptions): RestoreAnswer {
    return this.#restores.restore(this.session(wish), options);
  }

  /** Every state of a session that is kept, oldest first. */
  versions(wish: string): SessionVersion[] {
    return this.#restores.versions(this.session(wish));
  }

  /** How to go on with a session, and what has to be put back first. Writes nothing. */
  resumeCommand(wish: string, options: RestoreOptions): ResumeAnswer {
    return this.#restores.resumeCommand(this.session(wish), options);
  }

  /** Ids of the sessions that are named, and of those in a project or last active before then. */
  meant(wish: Meant): string[] {
    const { ids = [], project, beforeMs } = wish;
    const named = ids.map((one) => this.#resolve(one));
    if (project === undefined && beforeMs === undefined) return named;
    const found = this.sessions({ ...optional("project", project) }).sessions;
    const old = found.filter((one) => beforeMs === undefined || isBefore(one, beforeMs));
    return [...new Set([...named, ...old.map(({ id }) => id)])];
  }

  #idsOf({ ids, filter }: Which): string[] {
    if (ids) return [...new Set(ids.map((wish) => this.#resolveAny(wish)))];
    return this.sessions(filter).sessions.map(({ id }) => id);
  }

  /** A saved chat may be named as well, by its id or its tag; a session comes first. */
  #resolveAny(wish: string): string {
    try {
      return this.#resolve(wish);
    } catch (error) {
      const chat = this.#exports.chat(wish);
      if (chat) return chat.id;
      throw error;
    }
  }

  /** What names no session, or several, is said to: an empty report would look like an answer. */
  #named<T extends LedgerFilter>(query: T): T {
    const { session } = query;
    return session === undefined ? query : { ...query, session: this.#lists.lookUp(session) };
  }

  #resolve(wish: string): string {
    return wish !== "latest" && this.#shelf.read(wish) ? wish : this.#lists.lookUp(wish);
  }
}
