import { encode } from "./encode.ts";
import { Lister } from "./lister.ts";
import { NumberList } from "./number-list.ts";
import type { Block, Part } from "./part.ts";
import { FACTS, putFacts } from "./part.ts";
import type { NumberedTexts } from "./plain-lists.ts";
import { plainLists } from "./plain-lists.ts";
import { Vocabulary } from "./vocabulary.ts";

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
const KEPT_BYTES = 48 * 1024 * 1024;

function lentNumbers(): NumberList {
  const lent = spareNumbers ?? newNumbers();
  spareNumbers = undefined;
  lent.length = 0;
  return lent;
}

function newNumbers(): NumberList {
  try {
    return new Lister();
  } catch {
    // A machine without WebAssembly goes the plain way.
    return new NumberList();
  }
}

/** What was huge once need not stay so. */
function giveBack(numbers: NumberList): void {
  if (numbers.items.byteLength <= KEPT_BYTES) spareNumbers = numbers;
}

function blocksOf(numbers: NumberList, told: Omit<NumberedTexts, "numbers">): Block[] {
  try {
    if (numbers instanceof Lister) return numbers.blocks(told);
  } catch (error) {
    // One text had more words than its memory can hold: the plain way takes less for each.
    if (!(error instanceof RangeError)) throw error;
  }
  return encode(plainLists({ ...told, numbers }));
}

/** Nothing is drafted for a while. A draft that is under way has its own. */
export function letWordsGo(): void {
  vocabulary = undefined;
  spareNumbers = undefined;
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
    const { words } = this.#vocabulary;
    const told = { words, inOrder: this.#vocabulary.inOrder(), texts: inTime };
    const part = { texts, length: numbers.length, blocks: blocksOf(numbers, told) };
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
}
