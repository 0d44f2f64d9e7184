import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { IngestProgress } from "../ingest/ingest-report.ts";
import type { Watching } from "../ingest/watch.ts";
import { watchPaths } from "../ingest/watch.ts";
import type { Library, OpenOptions } from "../library/library.ts";
import type { LongQueries, QueryThread } from "../library/threads/long-questions.ts";
import { queryHere } from "../library/threads/long-questions.ts";
import type { FirstKeep } from "../library/open-options.ts";

export interface LibraryOptions {
  /** Opens the library with a look at the disk; ingests new files in a thread. */
  open: (tell: Pick<OpenOptions, "progress" | "firstKeep">) => Promise<Library>;
  /** Opens the stored state immediately; absent if nothing is kept. */
  openKnown?: (() => Promise<Library>) | undefined;
  /** Opens the stored state in a separate thread; absent if nothing is kept. */
  openAside?: (() => Promise<QueryThread | undefined>) | undefined;
  /** Opens the disk without a store, to answer during the first run. */
  openDisk: () => Promise<Library>;
  clock: () => number;
}

export interface LibraryEvents {
  /** Invalidates the answers shown. */
  changed(): void;
  /** Called when keeping has progressed. */
  advanced(): void;
}

/** The sources of answers; lists may have to wait until something is read. */
interface Answering {
  sums: LongQueries;
  lists: Promise<Library>;
}

/** Looking for changes takes at most a quarter of the time. */
const REST_FACTOR = 3;
/** With more sessions than this, sums run in another thread, so that keys stay responsive. */
const LARGE = 5000;
/** Same if the store takes longer than this to answer. */
const SLOW_MS = 500;
/** How often lists are refreshed while a first run keeps. */
const GROWING_MS = 2000;

/**
 * Provides the answers for the home screen: first from the last known state, then from the present
 * one, then after every change while an agent runs. In a first run, sums come from the disk; then
 * everything is kept, and the lists grow.
 */
export class HomeLibrary {
  readonly #options: LibraryOptions;
  readonly #events: LibraryEvents;
  #answering: Promise<Answering>;
  #watching: Watching | undefined;
  #tookMs = 0;
  /** Stays open until the end: queries may still be running when it is replaced. */
  #known: Library | undefined;
  /** The thread for long queries, if there are many sessions. */
  #aside: Promise<QueryThread | undefined> | undefined;
  #replacing: Promise<unknown> | undefined;
  #isClosed = false;
  #isKeeping = false;
  /** Set while a first run keeps: the time of the last list, and how to show lists. */
  #growing: { shownMs: number; showKept: () => void } | undefined;
  /** What is kept in a first run. */
  firstKeep: FirstKeep | undefined;
  /** Progress of keeping; undefined if there is nothing to keep. */
  progress: (IngestProgress & { sinceMs: number }) | undefined;

  constructor(options: LibraryOptions, events: LibraryEvents) {
    this.#options = options;
    this.#events = events;
    this.#answering = this.#first();
  }

  /** For lists and for single sessions. */
  async current(): Promise<Library> {
    return (await this.#answering).lists;
  }

  /** For usage by time, agent or model. */
  async sums(): Promise<LongQueries> {
    return (await this.#answering).sums;
  }

  /** For long queries on kept sessions. */
  async questions(): Promise<LongQueries> {
    const { sums, lists } = await this.#answering;
    return this.isGrowing ? this.#asked(await lists, this.progress?.doneFiles ?? 0) : sums;
  }

  /** Whether lists are still incomplete because sessions are being kept. */
  get isGrowing(): boolean {
    return this.#growing !== undefined;
  }

  /** Whether something is being kept; closing must not wait for it. */
  get isBusy(): boolean {
    return this.#isKeeping || this.progress !== undefined;
  }

  async close(): Promise<void> {
    // Work started by the last change ends with the library.
    void this.#watching?.close();
    this.#isClosed = true;
    await this.#replacing;
    await (await this.#aside)?.close();
    await this.#known?.close();
    await (await this.current()).close();
  }

  async #first(): Promise<Answering> {
    const known = await this.#options.openKnown?.();
    if (known && (await known.archive.isUnused())) return this.#firstRun(known);
    const total = known && (await this.#look(known));
    if (known && total !== undefined && total > 0) {
      this.#known = known;
      this.#replacing = this.#replace();
      return this.#answeredBy(known, total);
    }
    await known?.close();
    const library = await this.#open();
    this.#begin(library);
    return this.#answeredBy(library, 0);
  }

  /** Replaces the last known state by the present one. */
  async #replace(): Promise<void> {
    // Show the known state first.
    await nextTurn();
    const library = await this.#open();
    let total = 0;
    try {
      total = await this.#look(library);
    } catch {
      // Keep showing the known state; other commands report the error.
      return library.close();
    }
    await this.#showNow(library, total);
  }

  /** Sums come from the disk; lists follow as soon as something is kept. */
  async #firstRun(known: Library): Promise<Answering> {
    this.#known = known;
    const sums = await this.#options.openDisk();
    const lists = new Promise<Library>((resolve, reject) => {
      this.#growing = { shownMs: 0, showKept: () => resolve(known) };
      this.#replacing = this.#keepAll(sums).then(resolve, reject);
    });
    return { sums: queryHere(sums), lists };
  }

  async #keepAll(disk: Library): Promise<Library> {
    this.#isKeeping = true;
    try {
      // Answer first, then keep.
      await disk.usage({ by: ["agent"] });
      const library = await this.#open();
      const total = await this.#look(library);
      this.#growing = undefined;
      await this.#showNow(library, total);
      return library;
    } finally {
      this.#isKeeping = false;
    }
  }

  /** Shows what is kept so far, while the rest is being kept. */
  #grow({ doneFiles }: IngestProgress): void {
    const nowMs = this.#options.clock();
    if (!this.#growing || doneFiles === 0 || nowMs - this.#growing.shownMs < GROWING_MS) return;
    this.#growing.shownMs = nowMs;
    this.#growing.showKept();
    this.#known?.release();
    void this.#releaseAside();
    this.#events.changed();
  }

  async #showNow(library: Library, total: number): Promise<void> {
    const answering = await this.#answeredBy(library, total);
    this.#answering = Promise.resolve(answering);
    if (this.#isClosed) return;
    this.#events.changed();
    this.#begin(library);
  }

  async #answeredBy(library: Library, total: number): Promise<Answering> {
    await this.#releaseAside();
    return { sums: await this.#asked(library, total), lists: Promise.resolve(library) };
  }

  async #releaseAside(): Promise<void> {
    (await this.#aside)?.release();
  }

  /** With many sessions, runs queries in another thread, so that keys stay responsive. */
  async #asked(library: Library, sessions: number): Promise<LongQueries> {
    const isLong = sessions > LARGE || this.#tookMs > SLOW_MS;
    if (isLong && !this.#isClosed) this.#aside ??= this.#options.openAside?.();
    return (await this.#aside) ?? queryHere(library);
  }

  #open(): Promise<Library> {
    return this.#options.open({
      progress: (progress) => {
        const sinceMs = this.progress?.sinceMs ?? this.#options.clock();
        const isOver = progress.doneBytes >= progress.totalBytes;
        this.progress = isOver ? undefined : { ...progress, sinceMs };
        this.#grow(progress);
        this.#events.advanced();
      },
      firstKeep: (found) => {
        this.firstKeep = found;
        this.#events.advanced();
      },
    });
  }

  #begin(library: Library): void {
    this.#watching = watchPaths(library.archive.watched(), () => this.#refresh());
  }

  async #refresh(): Promise<void> {
    const library = await this.current();
    library.archive.lookAgain();
    await this.#look(library);
    await this.#releaseAside();
    this.#events.changed();
    await sleep(this.#tookMs * REST_FACTOR, undefined, { ref: false });
  }

  /** The first query looks for changes. Returns the number of sessions. */
  async #look(library: Library): Promise<number> {
    const began = this.#options.clock();
    try {
      return (await library.review.stretch({}, { limit: 1 })).total;
    } finally {
      this.#tookMs = this.#options.clock() - began;
    }
  }
}
