import { IS_RUN } from "../../../core/fold.ts";
import { forEachText } from "./block-reader.ts";
import { lengthOf } from "./part.ts";
import type { FoundWord, PartReader } from "./part-reader.ts";
import { PlaceList } from "./place-list.ts";
import { WordPlaces } from "./word-places.ts";
import type { Phrase } from "./words-of.ts";

/** How often a phrase stands in each text of a part; nothing when it stands in none. */
export type Counts = Uint32Array;
/** 1 for a text that is looked at. */
export type Flags = Uint8Array;

/** The words of a phrase as a part knows them; nothing when one of them stands nowhere. */
export interface FoundPhrase {
  before: FoundWord[];
  /** Words that may be the last: several, when only their beginning is told. */
  endings: FoundWord[];
}

export function findPhrase(part: PartReader, phrase: Phrase): FoundPhrase | undefined {
  const last = phrase.words.at(-1);
  if (last === undefined) return undefined;
  const before = phrase.words.slice(0, -1).flatMap((word) => part.find(word) ?? []);
  if (before.length < phrase.words.length - 1) return undefined;
  const endings = phrase.isPrefix ? [...part.beginning(last)] : [part.find(last) ?? []].flat();
  return endings.length === 0 ? undefined : { before, endings };
}

/** In no more texts than so many it can stand. */
export function mostTexts({ before, endings }: FoundPhrase): number {
  const last = endings.reduce((sum, { entry }) => sum + entry.count, 0);
  return before.reduce((least, { entry }) => Math.min(least, entry.count), last);
}

/** Counts phrases in one part after the other, with memory that is used again. */
export class PhraseCounter {
  readonly #list = new PlaceList();
  readonly #rarest = new WordPlaces();
  readonly #other = new WordPlaces();
  /** By text, how many words of the phrase stand in it, as far as they were looked for. */
  #seen = new Uint32Array();

  /** Nothing, when it stands in none of the texts that are looked at. */
  count(
    part: PartReader,
    { before, endings }: FoundPhrase,
    within: Flags | undefined,
  ): Counts | undefined {
    if (before.length === 0) return countWords(part, endings);
    const [only] = endings.length === 1 ? endings : [];
    // The whole phrase at once, when it is known how it ends.
    const begun = this.#beginnings(part, only ? [...before, only] : before, within);
    if (!begun || only) return begun?.counts;
    const counts = new Uint32Array(part.count);
    for (const ending of endings) this.#addBehind(begun, ending, counts);
    return counts;
  }

  /**
   * Places at which words stand one behind the other, in the texts that are looked at. The rarest
   * words come first, and each is looked for only where those before have left something: of a long
   * phrase, the last words need not even be fetched for most parts.
   */
  #beginnings(
    part: PartReader,
    words: readonly FoundWord[],
    within: Flags | undefined,
  ): Beginnings | undefined {
    const inOrder = words
      .map((found, offset) => {
        const says = isImplied(found, words[offset - 1]) ? "little" : "much";
        return { found, says, origin: originOf(offset, words.length) };
      })
      .toSorted((a, b) => {
        if (a.says !== b.says) return a.says === "little" ? 1 : -1;
        return positionBytes(a.found) - positionBytes(b.found);
      });
    const [first, ...others] = inOrder;
    const seen = this.#nothingSeen(part.count, within);
    if (!first) return undefined;
    this.#rarest.load(part, first, { seen, before: 0 });
    if (this.#rarest.count === 0) return undefined;
    this.#list.length = 0;
    const [starts, counts] = [new Uint32Array(part.count), new Uint32Array(part.count)];
    const begun = { part, words: words.length, starts, counts };
    if (others.length === 0) this.#look(begun, this.#rarest, 1);
    for (const [at, other] of others.entries()) {
      this.#other.load(part, other, { seen, before: at + 1 });
      if (this.#look(begun, this.#other, at + 2) === 0) return undefined;
    }
    for (let text = 0; text < part.count; text += 1) {
      if (seen[text] !== words.length) counts[text] = 0;
    }
    return begun;
  }

  /** Looks for the next word in the texts that have all so far; says in how many it fits. */
  #look(begun: Beginnings, word: WordPlaces, words: number): number {
    const { starts, counts } = begun;
    const list = this.#list;
    const seen = this.#seen;
    let left = 0;
    for (let at = 0; at < word.count; at += 1) {
      const text = word.texts[at] ?? 0;
      const where = { text, length: highestPlace(begun, text) };
      if (words > 2) counts[text] = list.keep(word, stretchOf(begun, text), where);
      else {
        starts[text] = list.length;
        counts[text] = list.add(this.#rarest, word, where);
      }
      if (counts[text] === 0) seen[text] = NEVER;
      else left += 1;
    }
    return left;
  }

  /** Adds how often a word stands behind what has begun. */
  #addBehind(begun: Beginnings, { entry, block }: FoundWord, counts: Counts): void {
    const { part, words } = begun;
    const word = { found: { entry, block }, origin: originOf(words, words) };
    this.#other.load(part, word, { seen: this.#seen, before: words });
    for (const text of this.#other.texts.subarray(0, this.#other.count)) {
      // As it was, for the next ending.
      this.#seen[text] = words;
      const where = { text, length: highestPlace(begun, text) };
      const more = this.#list.count(this.#other, stretchOf(begun, text), where);
      counts[text] = (counts[text] ?? 0) + more;
    }
  }

  #nothingSeen(count: number, within: Flags | undefined): Uint32Array {
    if (this.#seen.length < count) this.#seen = new Uint32Array(count);
    const seen = this.#seen;
    for (let text = 0; text < count; text += 1) seen[text] = within?.[text] === 0 ? NEVER : 0;
    return seen;
  }
}

/** No phrase has so many words. */
const NEVER = 2 ** 32 - 1;

/** Where a phrase may begin, text by text, in the list of the counter. */
interface Beginnings {
  part: PartReader;
  /** How many words stand there. */
  words: number;
  starts: Uint32Array;
  counts: Counts;
}

/**
 * The word that stands at `offset` of a phrase lets it begin so many words before. Places are
 * counted from above 0, so that a phrase which would begin before its text does has one as well:
 * nobody else agrees to it.
 */
function originOf(offset: number, words: number): number {
  return words + 1 - offset;
}

function highestPlace({ part, words }: Beginnings, text: number): number {
  return lengthOf(part.part.texts, text) + originOf(0, words);
}

function stretchOf({ starts, counts }: Beginnings, text: number): { from: number; count: number } {
  return { from: starts[text] ?? 0, count: counts[text] ?? 0 };
}

/**
 * Of a script without spaces, words are pairs of characters, and each one's second character
 * begins the next: behind `函数`, nearly every place of `数解` fits already.
 */
function isImplied({ entry }: FoundWord, before: FoundWord | undefined): boolean {
  const [, second] = Array.from(before?.entry.word ?? "");
  return second !== undefined && IS_RUN.test(second) && entry.word.startsWith(second);
}

function positionBytes({ entry }: FoundWord): number {
  return entry.positions.end - entry.positions.start;
}

function countWords(part: PartReader, words: readonly FoundWord[]): Counts {
  const counts = new Uint32Array(part.count);
  for (const { entry, block } of words) {
    forEachText(part.words(block), entry, (text, times) => {
      counts[text] = (counts[text] ?? 0) + times;
    });
  }
  return counts;
}
