import { releaseMemory } from "../ingest/threads/garbage.ts";
import type { Library } from "../library/library.ts";
import type { UsageQuery } from "../queries/usage/usage.ts";
import type { Transcript } from "../queries/transcript.ts";

/** Delay after a change, because agents write in bursts. */
const SETTLE_MS = 150;
/** Delay before the last known state is compared with the disk: the first page comes first. */
const FIRST_LOOK_MS = 1000;
/** Reading takes at most about a tenth of the time, however fast sessions grow. */
const REST_FACTOR = 10;
/** What every page has in its filters. */
const FIRST_QUERY: UsageQuery = { by: ["project"] };
const KEPT_TRANSCRIPTS = 3;
/** Idle time after which memory is released; the next request reads again. */
const REST_MS = 15_000;

export interface CurrentOptions {
  open: () => Promise<Library>;
  /** Opens the last known state without reading the disk, for the first answers. */
  openKnown?: () => Promise<Library>;
  now: () => number;
  /** Called when newly read data is in use. */
  refreshed: (generation: number) => void;
}

/**
 * Holds the library that serves requests. Answers come immediately from what was last read; after a
 * change on disk, a new library is read in the background and then replaces the old one.
 */
export class CurrentLibrary {
  readonly #options: CurrentOptions;
  #library: Promise<Library> | undefined;
  /** Number of requests in progress per library; it stays open until they finish. */
  readonly #answering = new Map<Promise<Library>, number>();
  /** Replaced libraries that still have requests in progress. */
  readonly #retired = new Set<Promise<Library>>();
  #generation = 1;
  /** State of the store when the library was put into use. */
  #state: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #readMs = 0;
  #readAtMs = 0;
  #transcripts = new Map<string, Promise<Transcript>>();
  #costs: Promise<ReadonlyMap<string, number | null>> | undefined;
  #sharedIds: Promise<string[]> | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(options: CurrentOptions) {
    this.#options = options;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Runs a query. Its library stays open until the query ends, even if it is replaced. */
  async answer<T>(make: (library: Library) => Promise<T> | T): Promise<T> {
    this.#stayAwake();
    const library = (this.#library ??= this.#opened());
    this.#answering.set(library, (this.#answering.get(library) ?? 0) + 1);
    try {
      return await make(await library);
    } finally {
      await this.#answered(library);
    }
  }

  /** Opens the library and runs a first query, while the browser loads the app. */
  prepare(): void {
    if (this.#library) return;
    // A failure is reported by the query that follows.
    setImmediate(() => void this.answer((library) => library.usage(FIRST_QUERY)).catch(() => {}));
  }

  async #answered(library: Promise<Library>): Promise<void> {
    const others = (this.#answering.get(library) ?? 1) - 1;
    if (others > 0) {
      this.#answering.set(library, others);
      return;
    }
    this.#answering.delete(library);
    if (this.#retired.delete(library)) await (await library).close();
  }

  /** After a failure, the next request tries again: an archive may be busy for a while. */
  async #opened(): Promise<Library> {
    try {
      return await this.#first();
    } catch (error) {
      this.#library = undefined;
      throw error;
    }
  }

  /** Releases memory when there are no more requests. */
  async giveBack(): Promise<void> {
    if (this.#answering.size > 0) {
      this.#rest?.refresh();
      return;
    }
    this.#forget();
    try {
      (await this.#library)?.release();
    } catch {
      // It could not be opened; the request that opened it got the error.
    }
    releaseMemory();
  }

  #stayAwake(): void {
    if (this.#rest) this.#rest.refresh();
    else this.#rest = setTimeout(() => void this.giveBack(), REST_MS).unref();
  }

  /** Called after a change on disk. Transcripts are dropped at once, lists are read again later. */
  moved(): void {
    this.#transcripts.clear();
    if (this.#timer || !this.#library) return;
    const now = this.#options.now();
    const rested = this.#readAtMs + this.#readMs * REST_FACTOR;
    this.#timer = setTimeout(() => void this.#refresh(), Math.max(SETTLE_MS, rested - now));
  }

  /** A session in full. The last ones are cached, because they are requested page by page. */
  async transcript(id: string): Promise<Transcript> {
    this.#stayAwake();
    const known = this.#transcripts.get(id);
    if (known) return known;
    const reading = this.answer((library) => library.transcript(id));
    this.#transcripts.set(id, reading);
    const [oldest] = this.#transcripts.keys();
    if (this.#transcripts.size > KEPT_TRANSCRIPTS && oldest) this.#transcripts.delete(oldest);
    try {
      return await reading;
    } catch (error) {
      this.#transcripts.delete(id);
      throw error;
    }
  }

  /** Called after a change through this server: drops what was read before. */
  changed(): void {
    this.#forget();
    this.moved();
  }

  #forget(): void {
    this.#transcripts.clear();
    this.#costs = undefined;
    this.#sharedIds = undefined;
  }

  /** Ids that sessions of several agents have. */
  sharedIds(): Promise<string[]> {
    return (this.#sharedIds ??= this.#readSharedIds());
  }

  async #readSharedIds(): Promise<string[]> {
    try {
      const seen = new Set<string>();
      const ids = await this.answer((library) => library.review.ids());
      return [...new Set(ids.filter((id) => seen.size === seen.add(id).size))];
    } catch (error) {
      this.#sharedIds = undefined;
      throw error;
    }
  }

  /** Cost of each session, in micro-dollars. */
  costs(): Promise<ReadonlyMap<string, number | null>> {
    return (this.#costs ??= this.#readCosts());
  }

  async #readCosts(): Promise<ReadonlyMap<string, number | null>> {
    try {
      return await this.answer((library) => library.review.costs());
    } catch (error) {
      this.#costs = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#rest);
    this.#timer = undefined;
    await (await this.#library)?.close();
  }

  /** Closes a replaced library after its last request. */
  async #retire(before: Promise<Library>): Promise<void> {
    if (this.#answering.has(before)) this.#retired.add(before);
    else await (await before).close();
  }

  /** Opens the last known state first; new data is read right after. */
  async #first(): Promise<Library> {
    const known = await this.#options.openKnown?.();
    if (!known || (await known.sessions({ limit: 1 })).sessions.length === 0) {
      await known?.close();
      return this.#read();
    }
    this.#state = await known.archive.state();
    this.#timer = setTimeout(() => void this.#refresh(), FIRST_LOOK_MS);
    return known;
  }

  async #refresh(): Promise<void> {
    try {
      const before = this.#library;
      const last = await before;
      const next = await this.#read();
      const nextState = await next.archive.state();
      // Each connection has tokens of its own, so the one before is asked what it missed.
      const state = await last?.archive.state();
      const hasNews = state === undefined || state !== this.#state;
      this.#state = nextState;
      this.#library = Promise.resolve(next);
      if (before) await this.#retire(before);
      if (hasNews) this.#tellNews();
    } catch {
      // Keep serving the last data; the next change tries again.
    } finally {
      this.#timer = undefined;
      // Reading used memory, even if it failed.
      this.#stayAwake();
    }
  }

  #tellNews(): void {
    this.#forget();
    this.#generation += 1;
    this.#options.refreshed(this.#generation);
  }

  async #read(): Promise<Library> {
    const began = this.#options.now();
    const library = await this.#options.open();
    // The first query reads everything; run it here, so that no user waits for it.
    await library.sessions({ limit: 1 });
    // The next change is read by another library.
    await library.archive.endIngest();
    this.#readAtMs = this.#options.now();
    this.#readMs = this.#readAtMs - began;
    return library;
  }
}
