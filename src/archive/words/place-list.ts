import { doubled } from "./unit-table.ts";
import type { WordPlaces } from "./word-places.ts";

/** As many moments as a byte can tell apart from none. */
const LAST_MOMENT = 255;

/**
 * Lists places at which words stand one behind the other: where one word would let the phrase begin
 * is marked, and the next one looks for marks.
 *
 * A search spends most of its time here. Positions are steps of seven bits a byte, of one byte or
 * of two. Which of them cannot be foreseen, and a processor that guesses wrong loses more time than
 * all the rest takes: hence no branch for it.
 */
export class PlaceList {
  items: Uint32Array = new Uint32Array(1 << 12);
  length = 0;
  #marks = new Uint8Array(1 << 15);
  /** A mark of an earlier moment is none. */
  #moment = 0;
  /** How far there may be marks. */
  #used = 0;

  /** Lists the beginnings at which two words stand in their places, in a text of so many words. */
  add(first: WordPlaces, second: WordPlaces, { text, length }: TextLength): void {
    this.#forgetMarks(length);
    this.#mark(first, text);
    this.#take(second, text);
  }

  /** Of the beginnings listed from a place on, those at which this word stands in its own. */
  keep(word: WordPlaces, from: number, { text, length }: TextLength): void {
    this.#forgetMarks(length);
    this.#markItems(from, this.length);
    this.length = from;
    this.#take(word, text);
  }

  /** How many such beginnings there are; they stay listed. */
  count(word: WordPlaces, { from, end }: Stretch, { text, length }: TextLength): number {
    this.#forgetMarks(length);
    this.#markItems(from, end);
    const before = this.length;
    this.#take(word, text);
    const count = this.length - before;
    this.length = before;
    return count;
  }

  #forgetMarks(length: number): void {
    if (this.#marks.length <= length) {
      this.#marks = new Uint8Array(length * 2);
      this.#moment = 0;
    }
    if (this.#moment === LAST_MOMENT) {
      this.#marks.fill(0, 0, this.#used);
      this.#moment = 0;
      this.#used = 0;
    }
    this.#moment += 1;
    this.#used = Math.max(this.#used, length + 1);
  }

  #markItems(from: number, end: number): void {
    const [items, marks, moment] = [this.items, this.#marks, this.#moment];
    for (let at = from; at < end; at += 1) marks[items[at] ?? 0] = moment;
  }

  #mark({ bytes, starts, ends, origin }: WordPlaces, text: number): void {
    const [marks, moment] = [this.#marks, this.#moment];
    const end = ends[text] ?? 0;
    let place = origin;
    let shift = 0;
    for (let at = starts[text] ?? 0; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      const goesOn = byte >> 7;
      place += (byte & 127) << shift;
      shift = (shift + 7) & -goesOn;
      // The first byte of two marks 0, which is no place.
      marks[place & (goesOn - 1)] = moment;
    }
  }

  /** Adds places of a word that are marked. */
  #take({ bytes, starts, ends, origin }: WordPlaces, text: number): void {
    const start = starts[text] ?? 0;
    const end = ends[text] ?? 0;
    while (this.items.length < this.length + end - start) this.items = doubled(this.items);
    const [items, marks, moment] = [this.items, this.#marks, this.#moment];
    let { length } = this;
    let place = origin;
    let shift = 0;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      const goesOn = byte >> 7;
      place += (byte & 127) << shift;
      shift = (shift + 7) & -goesOn;
      if (marks[place] === moment && goesOn === 0) items[length++] = place;
    }
    this.length = length;
  }
}

interface TextLength {
  text: number;
  /** No place in it is above this. */
  length: number;
}

interface Stretch {
  from: number;
  end: number;
}
