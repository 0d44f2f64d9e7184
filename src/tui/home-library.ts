import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { IngestProgress } from "../ingest/ingest-report.ts";
import type { Watching } from "../ingest/watch.ts";
import { watchPlaces } from "../ingest/watch.ts";
import type { Library, OpenOptions } from "../library/library.ts";
import type { LongQuestions, QuestionThread } from "../library/threads/long-questions.ts";
import { askHere } from "../library/threads/long-questions.ts";
import type { FirstKeep } from "../library/open-options.ts";

export interface LibraryOptions {
  /** Answers after a look at the disk, and keeps what is new in a thread of its own. */
  open: (tell: Pick<OpenOptions, "progress" | "firstKeep">) => Promise<Library>;
  /** What is kept as it is, at once; absent where nothing is. */
  openKnown?: (() => Promise<Library>) | undefined;
  /** The same, asked in a thread of its own; absent where nothing is kept. */
  openAside?: (() => Promise<QuestionThread | undefined>) | undefined;
  /** What lies on the disk, and nothing else: the first run is answered from it. */
  openDisk: () => Promise<Library>;
  clock: () => number;
}

export interface LibraryEvents {
  /** Answers may be others now. */
  changed(): void;
  /** The keeping goes on. */
  advanced(): void;
}

/** What questions are asked of; lists may have to wait until something is read. */
interface Answering {
  sums: LongQuestions;
  lists: Promise<Library>;
}

/** Looking takes so much of the time at most: one part in four. */
const REST_FACTOR = 3;
/** Where there are more sessions, a sum takes longer than a key should wait; */
const LARGE = 5000;
/** and where the store itself takes its time. */
const SLOW_MS = 500;
/** While a first run keeps, lists are made again so often. */
const GROWING_MS = 2000;

/**
 * What the home is answered from: the last known state at once, then the present one, then every
 * change while an agent runs. In a first run, sums come from the disk, then everything is kept, and
 * lists grow with it.
 */
export class HomeLibrary {
  readonly #options: LibraryOptions;
  readonly #tell: LibraryEvents;
  #answering: Promise<Answering>;
  #watching: Watching | undefined;
  #tookMs = 0;
  /** Open to the end: questions to it may still be under way when it is replaced. */
  #known: Library | undefined;
  /** Answers what takes long, where there is much. */
  #aside: Promise<QuestionThread | undefined> | undefined;
  #replacing: Promise<unknown> | undefined;
  #isClosed = false;
  #isKeeping = false;
  /** While a first run keeps: when lists were made last, and how they come to be shown. */
  #growing: { shownMs: number; showKept: () => void } | undefined;
  /** What is kept for the first time. */
  firstKeep: FirstKeep | undefined;
  /** How far the keeping is; nothing when there is nothing to keep. */
  progress: (IngestProgress & { sinceMs: number }) | undefined;

  constructor(options: LibraryOptions, tell: LibraryEvents) {
    this.#options = options;
    this.#tell = tell;
    this.#answering = this.#first();
  }

  /** For lists, and everything about a session. */
  async current(): Promise<Library> {
    return (await this.#answering).lists;
  }

  /** For what was spent, by time, agent or model. */
  async sums(): Promise<LongQuestions> {
    return (await this.#answering).sums;
  }

  /** For what takes long, and is about kept sessions. */
  async questions(): Promise<LongQuestions> {
    const { sums, lists } = await this.#answering;
    return this.isGrowing ? this.#asked(await lists, this.progress?.doneFiles ?? 0) : sums;
  }

  /** Lists hold what is kept so far, and not yet all. */
  get isGrowing(): boolean {
    return this.#growing !== undefined;
  }

  /** Something is being kept: nobody shall wait for its end. */
  get isBusy(): boolean {
    return this.#isKeeping || this.progress !== undefined;
  }

  async close(): Promise<void> {
    // Whatever was begun by the last change ends with the library.
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

  /** The state of now in the place of the one that was known. */
  async #replace(): Promise<void> {
    // What is known is shown first.
    await nextTurn();
    const library = await this.#open();
    let total = 0;
    try {
      total = await this.#look(library);
    } catch {
      // What was known goes on being shown; why it is not newer is told by every other command.
      return library.close();
    }
    await this.#showNow(library, total);
  }

  /** Sums from the disk; lists as soon as something is kept. */
  async #firstRun(known: Library): Promise<Answering> {
    this.#known = known;
    const sums = await this.#options.openDisk();
    const lists = new Promise<Library>((resolve, reject) => {
      this.#growing = { shownMs: 0, showKept: () => resolve(known) };
      this.#replacing = this.#keepAll(sums).then(resolve, reject);
    });
    return { sums: askHere(sums), lists };
  }

  async #keepAll(disk: Library): Promise<Library> {
    this.#isKeeping = true;
    try {
      // It answers first, and then keeps.
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

  /** What is kept by now is shown, while the rest is being kept. */
  #grow({ doneFiles }: IngestProgress): void {
    const nowMs = this.#options.clock();
    if (!this.#growing || doneFiles === 0 || nowMs - this.#growing.shownMs < GROWING_MS) return;
    this.#growing.shownMs = nowMs;
    this.#growing.showKept();
    this.#known?.release();
    void this.#releaseAside();
    this.#tell.changed();
  }

  async #showNow(library: Library, total: number): Promise<void> {
    const answering = await this.#answeredBy(library, total);
    this.#answering = Promise.resolve(answering);
    if (this.#isClosed) return;
    this.#tell.changed();
    this.#begin(library);
  }

  async #answeredBy(library: Library, total: number): Promise<Answering> {
    await this.#releaseAside();
    return { sums: await this.#asked(library, total), lists: Promise.resolve(library) };
  }

  async #releaseAside(): Promise<void> {
    (await this.#aside)?.release();
  }

  /** Keys are answered while sums are made: where there is much, in another thread. */
  async #asked(library: Library, sessions: number): Promise<LongQuestions> {
    const isLong = sessions > LARGE || this.#tookMs > SLOW_MS;
    if (isLong && !this.#isClosed) this.#aside ??= this.#options.openAside?.();
    return (await this.#aside) ?? askHere(library);
  }

  #open(): Promise<Library> {
    return this.#options.open({
      progress: (progress) => {
        const sinceMs = this.progress?.sinceMs ?? this.#options.clock();
        const isOver = progress.doneBytes >= progress.totalBytes;
        this.progress = isOver ? undefined : { ...progress, sinceMs };
        this.#grow(progress);
        this.#tell.advanced();
      },
      firstKeep: (found) => {
        this.firstKeep = found;
        this.#tell.advanced();
      },
    });
  }

  #begin(library: Library): void {
    this.#watching = watchPlaces(library.archive.watched(), () => this.#refresh());
  }

  async #refresh(): Promise<void> {
    const library = await this.current();
    library.archive.lookAgain();
    await this.#look(library);
    await this.#releaseAside();
    this.#tell.changed();
    await sleep(this.#tookMs * REST_FACTOR, undefined, { ref: false });
  }

  /** The first question looks for changes. Says how many sessions there are. */
  async #look(library: Library): Promise<number> {
    const began = this.#options.clock();
    try {
      return (await library.review.stretch({}, { limit: 1 })).total;
    } finally {
      this.#tookMs = this.#options.clock() - began;
    }
  }
}
