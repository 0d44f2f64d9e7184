import type { WordList } from "./part.ts";

/** Numbers of words, text by text. */
export interface NumberedTexts {
  /** By number. */
  words: readonly string[];
  /** Numbers of all words, in the order of the alphabet. */
  inOrder: Uint32Array;
  numbers: { items: Uint32Array; length: number };
  /** In the order of the part: where the numbers of a text begin and end. */
  texts: readonly { start: number; end: number }[];
}

/** Memory that is used again: asking for it anew costs more than filling it. */
let sparePlaces = new Uint32Array();
const KEPT_PLACES = 8 * 1024 * 1024;

/** What `Lister` does, for machines that have no WebAssembly. */
export function* plainLists(told: NumberedTexts): Generator<WordList> {
  const { words, inOrder, numbers } = told;
  const { items, length } = numbers;
  const counts = new Uint32Array(words.length);
  for (let at = 0; at < length; at += 1) {
    const word = items[at] ?? 0;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  const used = inOrder.filter((word) => counts[word] !== 0);
  // Where the places of a word begin; placing moves it to where they end.
  const ends = new Uint32Array(words.length);
  let start = 0;
  for (const word of used) {
    ends[word] = start;
    start += counts[word] ?? 0;
  }
  const { places, firsts } = placed(told, ends);
  for (const word of used) {
    const end = ends[word] ?? 0;
    const own = places.subarray(end - (counts[word] ?? 0), end);
    yield { word: words[word] ?? "", places: own, firsts };
  }
  // What was huge once need not stay so.
  if (sparePlaces.length > KEPT_PLACES) sparePlaces = new Uint32Array();
}

/** All words in the order of the texts are numbered: by that number, a word has its places. */
function placed(
  { numbers: { items, length }, texts }: NumberedTexts,
  ends: Uint32Array,
): { places: Uint32Array; firsts: Uint32Array } {
  if (sparePlaces.length < length) sparePlaces = new Uint32Array(length);
  const places = sparePlaces;
  const firsts = new Uint32Array(texts.length + 1);
  let place = 0;
  texts.forEach(({ start, end }, text) => {
    firsts[text] = place;
    for (let at = start; at < end; at += 1, place += 1) {
      const word = items[at] ?? 0;
      const free = ends[word] ?? 0;
      ends[word] = free + 1;
      places[free] = place;
    }
  });
  firsts[texts.length] = place;
  return { places, firsts };
}
