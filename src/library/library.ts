import { machineClock } from "./clock.ts";
import { homedir, tmpdir } from "node:os";
import type { LedgerFilter, SessionFilter } from "../core/filter/filter.ts";
import type { Chain } from "../core/session/chain.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session/session.ts";
import type { ExportedFile, ExportRequest } from "../exports/exporting.ts";
import type { SessionVersion } from "../ingest/restore/session-states.ts";
import type { CallRecord, CallsQuery } from "../queries/usage/calls.ts";
import type { DoctorAnswer } from "../queries/doctor/doctor.ts";
import type { EventOptions } from "../queries/events/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";
import type { Explanation } from "../queries/explain.ts";
import type { Overview } from "../queries/overview.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import type { SearchAnswer } from "../queries/search/search.ts";
import type { SecretsAnswer } from "../queries/secrets.ts";
import type { ToolsQuery, ToolsReport } from "../queries/tools.ts";
import type { Transcript } from "../queries/transcript.ts";
import type { UsageQuery, UsageReport } from "../queries/usage/usage.ts";
import { sources as allSources } from "../sources/index.ts";
import type { Root, Source } from "../sources/source.ts";
import type { SessionRef } from "../store/store.ts";
import type { UnkeptAtRisk, KeepAnswer } from "./archive.ts";
import { ArchiveAdmin } from "./archive.ts";
import type { RecordedSession, Selection, SessionSelector } from "./contents.ts";
import { namedEvents, exportSessions } from "./session-exports.ts";
import { findAll, findNamed, readNamed, recordedSession } from "./contents.ts";
import { secretsIn, selectSessions, transcriptOf } from "./contents.ts";
import { doctorAnswer, urgentRisks } from "./doctor.ts";
import type { DoctorOptions } from "./doctor.ts";
import { explanation } from "./explain.ts";
import type { HandoverAnswer, HandoverOptions, UndoAnswer } from "./handover.ts";
import { handOver, undoNamed } from "./handover.ts";
import type { OpenOptions } from "./open-options.ts";
import { placesOf, sourceNamed } from "./places.ts";
import { lazyPrices } from "./price-book.ts";
import type { RecordOptions, TranslatedRecord } from "./records.ts";
import type { RestoreAnswer, RestoreOptions, ResumeAnswer } from "./restore.ts";
import { resumeNamed, restoreNamed, versionsNamed } from "./restore.ts";
import type { SearchOptions } from "./search.ts";
import type { AgentSummary, SessionList } from "./sessions.ts";
import { findSession, listAgents, listSessions } from "./sessions.ts";
import { AnnotationEditor } from "./annotations.ts";
import { Review } from "./review.ts";
import { StoreAccess } from "./store-access.ts";
import { callRecords, isUsageEnough, spending, toolsReport, usageReport } from "./usage.ts";
import type { StoreView } from "./store-view.ts";

export type { AgentSummary, SessionList } from "./sessions.ts";
export type { OpenOptions } from "./open-options.ts";
export type { Selection, SessionSelector } from "./contents.ts";

/** Opens the sessions of this machine, or of the given roots. Reads nothing until queried. */
export function open(options: OpenOptions = {}): Library {
  return new Library(options);
}

/** All queries. Every interface (terminal, browser, …) returns these answers. */
export class Library {
  readonly roots: readonly Root[];
  readonly sources: readonly Source[];
  /** Keeps sessions and maintains the archive. */
  readonly archive: ArchiveAdmin;
  /** The user's stars, tags, notes and titles. */
  readonly own: AnnotationEditor;
  /** Paged lists, uses of tools and files, and other reviews of past work. */
  readonly review: Review;
  readonly #access: StoreAccess;
  readonly #prices: () => PriceBook;

  constructor(options: OpenOptions) {
    const { roots = [], sources: given = allSources, agent, clock = machineClock } = options;
    const environment = {
      env: process.env,
      homeDir: homedir(),
      tempDir: tmpdir(),
      platform: process.platform,
      requestedRoots: roots,
      ...options.environment,
    };
    const sources = agent === undefined ? given : [sourceNamed(given, agent)];
    const places = placesOf(sources, environment);
    this.sources = sources;
    this.roots = typeof options.store === "object" ? [] : places.map(({ root }) => root);
    const setup = { options, places, roots: this.roots, sources, environment, clock };
    this.#access = new StoreAccess(setup);
    this.#prices = lazyPrices(this.#access.setup);
    this.archive = new ArchiveAdmin(this.#access);
    this.own = new AnnotationEditor(this.#access);
    this.review = new Review({
      access: this.#access,
      prices: this.#prices,
      resolved: (filter) => this.#resolved(filter),
    });
  }

  /** Summaries of sessions, newest first. */
  async sessions(filter: SessionFilter = {}): Promise<SessionList> {
    return listSessions(await this.#view(), this.#resolved(filter));
  }

  /** Agents that have at least one session. */
  async agents(): Promise<AgentSummary[]> {
    return listAgents(await this.#view());
  }

  /** A whole session by its id, an unambiguous prefix of it, or `latest`. */
  async session(name: string): Promise<Session> {
    const view = await this.#view();
    return readNamed(view, { kind: "session", row: await findSession(view, name) });
  }

  /** A session, or a manually saved chat (by id or tag) as a session. */
  async conversation(name: string): Promise<Session> {
    const view = await this.#view();
    return readNamed(view, await findNamed(view, name));
  }

  /** The same, with access to the bytes that it was read from. */
  async recorded(name: string): Promise<RecordedSession> {
    return recordedSession(await this.#view(), name);
  }

  /** A session or saved chat with all its messages, as every interface shows it. */
  async transcript(name: string): Promise<Transcript> {
    return transcriptOf(await this.#view(), name);
  }

  /** Sessions that continue one another. */
  async chains(): Promise<Chain[]> {
    const { store, scope } = await this.#view();
    return store.chains(scope);
  }

  /** Which files were read, how they were recognised, and what may soon be lost. */
  async doctor(nowMs: number, options: DoctorOptions = {}): Promise<DoctorAnswer> {
    return doctorAnswer(this.#access, nowMs, this.#resolved(options));
  }

  /** Sessions that may soon be lost and are not kept yet; run before the long work of keeping. */
  unkeptAtRisk(nowMs: number): Promise<UnkeptAtRisk> {
    return this.archive.unkeptAtRisk(nowMs);
  }

  /** Keeps everything; reports sessions that their agent would have deleted soon. */
  keep(nowMs: number, first?: UnkeptAtRisk): Promise<KeepAnswer> {
    return this.archive.keep(nowMs, first);
  }

  /** Searches prompts, answers, thoughts, commands and tool results. */
  async search(text: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    const { searchTexts } = await import("./search.ts");
    const filter = this.#resolved(options.filter ?? {});
    return searchTexts(this.#access, text, { ...options, filter });
  }

  /** Usage and cost, by day or any other grouping. */
  async usage(query: UsageQuery = {}): Promise<UsageReport> {
    if (isUsageEnough(query)) {
      return usageReport(await this.#access.readsUsage(), this.#prices(), this.#resolved(query));
    }
    const view = await this.#view();
    return usageReport(view, this.#prices(), await this.#named(view, query));
  }

  /** One record per paid reply, with the field names of other ledgers. */
  async *calls(query: CallsQuery = {}): AsyncGenerator<CallRecord> {
    const view = await this.#view();
    yield* callRecords(view, this.#prices(), await this.#named(view, query));
  }

  /** Tool calls, shell commands and touched files. */
  async tools(query: ToolsQuery = {}): Promise<ToolsReport> {
    const view = await this.#view();
    return toolsReport(view, await this.#named(view, query));
  }

  /** Explains every number of a day, a session or a message, down to file and line. */
  async explain(
    key: string,
    timezone?: string,
    filter: Pick<SessionFilter, "source"> = {},
  ): Promise<Explanation> {
    const asked = { key, timezone, filter: this.#resolved(filter) };
    return explanation(await this.#view(), this.#prices(), asked);
  }

  /** The first screen: usage, what it was spent on, and what may be lost. */
  async overview(
    nowMs: number,
    timezone?: string,
    filter: Pick<SessionFilter, "source"> = {},
  ): Promise<Overview> {
    const view = await this.#view();
    const query = { nowMs, ...optional("timezone", timezone), ...this.#resolved(filter) };
    const spent = await spending(view, this.#prices(), query);
    return { ...spent, ...(await urgentRisks(this.#access, nowMs, this.#resolved(filter))) };
  }

  /** The events of a session or saved chat, normalised. */
  async *events(name: string, options: EventOptions = {}): AsyncGenerator<SessionEvent> {
    yield* namedEvents(await this.#view(), name, options);
  }

  /** Exports sessions in another format, file by file. */
  async *export(which: SessionSelector, request: ExportRequest): AsyncGenerator<ExportedFile> {
    const view = await this.#view();
    const { homeDir } = this.#access.setup.environment;
    const resolved = this.#which(which);
    const options = { request, homeDir, filter: resolved.filter };
    yield* exportSessions(view, await findAll(view, resolved), options);
  }

  /** Finds secrets and their positions; searches everything by default. */
  async secrets(which: SessionSelector = {}): Promise<SecretsAnswer> {
    const view = await this.#view();
    const isAll = which.ids === undefined && which.filter === undefined;
    return secretsIn(view, isAll ? undefined : await findAll(view, this.#which(which)));
  }

  /** A session as a verifiable record; its bytes are generated on demand. */
  async record(name: string, options: RecordOptions = {}): Promise<TranslatedRecord> {
    const { sessionRecord } = await import("./records.ts");
    return sessionRecord(await this.#view(), name, options);
  }

  /** Restores a session to where its agent finds it, in its current or an earlier state. */
  restore(name: string, options: RestoreOptions): Promise<RestoreAnswer> {
    return restoreNamed(this.#access, name, options);
  }

  /** Every kept version of a session, oldest first. */
  versions(name: string): Promise<SessionVersion[]> {
    return versionsNamed(this.#access, name);
  }

  /** The command that resumes a session, and what must be restored first. Writes nothing. */
  resumeCommand(name: string, options: RestoreOptions): Promise<ResumeAnswer> {
    return resumeNamed(this.#access, name, options);
  }

  /** Writes a session for another agent under a new id, so that the agent lists and resumes it. */
  handover(name: string, options: HandoverOptions): Promise<HandoverAnswer> {
    return handOver(this.#access, name, options);
  }

  /** Removes a handed-over session, unless its agent has written to it. */
  async undoHandover(newId: string, nowMs: number): Promise<UndoAnswer> {
    return undoNamed(this.#access, newId, nowMs);
  }

  /** Sessions by name, and those in a project or last active before a time. */
  async select(selection: Selection): Promise<SessionRef[]> {
    return selectSessions(await this.#view(), this.#resolved(selection));
  }

  /** Drops cached data; the next query reads again. */
  release(): void {
    this.#access.forget();
  }

  /** Closes the archive. */
  async close(): Promise<void> {
    await this.archive.close();
  }

  #view(): Promise<StoreView> {
    return this.#access.reads("outline");
  }

  /** Replaces an agent's short name by its id. */
  #resolved<T extends { source?: string }>(filter: T): T {
    const { source } = filter;
    return source === undefined
      ? filter
      : { ...filter, source: sourceNamed(this.sources, source).id };
  }

  /** Throws unless the name matches one session: an empty report would look like an answer. */
  async #named<T extends LedgerFilter>(view: StoreView, query: T): Promise<T> {
    const { session } = query;
    const resolved = this.#resolved(query);
    if (session === undefined) return resolved;
    const row = await findSession(view, session, resolved);
    const { id, source } = row.summary;
    return { ...resolved, session: id, source };
  }

  #which({ ids, filter = {} }: SessionSelector): SessionSelector {
    return ids ? { ids } : { filter: this.#resolved(filter) };
  }
}
