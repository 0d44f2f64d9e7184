import type { WordEntry } from "./block-reader.ts";
import { entriesOf } from "./block-reader.ts";
import { FACTS, roleOf, sessionOf } from "./part.ts";

/** A part as it is stored: its blocks are fetched when they are asked for. */
export interface StoredPart {
  id: number;
  texts: Uint32Array;
  length: number;
  /** The first word of each block. */
  firsts: readonly string[];
  words(block: number): Uint8Array;
  positions(block: number): Uint8Array;
}

/** A word of a part, and the block that it stands in. */
export interface FoundWord {
  entry: WordEntry;
  block: number;
}

const REMEMBERED_BLOCKS = 64;

/** Finds words in a part. */
export class PartReader {
  readonly part: StoredPart;
  readonly #blocks = new Map<number, { words: Uint8Array; entries: WordEntry[] }>();

  /** Words of one block are often asked for one after the other. */
  #last: { block: number; bytes: Uint8Array } | undefined;
  #kinds: { sessions: ReadonlySet<number>; roles: ReadonlySet<number> } | undefined;

  constructor(part: StoredPart) {
    this.part = part;
  }

  /** How many texts there are. */
  get count(): number {
    return this.part.texts.length / FACTS;
  }

  /** Which sessions and roles its texts are of. */
  get kinds(): { sessions: ReadonlySet<number>; roles: ReadonlySet<number> } {
    if (this.#kinds) return this.#kinds;
    const { texts } = this.part;
    const [sessions, roles] = [new Set<number>(), new Set<number>()];
    let last = -1;
    for (let text = 0; text < this.count; text += 1) {
      const session = sessionOf(texts, text);
      // Texts of one session often follow one another.
      if (session !== last) sessions.add(session);
      last = session;
      roles.add(roleOf(texts, text));
    }
    this.#kinds = { sessions, roles };
    return this.#kinds;
  }

  find(word: string): FoundWord | undefined {
    const block = this.#blockFor(word);
    const entry = this.#block(block)?.entries.find((one) => one.word === word);
    return entry && { entry, block };
  }

  /** Words that begin so. */
  *beginning(prefix: string): Generator<FoundWord> {
    for (let block = this.#blockFor(prefix); block < this.part.firsts.length; block += 1) {
      for (const entry of this.#block(block)?.entries ?? []) {
        if (entry.word.startsWith(prefix)) yield { entry, block };
        else if (entry.word > prefix) return;
      }
    }
  }

  /** All words, in the order of the alphabet. */
  *all(): Generator<FoundWord> {
    for (let block = 0; block < this.part.firsts.length; block += 1) {
      for (const entry of this.#block(block)?.entries ?? []) yield { entry, block };
    }
  }

  words(block: number): Uint8Array {
    return this.#block(block)?.words ?? new Uint8Array();
  }

  positions(block: number): Uint8Array {
    if (this.#last?.block !== block) this.#last = { block, bytes: this.part.positions(block) };
    return this.#last.bytes;
  }

  /** The last block that does not begin behind the word. */
  #blockFor(word: string): number {
    const { firsts } = this.part;
    let [low, high] = [0, firsts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] ?? "") <= word) low = middle;
      else high = middle;
    }
    return low;
  }

  #block(block: number): { words: Uint8Array; entries: WordEntry[] } | undefined {
    if (block >= this.part.firsts.length) return undefined;
    const known = this.#blocks.get(block);
    if (known) return known;
    const words = this.part.words(block);
    const made = { words, entries: entriesOf(words) };
    const [oldest] = this.#blocks.size >= REMEMBERED_BLOCKS ? this.#blocks.keys() : [];
    if (oldest !== undefined) this.#blocks.delete(oldest);
    this.#blocks.set(block, made);
    return made;
  }
}
