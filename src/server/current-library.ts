import { sweepAllMemory } from "../ingest/threads/spare-memory.ts";
import type { Library } from "../library/library.ts";
import type { Transcript } from "../queries/transcript.ts";

/** After a change, so long is waited for more of them: a program writes in bursts. */
const SETTLE_MS = 150;
/** Reading takes at most about a tenth of the time, however fast sessions grow. */
const REST_FACTOR = 10;
const KEPT_TRANSCRIPTS = 3;
const KEPT_ANSWERS = 60;
/** Answers about today are made again so often. */
const ANSWERED_MS = 600_000;
/** When nobody has asked for so long, memory is given back; the next answer reads again. */
const REST_MS = 15_000;

export interface CurrentOptions {
  open: () => Promise<Library>;
  /** What was known when it was last looked, without a look at the disk; for the first answers. */
  openKnown?: () => Promise<Library>;
  now: () => number;
  /** What was read is answered from now on. */
  refreshed: (generation: number) => void;
}

/**
 * Holds the library that questions are answered from. Answers come from what was last read, at
 * once; when something on the disk moved, it is read again beside them and then takes their place.
 */
export class CurrentLibrary {
  readonly #options: CurrentOptions;
  #library: Promise<Library> | undefined;
  /** How many answers are being made from a library: until then it stays open. */
  readonly #answering = new Map<Promise<Library>, number>();
  /** Another one took their place while answers were made from them. */
  readonly #retired = new Set<Promise<Library>>();
  #generation = 1;
  #timer: NodeJS.Timeout | undefined;
  #readMs = 0;
  #readAtMs = 0;
  #transcripts = new Map<string, Promise<Transcript>>();
  #costs: Promise<ReadonlyMap<string, number | null>> | undefined;
  #answers = new Map<string, Promise<unknown>>();
  #rest: NodeJS.Timeout | undefined;

  constructor(options: CurrentOptions) {
    this.#options = options;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Makes an answer. What it is made from stays open until then, whatever takes its place. */
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

  async #answered(library: Promise<Library>): Promise<void> {
    const others = (this.#answering.get(library) ?? 1) - 1;
    if (others > 0) {
      this.#answering.set(library, others);
      return;
    }
    this.#answering.delete(library);
    if (this.#retired.delete(library)) await (await library).close();
  }

  /** What failed is tried again by the next question: an archive may be busy for a while. */
  async #opened(): Promise<Library> {
    try {
      return await this.#first();
    } catch (error) {
      this.#library = undefined;
      throw error;
    }
  }

  /** Nobody asks any more: what was read is let go, and what it took is given back. */
  async giveBack(): Promise<void> {
    if (this.#answering.size > 0) {
      this.#rest?.refresh();
      return;
    }
    this.#forget();
    try {
      (await this.#library)?.release();
    } catch {
      // It could not be opened: whoever asked got the error.
    }
    sweepAllMemory();
  }

  #stayAwake(): void {
    if (this.#rest) this.#rest.refresh();
    else this.#rest = setTimeout(() => void this.giveBack(), REST_MS).unref();
  }

  /** Something moved on the disk. Single sessions are read anew at once, lists a little later. */
  moved(): void {
    this.#transcripts.clear();
    if (this.#timer || !this.#library) return;
    const now = this.#options.now();
    const rested = this.#readAtMs + this.#readMs * REST_FACTOR;
    this.#timer = setTimeout(() => void this.#refresh(), Math.max(SETTLE_MS, rested - now));
  }

  /** A session in full; asked for page by page, so the last ones are kept at hand. */
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

  /** An answer that was given since the last change is given again. */
  async remembered<T>(question: string, answer: () => Promise<T>): Promise<T> {
    const key = `${Math.floor(this.#options.now() / ANSWERED_MS)} ${question}`;
    const known = this.#answers.get(key);
    if (known) return known as Promise<T>;
    const asked = answer();
    this.#answers.set(key, asked);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > KEPT_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    try {
      return await asked;
    } catch (error) {
      this.#answers.delete(key);
      throw error;
    }
  }

  /** Something was changed here, not on the disk: what was answered is no longer so. */
  changed(): void {
    this.#forget();
    this.moved();
  }

  #forget(): void {
    this.#transcripts.clear();
    this.#answers.clear();
    this.#costs = undefined;
  }

  /** What each session cost, in micro-dollars. */
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

  /** Another one took its place: it is closed with the last answer that is made from it. */
  async #retire(before: Promise<Library>): Promise<void> {
    if (this.#answering.has(before)) this.#retired.add(before);
    else await (await before).close();
  }

  /** The last known state at once; what is new is read right after it was shown. */
  async #first(): Promise<Library> {
    const known = await this.#options.openKnown?.();
    if (!known || (await known.sessions({ limit: 1 })).sessions.length === 0) {
      await known?.close();
      return this.#read();
    }
    this.#timer = setTimeout(() => void this.#refresh(), SETTLE_MS);
    return known;
  }

  async #refresh(): Promise<void> {
    try {
      const before = this.#library;
      await before;
      const next = await this.#read();
      this.#library = Promise.resolve(next);
      if (before) await this.#retire(before);
      this.#forget();
      this.#generation += 1;
      this.#options.refreshed(this.#generation);
    } catch {
      // What was last read goes on being answered; the next change tries again.
    } finally {
      this.#timer = undefined;
      // Reading took memory, also when it failed.
      this.#stayAwake();
    }
  }

  async #read(): Promise<Library> {
    const began = this.#options.now();
    const library = await this.#options.open();
    // The first question reads everything: it is asked here, so that no visitor waits for it.
    await library.sessions({ limit: 1 });
    this.#readAtMs = this.#options.now();
    this.#readMs = this.#readAtMs - began;
    return library;
  }
}
