import { existsSync } from "node:fs";
import { PolluxError } from "../core/error.ts";
import type { KnownRoot, RootHow } from "../core/kept.ts";
import { optional } from "../core/optional.ts";
import { indexTexts } from "../ingest/texts/index-texts.ts";
import { diskStore } from "../ingest/disk-store.ts";
import { foundFiles } from "../ingest/found-files.ts";
import { diskUsage } from "../ingest/disk-usage.ts";
import type { IngestReport } from "../ingest/ingest-report.ts";
import type { Ingester } from "../ingest/threads/ingester.ts";
import { directIngester, threadIngester } from "../ingest/threads/ingester.ts";
import { storedHomes } from "../ingest/companions/stored-companions.ts";
import type { Depth, Environment, Source } from "../sources/source.ts";
import { mayBeThere, usualArchive, archiveFileOf, withoutPassword } from "../store/location.ts";
import { readOnly } from "../store/sqlite/errors.ts";
import type { Scope, Store } from "../store/store.ts";
import { LastLook } from "./last-look.ts";
import type { OpenOptions } from "./open-options.ts";
import { openStore, refuseOtherStores } from "./open-store.ts";
import type { Place } from "./places.ts";
import { isForNow, notSearched, staleWarning, tellUnread } from "./stale-warning.ts";
import type { StoreView, UsageView } from "./store-view.ts";
import { threadScript } from "./threads/thread-script.ts";

/** What a library was opened for. */
export interface Setup {
  options: OpenOptions;
  places: readonly Place[];
  sources: readonly Source[];
  environment: Environment;
  clock: () => number;
}

/** More than there are. */
const ALL_SESSIONS = 1_000_000;

/** How much of the sessions a question needs. */
type ReadDepth = Exclude<Depth, "usage">;
const DEPTHS: readonly ReadDepth[] = ["outline", "full"];

/**
 * Where answers come from: the store, after a look for changes, or the disk. The store is opened
 * with the first question.
 */
export class StoreAccess {
  readonly setup: Setup;
  readonly lastLook: LastLook = new LastLook();
  #store: Promise<Store> | undefined;
  #ingester: Promise<Ingester> | undefined;
  #looked: Promise<void> | undefined;
  readonly #disk = new Map<ReadDepth, Promise<StoreView>>();
  #diskUsage: Promise<UsageView> | undefined;
  #stored: Promise<StoreView> | undefined;

  constructor(setup: Setup) {
    this.setup = setup;
    const { store } = setup.options;
    if (typeof store === "string") refuseOtherStores(store);
  }

  /** Whether there is a store to work on. */
  get hasStore(): boolean {
    const { archive = "none", store } = this.setup.options;
    return store !== undefined || archive !== "none";
  }

  /** Whether answers come from it. */
  get isStoreUsed(): boolean {
    return this.hasStore && this.setup.options.refresh !== "fresh";
  }

  /** Where the store lies, or would. */
  get path(): string {
    const { archive = "none", store } = this.setup.options;
    if (store !== undefined) return withoutPassword(locationOf(store));
    if (archive !== "none") {
      return archive === "default" ? usualArchive(this.setup.environment) : archiveFileOf(archive);
    }
    throw new PolluxError("no-archive", "There is no archive to work on.", {
      remedy: "Name one with --archive, or leave out what excludes it.",
    });
  }

  /** What a question that needs this much of the sessions is answered from. */
  async reads(depth: ReadDepth): Promise<StoreView> {
    if (!this.isStoreUsed || (await this.#isAnsweredByDisk())) return this.#fromDisk(depth);
    await (this.#looked ??= this.#look());
    this.#stored ??= this.#view();
    return this.#stored;
  }

  /** The same for sums that need nothing of a session but its replies. */
  async readsUsage(): Promise<UsageView> {
    const { refresh = "look" } = this.setup.options;
    if (refresh === "fresh" || this.#disk.size > 0) return this.reads("outline");
    // With an empty store, usage is computed directly from the disk.
    const isEmpty = refresh === "look" && !this.isAsked && (await this.keptRoots()).length === 0;
    if (this.isStoreUsed && !isEmpty && !(await this.#isAnsweredByDisk())) {
      return this.reads("outline");
    }
    return (this.#diskUsage ??= this.#readDiskUsage());
  }

  /** The same for searches: the texts of all sessions are in the index. */
  async readsTexts(): Promise<StoreView> {
    const view = await this.reads("full");
    const { store } = view;
    const { options } = this.setup;
    const mayIndex = store.mode === "write" && options.index !== "elsewhere";
    try {
      if (mayIndex) await this.#indexTexts(store);
    } catch (error) {
      if (!isForNow(error)) throw error;
    }
    const left = await store.withoutTexts(ALL_SESSIONS);
    if (left.length > 0) options.remark?.(notSearched(left.length));
    return view;
  }

  /** What a store is opened by: with the password, unlike `path`. */
  get #location(): string {
    const { store } = this.setup.options;
    return store === undefined ? this.path : locationOf(store);
  }

  /** The store itself. */
  store(): Promise<Store> {
    const { store } = this.setup.options;
    const isOpen = store !== undefined && typeof store !== "string";
    this.#store ??= isOpen ? Promise.resolve(store) : openStore(this.#location);
    return this.#store;
  }

  /** The store, to keep something in it; why that is not possible is thrown. */
  async storeToWrite(): Promise<Store> {
    const store = await this.store();
    if (store.mode === "write") return store;
    throw readOnly(this.path);
  }

  /** Whether something may be kept already. A database is asked for it, a file has to be there. */
  get mayHoldSessions(): boolean {
    return this.hasStore && (this.setup.options.store !== undefined || mayBeThere(this.path));
  }

  /** Roots that something is kept of. Makes no file where there is none. */
  async keptRoots(): Promise<KnownRoot[]> {
    return this.mayHoldSessions ? (await this.store()).roots() : [];
  }

  /** Compares the disk with what is kept, and keeps what is new. */
  async ingest(how: RootHow, urgent?: ReadonlySet<string>): Promise<IngestReport[]> {
    const { progress } = this.setup.options;
    const ingester = await this.ingester();
    const reports = await ingester.ingest({
      places: this.foundPlaces(),
      how,
      ...optional("progress", progress),
      ...optional("urgent", urgent),
    });
    this.lastLook.note(reports, this.setup.clock());
    this.#looked = Promise.resolve();
    this.#stored = undefined;
    return reports;
  }

  /** What keeps and reads sessions, here or in a thread of its own. */
  ingester(): Promise<Ingester> {
    this.#ingester ??= this.#makeIngester();
    return this.#ingester;
  }

  /** Threads know the sources that are built in, and no others; a store they open by its name. */
  get #threadScript(): string | undefined {
    const { sources, store } = this.setup.options;
    return sources === undefined && typeof store !== "object" ? threadScript() : undefined;
  }

  async #makeIngester(): Promise<Ingester> {
    const { sources, clock, options } = this.setup;
    const script = this.#threadScript;
    const thread = script === undefined ? undefined : { script, location: this.#location };
    if (thread && options.ingest === "thread") return threadIngester(thread);
    const store = await this.store();
    return directIngester(store, { sources, clock, ...optional("helper", thread) });
  }

  /** Of a store on the disk, or of one in memory. */
  async #indexTexts(store: Store): Promise<void> {
    const isKept = this.#store !== undefined && store === (await this.#store);
    if (isKept) await (await this.ingester()).indexTexts();
    else await indexTexts(store, { sources: this.setup.sources });
  }

  /** Only the places that were asked for, not all that the store holds. */
  get isAsked(): boolean {
    return this.setup.environment.askedRoots.length > 0;
  }

  /** A root may appear while a watch goes on. */
  foundPlaces(): Place[] {
    return this.setup.places.map(({ source, root }) => {
      return { source, root: { ...root, isFound: root.isFound || existsSync(root.path) } };
    });
  }

  /** The next question looks for changes again. */
  lookAgain(): void {
    this.#looked = undefined;
    this.forget();
  }

  /** Gives back what was read; the next question reads again. */
  forget(): void {
    this.#disk.clear();
    this.#diskUsage = undefined;
    this.#stored = undefined;
  }

  async close(): Promise<void> {
    this.lookAgain();
    const [store, ingester] = [this.#store, this.#ingester];
    this.#store = undefined;
    this.#ingester = undefined;
    await (await ingester)?.close();
    await (await store)?.close();
  }

  /** Everything about folders that are not kept is. */
  async #isAnsweredByDisk(): Promise<boolean> {
    const { refresh = "look" } = this.setup.options;
    if (refresh !== "look" || !this.isAsked) return false;
    const paths = new Set((await this.keptRoots()).map(({ path }) => path));
    return !this.setup.places.every(({ root }) => paths.has(root.path));
  }

  #fromDisk(depth: ReadDepth): Promise<StoreView> {
    const wanted = this.setup.options.refresh === "fresh" ? "full" : depth;
    const deeper = DEPTHS.slice(DEPTHS.indexOf(wanted));
    const [known] = deeper.flatMap((each) => this.#disk.get(each) ?? []);
    if (known) return known;
    const reading = this.#readDisk(wanted);
    this.#disk.set(wanted, reading);
    return reading;
  }

  async #readDiskUsage(): Promise<UsageView> {
    const { sources, clock } = this.setup;
    const store = await diskUsage(this.foundPlaces(), Math.floor(clock()));
    return { store, sources, scope: "own" };
  }

  async #readDisk(depth: ReadDepth): Promise<StoreView> {
    const { sources, clock } = this.setup;
    const store = await diskStore(this.foundPlaces(), { depth, nowMs: Math.floor(clock()) });
    return { store, sources, scope: "own", homes: await storedHomes(store, sources) };
  }

  async #view(): Promise<StoreView> {
    const store = await this.store();
    const { sources, places } = this.setup;
    const paths = new Set(places.map(({ root }) => root.path));
    const roots = await store.roots();
    const scope: Scope = this.isAsked
      ? roots.filter(({ path }) => paths.has(path)).map(({ id }) => id)
      : "own";
    return { store, sources, scope, homes: await storedHomes(store, sources) };
  }

  async #tellFirst(store: Store): Promise<void> {
    const { firstKeep } = this.setup.options;
    if (!firstKeep || (await store.roots()).length > 0) return;
    const found = foundFiles(this.foundPlaces());
    if (found.sizeBytes > 0) firstKeep({ ...found, archive: this.path });
  }

  /** Brings the store up to date; when that is not possible now, what is kept can still be told. */
  async #look(): Promise<void> {
    const { refresh = "look", remark } = this.setup.options;
    if (refresh === "fresh") return;
    const store = await this.store();
    if (refresh === "none") return tellUnread(store, remark);
    if (store.mode === "read") {
      remark?.(await staleWarning(store, readOnly(this.path).message));
      return;
    }
    await this.#tellFirst(store);
    try {
      await this.ingest(this.isAsked ? "asked" : "usual");
    } catch (error) {
      if (!isForNow(error) || (await store.roots()).length === 0) throw error;
      remark?.(await staleWarning(store, error.message));
    }
  }
}

function locationOf(store: string | Store): string {
  return typeof store === "string" ? store : store.location;
}
