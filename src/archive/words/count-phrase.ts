import { forEachText, NumberReader } from "./block-reader.ts";
import { factsOf } from "./part.ts";
import type { FoundWord, PartReader } from "./part-reader.ts";
import { doubled } from "./unit-table.ts";
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

export function countPhrase(
  part: PartReader,
  { before, endings }: FoundPhrase,
  within: Flags | undefined,
): Counts | undefined {
  const counts = new Uint32Array(part.count);
  if (before.length === 0) {
    for (const { entry, block } of endings) {
      forEachText(part.words(block), entry, (text, times) => {
        counts[text] = (counts[text] ?? 0) + times;
      });
    }
    return counts;
  }
  const words = before.map((found, offset) => new TextPlaces(part, found, offset));
  const [only] = endings.length === 1 ? endings : [];
  // The whole phrase at once, when it is known how it ends.
  const known = only ? [...words, new TextPlaces(part, only, words.length)] : words;
  const begun = beginnings(part.count, known, within);
  if (only) {
    const { starts, ends } = begun;
    for (let text = 0; text < counts.length; text += 1) {
      counts[text] = (ends[text] ?? 0) - (starts[text] ?? 0);
    }
    return counts;
  }
  for (const found of endings) countBehind(part, { found, offset: words.length, begun }, counts);
  return counts;
}

/** Where a phrase may begin, text by text: `list[starts[text]]` up to `list[ends[text]]`. */
interface Beginnings {
  list: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Places at which words stand one behind the other, in the texts that are looked at. */
function beginnings(
  count: number,
  words: readonly TextPlaces[],
  within: Flags | undefined,
): Beginnings {
  // The rarest first: what is left decides how much of the others must be read.
  const [first, second, ...others] = words.toSorted((a, b) => a.size - b.size);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let list = new Uint32Array(1 << 12);
  let length = 0;
  if (!first) return { list, starts, ends };
  for (let text = 0; text < count; text += 1) {
    if (within?.[text] === 0 || !words.every((word) => word.times(text) > 0)) continue;
    while (list.length < length + first.times(text)) list = doubled(list);
    starts[text] = length;
    if (second) {
      first.mark(text);
      length = second.take(text, list, length);
    } else length = first.read(text, list, length);
    const from = starts[text] ?? 0;
    for (const other of others) {
      if (length > from) length = other.keep(text, list, { from, end: length });
    }
    ends[text] = length;
  }
  return { list, starts, ends };
}

/** Adds how often a word stands behind what has begun. */
function countBehind(
  part: PartReader,
  { found, offset, begun }: { found: FoundWord; offset: number; begun: Beginnings },
  counts: Counts,
): void {
  const places = new TextPlaces(part, found, offset);
  const { list, starts, ends } = begun;
  forEachText(part.words(found.block), found.entry, (text) => {
    const [from, end] = [starts[text] ?? 0, ends[text] ?? 0];
    if (from === end) return;
    const some = list.slice(from, end);
    counts[text] = (counts[text] ?? 0) + places.keep(text, some, { from: 0, end: end - from });
  });
}

/**
 * The positions of a word in the texts of a part; those of a text are read when asked for. Steps
 * are read in place, written out three times: a search spends nearly all its time there, and a call
 * for every position takes longer than the rest.
 */
class TextPlaces {
  /** In bytes. */
  readonly size: number;
  readonly #offset: number;
  readonly #bytes: Uint8Array;
  readonly #at: Uint32Array;
  readonly #times: Uint32Array;
  readonly #texts: Uint32Array;

  constructor(part: PartReader, { entry, block }: FoundWord, offset: number) {
    const [words, positions] = [part.words(block), part.positions(block)];
    const at = new Uint32Array(part.count);
    const times = new Uint32Array(part.count);
    const { start, end } = entry.texts;
    const reader = new NumberReader(words, start);
    let place = entry.positions.start;
    for (let text = 0; reader.at < end;) {
      const step = reader.next();
      text += step >>> 1;
      at[text] = place;
      times[text] = step % 2 === 1 ? 1 : reader.next();
      if (step % 2 === 0) place += reader.next();
      else while ((positions[place++] ?? 0) > 127);
    }
    this.size = entry.positions.end - entry.positions.start;
    this.#offset = offset;
    this.#bytes = positions;
    this.#at = at;
    this.#times = times;
    this.#texts = part.part.texts;
  }

  times(text: number): number {
    return this.#times[text] ?? 0;
  }

  /** Where the phrase would begin for the word to stand where it does. Says where the list ends. */
  read(text: number, list: Uint32Array, from: number): number {
    const bytes = this.#bytes;
    let at = this.#at[text] ?? 0;
    let begin = -this.#offset;
    let length = from;
    for (let left = this.#times[text] ?? 0; left > 0; left -= 1) {
      let byte = bytes[at++] ?? 0;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0;
        step |= (byte & 127) << shift;
      }
      begin += step;
      if (begin >= 0) list[length++] = begin;
    }
    return length;
  }

  /** Marks where the phrase would begin. */
  mark(text: number): void {
    const { marks, now } = marksFor(this.#lengthOf(text));
    const bytes = this.#bytes;
    let at = this.#at[text] ?? 0;
    let begin = -this.#offset;
    for (let left = this.#times[text] ?? 0; left > 0; left -= 1) {
      let byte = bytes[at++] ?? 0;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0;
        step |= (byte & 127) << shift;
      }
      begin += step;
      if (begin >= 0) marks[begin] = now;
    }
  }

  /** Lists the beginnings that are marked, and at which this word stands in its place, too. */
  take(text: number, list: Uint32Array, from: number): number {
    const marks = spareMarks;
    const now = moment;
    const bytes = this.#bytes;
    let at = this.#at[text] ?? 0;
    let begin = -this.#offset;
    let length = from;
    for (let left = this.#times[text] ?? 0; left > 0; left -= 1) {
      let byte = bytes[at++] ?? 0;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0;
        step |= (byte & 127) << shift;
      }
      begin += step;
      if (begin >= 0 && marks[begin] === now) list[length++] = begin;
    }
    return length;
  }

  /** Of beginnings, those at which this word stands in its place. Says where they end. */
  keep(text: number, list: Uint32Array, { from, end }: { from: number; end: number }): number {
    const { marks, now } = marksFor(this.#lengthOf(text));
    for (let place = from; place < end; place += 1) marks[list[place] ?? 0] = now;
    return this.take(text, list, from);
  }

  #lengthOf(text: number): number {
    return factsOf(this.#texts, text).length + 1;
  }
}

/** Memory for marks that is used again: a mark of an earlier moment is none. */
let spareMarks = new Int32Array(1 << 16);
let moment = 0;

function marksFor(length: number): { marks: Int32Array; now: number } {
  if (spareMarks.length < length) spareMarks = new Int32Array(length * 2);
  if (moment === LAST_MOMENT) {
    spareMarks.fill(0);
    moment = 0;
  }
  moment += 1;
  return { marks: spareMarks, now: moment };
}

const LAST_MOMENT = 2 ** 30;
