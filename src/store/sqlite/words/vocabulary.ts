import { endianness } from "node:os";
import { WINDOW } from "./cut-memory.ts";
import { Cutter } from "./cutter.ts";
import { NumberList } from "./number-list.ts";
import { hashStep, UnitTable } from "./unit-table.ts";
import { LONGEST, wordsOf } from "./words-of.ts";

/** Units lie in memory as the fast way expects them. */
const IS_USUAL: boolean = endianness() === "LE";
/** Runs of other letters up to this length come again; longer ones need not be remembered. */
const REMEMBERED_LENGTH = 40;

/**
 * Cuts texts into words and numbers them: what `wordsOf` says, without making strings. Short
 * words of ASCII letters are cut and looked up by a small program in WebAssembly; stretches with
 * other letters are cut by `wordsOf`, once for each that is different.
 */
export class Vocabulary {
  /** By number. */
  readonly words: string[] = [];
  readonly #table = new UnitTable();
  readonly #runs = new UnitTable();
  readonly #wordsOfRuns: number[][] = [];
  readonly #word = new Uint16Array(LONGEST);
  #inOrder = new Uint32Array();
  readonly #cutter: Cutter | undefined = this.#begin();
  /** Where the numbers of the present text go. */
  #into = new NumberList();

  /** How much is remembered: of scripts without spaces, far more stretches than words. */
  get size(): number {
    return Math.max(this.words.length, this.#runs.count);
  }

  /** Numbers of all words, in the order of the alphabet. Most are known from the last time. */
  inOrder(): Uint32Array {
    const { words } = this;
    const known = this.#inOrder;
    if (known.length === words.length) return known;
    const added = Uint32Array.from({ length: words.length - known.length }, (_, at) => {
      return known.length + at;
    }).toSorted((a, b) => ((words[a] ?? "") < (words[b] ?? "") ? -1 : 1));
    this.#inOrder = merged(known, added, (a, b) => (words[a] ?? "") < (words[b] ?? ""));
    return this.#inOrder;
  }

  /** Numbers of the words of a text, in its order. */
  read(text: string, into: NumberList): void {
    const cutter = this.#cutter;
    if (!cutter) return this.#spell(text, into);
    this.#into = into;
    let from = 0;
    while (text.length - from > WINDOW) {
      cutter.load(text.slice(from, from + WINDOW));
      const end = lastGap(cutter.units);
      // A stretch without any gap: unusual enough to go the plain way.
      if (end === 0) return this.#spell(text.slice(from), into);
      cutter.run(end);
      from += end;
    }
    const rest = from === 0 ? text : text.slice(from);
    cutter.load(rest);
    cutter.run(rest.length);
  }

  #begin(): Cutter | undefined {
    if (!IS_USUAL) return undefined;
    try {
      return new Cutter({
        learn: (word) => this.#intern(word),
        take: (numbers) => this.#into.add(numbers),
        stretch: (start, end) => this.#readStretch(start, end),
      });
    } catch {
      // A machine without these instructions goes the plain way.
      return undefined;
    }
  }

  /** Other letters than those of ASCII, or many of them. Says which words, if that is known. */
  #readStretch(start: number, end: number): readonly number[] | undefined {
    const cutter = this.#cutter;
    if (!cutter) return undefined;
    const into = this.#into;
    if (end - start > REMEMBERED_LENGTH) {
      this.#spell(cutter.textAt(start, end), into);
      return undefined;
    }
    const { units } = cutter;
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = hashStep(hash, units[at] ?? 0);
    const number = this.#runs.numberOf(units, start, end, hash);
    const known = (this.#wordsOfRuns[number] ??= this.#numbersOf(cutter.textAt(start, end)));
    for (const word of known) into.push(word);
    return known;
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
function lastGap(units: Uint16Array): number {
  for (let at = units.length; at > 0; at -= 1) if (isGap(units[at - 1] ?? 0)) return at;
  return 0;
}

const isGap = (unit: number): boolean =>
  unit < 128 && !/[0-9A-Za-z]/.test(String.fromCharCode(unit));

/** Two lists that are in order, as one. */
function merged(
  left: Uint32Array,
  right: Uint32Array,
  isBefore: (a: number, b: number) => boolean,
): Uint32Array<ArrayBuffer> {
  const both = new Uint32Array(left.length + right.length);
  let [ofLeft, ofRight] = [0, 0];
  for (let at = 0; at < both.length; at += 1) {
    const [a, b] = [left[ofLeft], right[ofRight]];
    const isLeft = b === undefined || (a !== undefined && isBefore(a, b));
    both[at] = (isLeft ? a : b) ?? 0;
    if (isLeft) ofLeft += 1;
    else ofRight += 1;
  }
  return both;
}
