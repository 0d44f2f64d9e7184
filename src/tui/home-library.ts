import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { IngestProgress } from "../ingest/ingest-report.ts";
import type { Watching } from "../ingest/watch.ts";
import { watchPlaces } from "../ingest/watch.ts";
import type { Library, OpenOptions } from "../library/library.ts";
import type { FirstKeep } from "../library/open-options.ts";

export interface LibraryOptions {
  /** Answers after a look at the disk, and keeps what is new in a thread of its own. */
  open: (tell: Pick<OpenOptions, "progress" | "firstKeep">) => Promise<Library>;
  /** What was known last, at once; absent where nothing is kept. */
  openKnown?: (() => Promise<Library>) | undefined;
  clock: () => number;
}

export interface LibraryEvents {
  /** Answers may be others now. */
  changed(): void;
  /** The keeping goes on. */
  advanced(): void;
}

/** Looking takes so much of the time at most: one part in four. */
const REST_FACTOR = 3;

/**
 * What the home is answered from: the last known state at once, then the present one, then every
 * change while an agent runs.
 */
export class HomeLibrary {
  readonly #options: LibraryOptions;
  readonly #tell: LibraryEvents;
  #current: Promise<Library>;
  #watching: Watching | undefined;
  #tookMs = 0;
  /** Open to the end: questions to it may still be under way when it is replaced. */
  #known: Library | undefined;
  #replacing: Promise<void> | undefined;
  #isClosed = false;
  /** What is kept for the first time. */
  firstKeep: FirstKeep | undefined;
  /** How far the keeping is; nothing when there is nothing to keep. */
  progress: (IngestProgress & { sinceMs: number }) | undefined;

  constructor(options: LibraryOptions, tell: LibraryEvents) {
    this.#options = options;
    this.#tell = tell;
    this.#current = this.#first();
  }

  current(): Promise<Library> {
    return this.#current;
  }

  async close(): Promise<void> {
    // Whatever was begun by the last change ends with the library.
    void this.#watching?.close();
    this.#isClosed = true;
    await this.#replacing;
    await this.#known?.close();
    await (await this.#current).close();
  }

  async #first(): Promise<Library> {
    const known = await this.#options.openKnown?.();
    const isUseful =
      known !== undefined &&
      !(await known.archive.isUnused()) &&
      (await known.sessions({ limit: 1 })).total > 0;
    if (known && isUseful) {
      this.#known = known;
      this.#replacing = this.#replace();
      return known;
    }
    await known?.close();
    const library = await this.#open();
    this.#begin(library);
    return library;
  }

  /** The state of now in the place of the one that was known. */
  async #replace(): Promise<void> {
    // What is known is shown first.
    await nextTurn();
    const library = await this.#open();
    try {
      await this.#look(library);
    } catch {
      // What was known goes on being shown; why it is not newer is told by every other command.
      return library.close();
    }
    this.#current = Promise.resolve(library);
    if (this.#isClosed) return;
    this.#tell.changed();
    this.#begin(library);
  }

  #open(): Promise<Library> {
    return this.#options.open({
      progress: (progress) => {
        const sinceMs = this.progress?.sinceMs ?? this.#options.clock();
        const isOver = progress.doneBytes >= progress.totalBytes;
        this.progress = isOver ? undefined : { ...progress, sinceMs };
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
    const library = await this.#current;
    library.archive.lookAgain();
    await this.#look(library);
    this.#tell.changed();
    await sleep(this.#tookMs * REST_FACTOR, undefined, { ref: false });
  }

  /** The first question looks for changes. */
  async #look(library: Library): Promise<void> {
    const began = this.#options.clock();
    try {
      await library.sessions({ limit: 1 });
    } finally {
      this.#tookMs = this.#options.clock() - began;
    }
  }
}
