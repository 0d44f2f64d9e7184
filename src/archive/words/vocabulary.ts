import { endianness } from "node:os";
import { SHORT, ShortWords } from "./short-words.ts";
import { doubled, hashStep, UnitTable } from "./unit-table.ts";
import { LONGEST, wordsOf } from "./words-of.ts";

/** Units lie in memory as the fast way expects them. */
const IS_USUAL: boolean = endianness() === "LE";
/** Texts are looked at in windows of so many units. */
const WINDOW = 1 << 18;
/** Runs of other letters up to this length come again; longer ones need not be remembered. */
const REMEMBERED_LENGTH = 40;

const PLAIN = "0123456789abcdefghijklmnopqrstuvwxyz";
const OTHER = 64;
/** Letters and digits of ASCII as a number of six bits; 0 for what stands between words. */
const CODES: Uint8Array = new Uint8Array(1 << 16).fill(OTHER).map((other, unit) => {
  return unit < 128 ? PLAIN.indexOf(lower(unit)) + 1 : other;
});

function lower(unit: number): string {
  return String.fromCharCode(unit).toLowerCase();
}

/** The characters of a number made of their codes. */
function spelled(codes: number, count: number): string {
  if (count === 0) return "";
  return spelled(codes >>> 6, count - 1) + PLAIN.charAt((codes & 63) - 1);
}

/** Numbers one after the other, in a list that grows. */
export class NumberList {
  items: Uint32Array = new Uint32Array(1 << 16);
  length = 0;

  /** Makes sure that so many can follow. */
  reserve(count: number): void {
    while (this.length + count > this.items.length) this.items = doubled(this.items);
  }

  push(item: number): void {
    if (this.length === this.items.length) this.items = doubled(this.items);
    this.items[this.length] = item;
    this.length += 1;
  }
}

/**
 * Cuts texts into words and numbers them: what `wordsOf` says, without making strings. Words of
 * ASCII letters are told apart right in the units of the text; stretches with other letters are
 * cut by `wordsOf`, once for each that is different.
 */
export class Vocabulary {
  /** By number. */
  readonly words: string[] = [];
  readonly #table = new UnitTable();
  readonly #short = new ShortWords();
  readonly #runs = new UnitTable();
  readonly #wordsOfRuns: number[][] = [];
  readonly #memory = Buffer.allocUnsafeSlow(WINDOW * 2);
  readonly #units = new Uint16Array(this.#memory.buffer, 0, WINDOW);
  readonly #word = new Uint16Array(LONGEST);

  /** How much is remembered: of scripts without spaces, far more stretches than words. */
  get size(): number {
    return Math.max(this.words.length, this.#runs.count);
  }

  /** Numbers of the words of a text, in its order. */
  read(text: string, into: NumberList): void {
    if (!IS_USUAL) return this.#spell(text, into);
    let from = 0;
    while (text.length - from > WINDOW) {
      const length = this.#load(text.slice(from, from + WINDOW));
      const end = lastGap(this.#units, length);
      // A stretch without any gap: unusual enough to go the plain way.
      if (end === 0) return this.#spell(text.slice(from), into);
      this.#readUnits(end, into);
      from += end;
    }
    const length = this.#load(from === 0 ? text : text.slice(from));
    this.#readUnits(length, into);
  }

  #load(text: string): number {
    this.#memory.write(text, "utf16le");
    return text.length;
  }

  /** The first five characters are one number, the next five another: `high` is the first. */
  #readUnits(length: number, into: NumberList): void {
    // No stretch has more words than units.
    into.reserve(length);
    const units = this.#units;
    const short = this.#short;
    let at = 0;
    while (at < length) {
      const start = at;
      let low = 0;
      let high = 0;
      let seen = 0;
      let code = CODES[units[at] ?? 0] ?? 0;
      for (const end = Math.min(length, at + 5); code !== 0 && at < end;) {
        seen |= code;
        low = (low << 6) | code;
        at += 1;
        code = CODES[units[at] ?? 0] ?? 0;
      }
      if (code !== 0 && at < length) {
        high = low;
        low = 0;
        for (const end = Math.min(length, at + 5); code !== 0 && at < end;) {
          seen |= code;
          low = (low << 6) | code;
          at += 1;
          code = CODES[units[at] ?? 0] ?? 0;
        }
        // Longer words: up to their end.
        for (; code !== 0 && at < length; code = CODES[units[at] ?? 0] ?? 0) at += 1;
      }
      if (at - start <= SHORT && seen < OTHER) {
        if (at > start) {
          const number = short.find(high, low);
          into.push(number < 0 ? this.#addShort(high, low) : number);
        }
      } else this.#readStretch(start, at, into);
      at += 1;
    }
  }

  #addShort(high: number, low: number): number {
    const number = this.#intern(spelled(high, 5) + spelled(low, 5));
    this.#short.add(high, low, number);
    return number;
  }

  /** Other letters than those of ASCII, or many of them. */
  #readStretch(start: number, end: number, into: NumberList): void {
    if (end - start > REMEMBERED_LENGTH) return this.#spell(this.#textAt(start, end), into);
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = hashStep(hash, this.#units[at] ?? 0);
    const number = this.#runs.numberOf(this.#units, start, end, hash);
    const known = (this.#wordsOfRuns[number] ??= this.#numbersOf(this.#textAt(start, end)));
    for (const word of known) into.push(word);
  }

  #textAt(start: number, end: number): string {
    return this.#memory.toString("utf16le", start * 2, end * 2);
  }

  #spell(text: string, into: NumberList): void {
    for (const word of wordsOf(text)) into.push(this.#intern(word));
  }

  #numbersOf(text: string): number[] {
    return Array.from(wordsOf(text), (word) => this.#intern(word));
  }

  #intern(word: string): number {
    let hash = 0;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      this.#word[at] = unit;
      hash = hashStep(hash, unit);
    }
    const number = this.#table.numberOf(this.#word, 0, word.length, hash);
    if (number === this.words.length) this.words.push(word);
    return number;
  }
}

/** The end of the last stretch that surely ends: behind a sign between ASCII words. */
function lastGap(units: Uint16Array, length: number): number {
  for (let at = length; at > 0; at -= 1) {
    const unit = units[at - 1] ?? 0;
    if (CODES[unit] === 0) return at;
  }
  return 0;
}
