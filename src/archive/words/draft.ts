import { encode } from "./encode.ts";
import type { Part, WordList } from "./part.ts";
import { FACTS, putFacts } from "./part.ts";
import { NumberList, Vocabulary } from "./vocabulary.ts";

/** A text that goes into the index. */
export interface DraftText {
  role: number;
  second: number;
  /** One behind the other. */
  texts: readonly string[];
}

/** A larger vocabulary is given up: memory is bounded, whatever is read. */
const MOST_WORDS = 200_000;

/** Words come again in the next draft: their numbers are kept. Made when words are first cut. */
let vocabulary: Vocabulary | undefined;

function currentVocabulary(): Vocabulary {
  if (!vocabulary || vocabulary.size > MOST_WORDS) vocabulary = new Vocabulary();
  return vocabulary;
}

/** Memory that is used again: asking for it anew costs more than filling it. */
let spareNumbers: NumberList | undefined;
let sparePlaces = new Uint32Array();
const KEPT_NUMBERS = 8 * 1024 * 1024;

function lentNumbers(): NumberList {
  const lent = spareNumbers ?? new NumberList();
  spareNumbers = undefined;
  lent.length = 0;
  return lent;
}

/** What was huge once need not stay so. */
function giveBack(numbers: NumberList): void {
  if (numbers.items.length <= KEPT_NUMBERS) spareNumbers = numbers;
  if (sparePlaces.length > KEPT_NUMBERS) sparePlaces = new Uint32Array();
}

interface Drafted {
  slot: number;
  piece: number;
  second: number;
  role: number;
  /** Where its words stand among all. */
  start: number;
  end: number;
}

/** So many words go into one part: memory does not grow with a session. */
const MOST_IN_PART = 4 * 1024 * 1024;

/** Texts whose words are cut, on their way to parts of the index: to one, unless they are many. */
export class PartDraft {
  readonly #most: number;
  readonly #sealedParts: { part: Part; slots: number[] }[] = [];
  #vocabulary: Vocabulary = currentVocabulary();
  #numbers: NumberList | undefined = lentNumbers();
  #texts: Drafted[] = [];
  #slots = 0;

  constructor(most: number = MOST_IN_PART) {
    this.#most = most;
  }

  /** The texts of a session; it gets its number when it is stored, and until then this one. */
  add(texts: readonly DraftText[]): number {
    const slot = this.#slots;
    this.#slots += 1;
    for (const [piece, { role, second, texts: said }] of texts.entries()) {
      const numbers = this.#open();
      const start = numbers.length;
      for (const text of said) this.#vocabulary.read(text, numbers);
      this.#texts.push({ slot, piece, second, role, start, end: numbers.length });
      const isMuch = numbers.length >= this.#most || this.#vocabulary.size > MOST_WORDS;
      if (isMuch) this.seal();
    }
    return slot;
  }

  /** Turns "which words has a text" into "which texts has a word": the slow part. */
  seal(): void {
    const numbers = this.#numbers;
    if (!numbers || this.#texts.length === 0) return;
    const inTime = this.#texts.toSorted((a, b) => a.second - b.second);
    const texts = new Uint32Array(inTime.length * FACTS);
    inTime.forEach(({ piece, second, role, start, end }, at) => {
      putFacts(texts, at, { session: 0, piece, second, role, length: end - start });
    });
    this.#texts = inTime;
    const part = { texts, length: numbers.length, blocks: encode(this.#lists(numbers)) };
    this.#sealedParts.push({ part, slots: inTime.map(({ slot }) => slot) });
    this.#texts = [];
    this.#numbers = undefined;
    giveBack(numbers);
  }

  /** The parts, with the numbers of their sessions by slot; 0 for those that were not stored. */
  partsFor(sessions: readonly number[]): Part[] {
    this.seal();
    return this.#sealedParts.map(({ part, slots }) => {
      slots.forEach((slot, at) => (part.texts[at * FACTS] = sessions[slot] ?? 0));
      return part;
    });
  }

  #open(): NumberList {
    if (!this.#numbers) this.#vocabulary = currentVocabulary();
    this.#numbers ??= lentNumbers();
    return this.#numbers;
  }

  *#lists(numbers: NumberList): Generator<WordList> {
    const { words } = this.#vocabulary;
    const { items, length } = numbers;
    const counts = new Uint32Array(words.length);
    for (let at = 0; at < length; at += 1) {
      const word = items[at] ?? 0;
      counts[word] = (counts[word] ?? 0) + 1;
    }
    const used = usedWords(counts, words);
    // Where the places of a word begin; placing moves it to where they end.
    const ends = new Uint32Array(words.length);
    let start = 0;
    for (const word of used) {
      ends[word] = start;
      start += counts[word] ?? 0;
    }
    const { places, firsts } = this.#placed(numbers, ends);
    for (const word of used) {
      const end = ends[word] ?? 0;
      const own = places.subarray(end - (counts[word] ?? 0), end);
      yield { word: words[word] ?? "", places: own, firsts };
    }
  }

  /** All words in the order of the texts are numbered: by that number, a word has its places. */
  #placed(
    { items, length }: NumberList,
    ends: Uint32Array,
  ): { places: Uint32Array; firsts: Uint32Array } {
    if (sparePlaces.length < length) sparePlaces = new Uint32Array(length);
    const places = sparePlaces;
    const firsts = new Uint32Array(this.#texts.length + 1);
    let place = 0;
    this.#texts.forEach(({ start, end }, text) => {
      firsts[text] = place;
      for (let at = start; at < end; at += 1, place += 1) {
        const word = items[at] ?? 0;
        const free = ends[word] ?? 0;
        ends[word] = free + 1;
        places[free] = place;
      }
    });
    firsts[this.#texts.length] = place;
    return { places, firsts };
  }
}

/** Numbers of the words that stand anywhere, in the order of the alphabet. */
function usedWords(counts: Uint32Array, words: readonly string[]): number[] {
  const used: number[] = [];
  for (let word = 0; word < counts.length; word += 1) if (counts[word] !== 0) used.push(word);
  return used.toSorted((a, b) => ((words[a] ?? "") < (words[b] ?? "") ? -1 : 1));
}
