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

  /** Adds the beginnings at which two words stand in their places; says how many. */
  add(first: WordPlaces, second: WordPlaces, { text, length }: TextLength): number {
    this.#forgetMarks(length);
    this.#mark(first, text);
    const before = this.length;
    this.length = this.#take(second, text, before);
    return this.length - before;
  }

  /** Of some beginnings, those stay at which this word stands in its place, too; says how many. */
  keep(word: WordPlaces, { from, count }: Stretch, { text, length }: TextLength): number {
    this.#forgetMarks(length);
    this.#markItems(from, from + count);
    return this.#take(word, text, from) - from;
  }

  /** How many would stay. */
  count(word: WordPlaces, { from, count }: Stretch, { text, length }: TextLength): number {
    this.#forgetMarks(length);
    this.#markItems(from, from + count);
    return this.#take(word, text, this.length) - this.length;
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
    const { items } = this;
    const marks = this.#marks;
    const moment = this.#moment;
    for (let at = from; at < end; at += 1) marks[items[at] ?? 0] = moment;
  }

  #mark({ bytes, starts, ends, origin }: WordPlaces, text: number): void {
    const marks = this.#marks;
    const moment = this.#moment;
    const end = ends[text] ?? 0;
    let place = origin;
    let shift = 0;
    for (let at = starts[text] ?? 0; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      const goesOn = byte >> 7;
      place = (place + ((byte & 127) << shift)) | 0;
      shift = (shift + 7) & -goesOn;
      // The first byte of two marks 0, which is no place.
      marks[place & (goesOn - 1)] = moment;
    }
  }

  /** Lists the places of a word that are marked, from an item on; says where they end. */
  #take({ bytes, starts, ends, origin }: WordPlaces, text: number, from: number): number {
    const start = starts[text] ?? 0;
    const end = ends[text] ?? 0;
    while (this.items.length < from + end - start) this.items = doubled(this.items);
    const { items } = this;
    const marks = this.#marks;
    const moment = this.#moment;
    let length = from;
    let place = origin;
    let shift = 0;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      const goesOn = byte >> 7;
      place = (place + ((byte & 127) << shift)) | 0;
      shift = (shift + 7) & -goesOn;
      if (marks[place] === moment && goesOn === 0) items[length++] = place;
    }
    return length;
  }
}

interface TextLength {
  text: number;
  /** No place in it is above this. */
  length: number;
}

interface Stretch {
  from: number;
  count: number;
}
