import { hash } from "node:crypto";

/**
 * Limits of a `tsvector`: positions up to 16,383, 256 per word, words of 2,046 bytes, one megabyte
 * in all. Longer texts are split into parts that overlap by some words, so that a phrase across the
 * split is found.
 */
const MOST_POSITIONS = 16_000;
const MOST_OF_A_WORD = 250;
const MOST_CHARACTERS = 200_000;
const SHARED_WORDS = 16;
const LONGEST_WORD = 400;

/** The words of a text as one or several `tsvector` literals. */
export function vectorsOf(words: readonly string[]): string[] {
  const parts = new Parts();
  for (const word of words) parts.add(word);
  return parts.finish();
}

/** The stored form of a word: a long word becomes its beginning and its digest. */
function storedWord(word: string): string {
  if (word.length <= LONGEST_WORD) return word;
  return `${word.slice(0, LONGEST_WORD)}${hash("sha1", word, "hex")}`;
}

/** A word as `tsvector` and `tsquery` literals write it. */
export function quotedWord(word: string): string {
  return `'${storedWord(word).replace(/['\\]/g, "$&$&")}'`;
}

class Parts {
  readonly #finished: string[] = [];
  #places = new Map<string, number[]>();
  #recent: string[] = [];
  #position = 0;
  #characters = 0;

  add(word: string): void {
    const places = this.#places.get(word);
    const isFull =
      this.#position >= MOST_POSITIONS ||
      this.#characters >= MOST_CHARACTERS ||
      (places?.length ?? 0) >= MOST_OF_A_WORD;
    if (isFull) this.#cut();
    this.#put(word);
  }

  #put(word: string): void {
    this.#position += 1;
    const places = this.#places.get(word);
    if (places) {
      places.push(this.#position);
    } else {
      this.#places.set(word, [this.#position]);
      this.#characters += word.length;
    }
    this.#recent.push(word);
    if (this.#recent.length > SHARED_WORDS) this.#recent.shift();
  }

  #cut(): void {
    const shared = this.#recent;
    this.#finish();
    for (const word of shared) this.#put(word);
  }

  #finish(): void {
    const words = [...this.#places].map(([word, places]) => `${quotedWord(word)}:${places.join()}`);
    this.#finished.push(words.join(" "));
    this.#places = new Map();
    this.#recent = [];
    this.#position = 0;
    this.#characters = 0;
  }

  finish(): string[] {
    if (this.#position > 0) this.#finish();
    return this.#finished;
  }
}
