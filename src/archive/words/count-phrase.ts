import { forEachText, NumberReader } from "./block-reader.ts";
import type { FoundWord, PartReader } from "./part-reader.ts";
import type { Phrase } from "./words-of.ts";

/** How often a phrase stands in each text of a part; nothing when it stands in none. */
export type Counts = Uint32Array;

export function countPhrase(part: PartReader, { words, isPrefix }: Phrase): Counts | undefined {
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const before = words.slice(0, -1).map((word) => part.find(word));
  if (before.some((found) => found === undefined)) return undefined;
  const endings = isPrefix ? part.beginning(last) : [part.find(last)].flatMap((one) => one ?? []);
  if (words.length === 1) return countWords(part, endings);
  return countEndings(part, before as FoundWord[], endings);
}

function countWords(part: PartReader, found: Iterable<FoundWord>): Counts | undefined {
  let counts: Counts | undefined;
  for (const { entry, block } of found) {
    const into = (counts ??= new Uint32Array(part.count));
    forEachText(part.words(block), entry, (text, times) => {
      into[text] = (into[text] ?? 0) + times;
    });
  }
  return counts;
}

/** First what stands before the last word; then the words that may be the last. */
function countEndings(
  part: PartReader,
  before: readonly FoundWord[],
  endings: Iterable<FoundWord>,
): Counts | undefined {
  const all = [...endings];
  let open = inAll(part, before, all);
  let places: Places | undefined;
  for (const word of before) {
    places = follow(part, word, { open, places });
    ({ open } = places);
  }
  if (!places || places.list.length === 0) return undefined;
  const behind = places;
  const counts = new Uint32Array(part.count);
  const found = new Uint32Array(behind.list.length);
  for (const { entry, block } of all) {
    const reader = new NumberReader(part.positions(block), entry.positions.start);
    forEachText(part.words(block), entry, (text, times) => {
      if (open[text] !== 1) return reader.skip(times);
      const next = pairUp(reader, { times, text, behind, found, length: 0 });
      counts[text] = (counts[text] ?? 0) + next;
    });
  }
  return counts;
}

/** Texts that hold all the words, and one of those that may be the last. */
function inAll(
  part: PartReader,
  before: readonly FoundWord[],
  endings: readonly FoundWord[],
): Uint8Array {
  const seen = new Uint32Array(part.count);
  before.forEach(({ entry, block }, nth) => {
    forEachText(part.words(block), entry, (text) => {
      // A word may stand in the phrase twice.
      if (seen[text] === nth) seen[text] = nth + 1;
    });
  });
  const open = new Uint8Array(part.count);
  for (const { entry, block } of endings) {
    forEachText(part.words(block), entry, (text) => {
      if (seen[text] === before.length) open[text] = 1;
    });
  }
  return open;
}

/** Where the words so far stand, text by text: positions of the last of them. */
interface Places {
  /** Texts that have any. */
  open: Uint8Array;
  list: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Places of a word in the open texts: all, or those right behind the places so far. */
function follow(
  part: PartReader,
  { entry, block }: FoundWord,
  told: { open: Uint8Array; places: Places | undefined },
): Places {
  const reader = new NumberReader(part.positions(block), entry.positions.start);
  const open = new Uint8Array(part.count);
  const starts = new Uint32Array(part.count);
  const ends = new Uint32Array(part.count);
  // No number takes less than a byte.
  const most = told.places?.list.length ?? entry.positions.end - entry.positions.start;
  const found = new Uint32Array(most);
  let length = 0;
  forEachText(part.words(block), entry, (text, times) => {
    if (told.open[text] !== 1) return reader.skip(times);
    starts[text] = length;
    const { places: behind } = told;
    if (behind) length = pairUp(reader, { times, text, behind, found, length });
    else length = readAll(reader, times, { found, length });
    ends[text] = length;
    if (length > (starts[text] ?? 0)) open[text] = 1;
  });
  return { open, list: found.subarray(0, length), starts, ends };
}

function readAll(
  reader: NumberReader,
  times: number,
  { found, length }: { found: Uint32Array; length: number },
): number {
  let position = 0;
  for (let n = 0; n < times; n += 1) {
    position += reader.next();
    found[length + n] = position;
  }
  return length + times;
}

/** Positions that come right behind one of the places so far. Both are in order. */
function pairUp(
  reader: NumberReader,
  told: { times: number; text: number; behind: Places; found: Uint32Array; length: number },
): number {
  const { times, text, behind, found } = told;
  const { list } = behind;
  const end = behind.ends[text] ?? 0;
  let at = behind.starts[text] ?? 0;
  let { length } = told;
  let position = 0;
  for (let n = 0; n < times; n += 1) {
    position += reader.next();
    while (at < end && (list[at] ?? 0) + 1 < position) at += 1;
    if (at < end && (list[at] ?? 0) + 1 === position) {
      found[length] = position;
      length += 1;
    }
  }
  return length;
}
