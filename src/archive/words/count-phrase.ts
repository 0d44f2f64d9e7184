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
  readonly #places: WordPlaces[] = [];
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
    for (const ending of endings) this.#addBehind(part, { ending, begun }, counts);
    return counts;
  }

  /** Places at which words stand one behind the other, in the texts that are looked at. */
  #beginnings(
    part: PartReader,
    words: readonly FoundWord[],
    within: Flags | undefined,
  ): Beginnings | undefined {
    const seen = this.#nothingSeen(part.count, within);
    const places = this.#load(part, words, seen);
    const [first, second, ...others] = places ?? [];
    if (!first) return undefined;
    const list = this.#list;
    list.length = 0;
    const counts = new Uint32Array(part.count);
    const starts = new Uint32Array(part.count);
    for (let text = 0; text < counts.length; text += 1) {
      if (seen[text] !== words.length) continue;
      const from = list.length;
      const where = { text, length: highestPlace(part, text, words.length) };
      list.add(first, second ?? first, where);
      for (const other of others) if (list.length > from) list.keep(other, from, where);
      starts[text] = from;
      counts[text] = list.length - from;
    }
    return { words: words.length, starts, counts };
  }

  /** The rarest first: what is left decides how much of the others must be read. */
  #load(
    part: PartReader,
    words: readonly FoundWord[],
    seen: Uint32Array,
  ): WordPlaces[] | undefined {
    const inOrder = words
      .map((found, offset) => ({ found, offset }))
      .toSorted((a, b) => positionBytes(a.found) - positionBytes(b.found));
    const places: WordPlaces[] = [];
    for (const [before, { found, offset }] of inOrder.entries()) {
      const own = this.#memoryFor(before);
      if (own.load(part, found, { seen, before }) === 0) return undefined;
      own.origin = originOf(offset, words.length);
      places.push(own);
    }
    return places;
  }

  /** Adds how often a word stands behind what has begun. */
  #addBehind(
    part: PartReader,
    { ending, begun }: { ending: FoundWord; begun: Beginnings },
    counts: Counts,
  ): void {
    const places = this.#memoryFor(0);
    places.load(part, ending, { seen: this.#seen, before: NEVER });
    places.origin = originOf(begun.words, begun.words);
    forEachText(part.words(ending.block), ending.entry, (text) => {
      const [from, count] = [begun.starts[text] ?? 0, begun.counts[text] ?? 0];
      if (count === 0) return;
      const where = { text, length: highestPlace(part, text, begun.words) };
      const more = this.#list.count(places, { from, end: from + count }, where);
      counts[text] = (counts[text] ?? 0) + more;
    });
  }

  #nothingSeen(count: number, within: Flags | undefined): Uint32Array {
    if (this.#seen.length < count) this.#seen = new Uint32Array(count);
    const seen = this.#seen;
    for (let text = 0; text < count; text += 1) seen[text] = within?.[text] === 0 ? NEVER : 0;
    return seen;
  }

  #memoryFor(word: number): WordPlaces {
    const places = this.#places[word] ?? new WordPlaces();
    this.#places[word] = places;
    return places;
  }
}

/** No phrase has so many words. */
const NEVER = 2 ** 32 - 1;

/** Where a phrase may begin, text by text, in the list of the counter. */
interface Beginnings {
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

function highestPlace(part: PartReader, text: number, words: number): number {
  return lengthOf(part.part.texts, text) + originOf(0, words);
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
