import { existsSync } from "node:fs";
import { PolluxError } from "../core/error.ts";
import type { KnownRoot, RootOrigin } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import { indexTexts } from "../ingest/texts/index-texts.ts";
import { foundFiles } from "../ingest/disk-home.ts";
import type { IngestReport } from "../ingest/ingest-report.ts";
import type { Ingester } from "../ingest/threads/ingester.ts";
import { directIngester } from "../ingest/threads/ingester.ts";
import { ThreadIngester } from "../ingest/threads/thread-ingester.ts";
import { storedHomes } from "../ingest/companions/stored-companions.ts";
import { mayExist, usualArchive, archiveFileOf, withoutPassword } from "../store/location.ts";
import { readOnly } from "../store/sqlite/errors.ts";
import type { Scope, Store } from "../store/store.ts";
import { DiskReads } from "./disk-reads.ts";
import type { ReadDepth } from "./disk-reads.ts";
import { LastComparison } from "./last-comparison.ts";
import type { Setup } from "./open-options.ts";
import { notYours, openStore, refuseOtherStores } from "./open-store.ts";
import type { SourceRoot } from "./places.ts";
import {
  isTemporary,
  isNotCreated,
  notKeptWarning,
  notSearchedWarning,
  staleWarning,
  warnUnread,
} from "./stale-warning.ts";
import type { StoreView, UsageView } from "./store-view.ts";
import { threadScript } from "./threads/thread-script.ts";

/**
 * Provides the data for queries: from the store, after a check for changes, or from the disk. The
 * store is opened by the first query.
 */
export class StoreAccess {
  readonly setup: Setup;
  readonly lastComparison: LastComparison = new LastComparison();
  #store: Promise<Store> | undefined;
  #ingester: Promise<Ingester> | undefined;
  #refreshed: Promise<void> | undefined;
  readonly #disk: DiskReads;
  #stored: Promise<StoreView> | undefined;
  /** Set when there is no archive yet and none can be created now. */
  #isDiskOnly = false;

  constructor(setup: Setup) {
    this.setup = setup;
    this.#disk = new DiskReads(setup, () => this.foundPlaces());
    const { store } = setup.options;
    if (typeof store === "string") refuseOtherStores(store);
  }

  /** Whether a store is configured. */
  get hasStore(): boolean {
    const { archive = "none", store } = this.setup.options;
    return store !== undefined || archive !== "none";
  }

  /** Whether answers come from the store. */
  get isStoreUsed(): boolean {
    return this.hasStore && this.setup.options.refresh !== "fresh";
  }

  /** Path of the store, whether or not it exists. */
  get path(): string {
    const { archive = "none", store } = this.setup.options;
    if (store !== undefined) return withoutPassword(locationOf(store));
    if (archive !== "none") {
      return archive === "default" ? usualArchive(this.setup.environment) : archiveFileOf(archive);
    }
    throw new PolluxError("no-archive", "This command needs an archive.", {
      remedy: "Name one with --archive, or leave out --fresh and --demo.",
    });
  }

  /** The data for a query that needs sessions read at this depth. */
  async reads(depth: ReadDepth): Promise<StoreView> {
    if (!this.isStoreUsed || (await this.#isAnsweredByDisk())) return this.#disk.read(depth);
    await (this.#refreshed ??= this.#refresh());
    if (this.#isDiskOnly) return this.#disk.read(depth);
    return (this.#stored ??= this.#view());
  }

  /** The same for sums that need only replies. */
  async readsUsage(): Promise<UsageView> {
    const { refresh = "look" } = this.setup.options;
    if (refresh === "fresh" || this.#disk.hasRead) return this.reads("outline");
    // With an empty store, usage is computed directly from the disk.
    const isEmpty =
      refresh === "look" && !this.hasRequestedRoots && (await this.keptRoots()).length === 0;
    if (this.isStoreUsed && !isEmpty && !(await this.#isAnsweredByDisk())) {
      return this.reads("outline");
    }
    return this.#disk.readUsage();
  }

  /** The same for searches: indexes the texts of all sessions first. */
  async readsTexts(): Promise<StoreView> {
    const view = await this.reads("full");
    const { store } = view;
    const { options } = this.setup;
    const mayIndex = store.mode === "write" && options.index !== "elsewhere";
    try {
      if (mayIndex) await this.#indexTexts(store);
    } catch (error) {
      if (!isTemporary(error)) throw error;
    }
    const left = await store.withoutTexts();
    if (left.length > 0) options.remark?.(notSearchedWarning(left.length));
    return view;
  }

  /** The address to open the store by; includes the password, unlike `path`. */
  get #location(): string {
    const { store } = this.setup.options;
    return store === undefined ? this.path : locationOf(store);
  }

  store(): Promise<Store> {
    const { store } = this.setup.options;
    const isOpen = store !== undefined && typeof store !== "string";
    return (this.#store ??= isOpen ? Promise.resolve(store) : openStore(this.#location));
  }

  /** Returns nothing if there is no archive yet and none can be created now. */
  async #storeIfCreated(): Promise<Store | undefined> {
    try {
      return await this.store();
    } catch (error) {
      if (!isNotCreated(error)) throw error;
      this.#store = undefined;
      this.#isDiskOnly = true;
      this.setup.options.remark?.(notKeptWarning(error));
      return undefined;
    }
  }

  /** The store for writing; throws if it is read-only. */
  async storeToWrite(): Promise<Store> {
    const store = await this.store();
    if (store.mode === "write") return store;
    throw typeof this.setup.options.store === "object" ? notYours() : readOnly(this.path);
  }

  /** Whether anything may be kept: true for a database, else if the file exists. */
  get mayHoldSessions(): boolean {
    if (!this.hasStore || this.#isDiskOnly) return false;
    return this.setup.options.store !== undefined || mayExist(this.path);
  }

  /** Roots that have kept files. Does not create an archive. */
  async keptRoots(): Promise<KnownRoot[]> {
    if (!this.mayHoldSessions) return [];
    return (await this.#storeIfCreated())?.roots() ?? [];
  }

  /** Compares the disk with the store and keeps what is new. */
  async ingest(how: RootOrigin, urgent?: ReadonlySet<string>): Promise<IngestReport[]> {
    const { progress } = this.setup.options;
    const ingester = await this.ingester();
    const reports = await ingester.ingest({
      places: this.foundPlaces(),
      how,
      ...optional("progress", progress),
      ...optional("urgent", urgent),
    });
    this.lastComparison.note(reports, this.setup.clock());
    this.#refreshed = Promise.resolve();
    this.#stored = undefined;
    return reports;
  }

  /** Keeps and reads sessions, in this thread or a separate one. */
  ingester(): Promise<Ingester> {
    return (this.#ingester ??= this.#makeIngester());
  }

  /** Threads have only the built-in sources, and open the store by its address. */
  get #threadScript(): string | undefined {
    const { sources, store } = this.setup.options;
    return sources === undefined && typeof store !== "object" ? threadScript() : undefined;
  }

  async #makeIngester(): Promise<Ingester> {
    const { sources, clock, options } = this.setup;
    const script = this.#threadScript;
    const thread = script === undefined ? undefined : { script, location: this.#location };
    if (thread && options.ingest === "thread") return new ThreadIngester(thread);
    const store = await this.store();
    return directIngester(store, { sources, clock, ...optional("helper", thread) });
  }

  /** Indexes a kept store through the ingester, a store in memory directly. */
  async #indexTexts(store: Store): Promise<void> {
    const isKept = this.#store !== undefined && store === (await this.#store);
    if (isKept) await (await this.ingester()).indexTexts();
    else await indexTexts(store, { sources: this.setup.sources });
  }

  /** True if answers are limited to requested roots. */
  get hasRequestedRoots(): boolean {
    return this.setup.environment.requestedRoots.length > 0;
  }

  /** The places, with roots that have appeared since, e.g. during a watch. */
  foundPlaces(): SourceRoot[] {
    return this.setup.places.map(({ source, root }) => {
      return { source, root: { ...root, isFound: root.isFound || existsSync(root.path) } };
    });
  }

  /** Makes the next query look for changes again. */
  lookAgain(): void {
    this.#isDiskOnly = false;
    this.#refreshed = undefined;
    this.forget();
  }

  /** Drops cached data; the next query reads again. */
  forget(): void {
    this.#disk.forget();
    this.#stored = undefined;
  }

  async close(): Promise<void> {
    this.lookAgain();
    const store = this.#store;
    this.#store = undefined;
    await this.endIngest();
    await (await store)?.close();
  }

  /** Ends the thread that ingests, to free its memory; the next ingest starts another one. */
  async endIngest(): Promise<void> {
    const ingester = this.#ingester;
    this.#ingester = undefined;
    await (await ingester)?.close();
  }

  /** True if a requested folder is not kept; answers then come from the disk. */
  async #isAnsweredByDisk(): Promise<boolean> {
    const { refresh = "look" } = this.setup.options;
    if (refresh !== "look" || !this.hasRequestedRoots) return false;
    const paths = new Set((await this.keptRoots()).map(({ path }) => path));
    return !this.setup.places.every(({ root }) => paths.has(root.path));
  }

  async #view(): Promise<StoreView> {
    const store = await this.store();
    const { sources, places, roots: searched } = this.setup;
    const paths = new Set(places.map(({ root }) => root.path));
    const roots = await store.roots();
    const scope = this.hasRequestedRoots ? scopeOf(roots, paths) : "own";
    return { store, sources, scope, roots: searched, homes: await storedHomes(store, sources) };
  }

  async #announceFirstKeep(store: Store): Promise<void> {
    const { firstKeep } = this.setup.options;
    if (!firstKeep || (await store.roots()).length > 0) return;
    const found = foundFiles(this.foundPlaces());
    if (found.sizeBytes > 0) firstKeep({ ...found, archive: this.path });
  }

  /** Updates the store; on a temporary error, warns and continues with what is kept. */
  async #refresh(): Promise<void> {
    const { refresh = "look", remark } = this.setup.options;
    if (refresh === "fresh" || this.#isDiskOnly) return;
    const store = await this.#storeIfCreated();
    if (!store) return;
    if (refresh === "none") return warnUnread(store, remark);
    if (store.mode === "read") {
      remark?.(await staleWarning(store, readOnly(this.path).message));
      return;
    }
    await this.#announceFirstKeep(store);
    try {
      await this.ingest(this.hasRequestedRoots ? "asked" : "usual");
    } catch (error) {
      if (!isTemporary(error)) throw error;
      this.#isDiskOnly = (await store.roots()).length === 0;
      remark?.(this.#isDiskOnly ? notKeptWarning(error) : await staleWarning(store, error.message));
    }
  }
}

/** All own roots together are `own`: sums over all sessions answer that. */
function scopeOf(roots: readonly KnownRoot[], paths: ReadonlySet<string>): Scope {
  const isOwn = ({ how }: KnownRoot): boolean => how !== "visited";
  const isAll = roots.every((root) => paths.has(root.path) === isOwn(root));
  return isAll ? "own" : roots.filter(({ path }) => paths.has(path)).map(({ id }) => id);
}

function locationOf(store: string | Store): string {
  return typeof store === "string" ? store : store.location;
}
