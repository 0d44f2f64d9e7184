import {
  FACTORS,
  FEW_WORDS,
  LETTERS,
  MASKS,
  NUMBERS,
  SHORT,
  SLOT_BYTES,
  TABLE,
  UNITS,
  WINDOW,
} from "./cut-memory.ts";
import { cutProgram } from "./cut-program.ts";

/** Whoever knows words, and what comes of a text. */
export interface WordKnower {
  /** The number of a short word of ASCII letters that was not met before. */
  learn(word: string): number;
  /** Numbers of words, in their order; valid during the call. */
  take(numbers: Uint32Array): void;
  /** Units of the window with other letters, or many: takes their words, too, and tells them. */
  stretch(start: number, end: number): readonly number[] | undefined;
}

type Cut = (end: number, shift: number, mask: number) => number;

const FIRST_BITS = 16;
const PAGE_BYTES = 65_536;
/** Numbers of four bytes. */
const SLOT = SLOT_BYTES / 4;
const [KEY, VALUE] = [0, 4];

let compiled: WebAssembly.Module | undefined;

/** Cuts a window of text into words and looks them up, sixteen characters at a time. */
export class Cutter {
  /** The window. */
  units: Uint16Array = new Uint16Array();
  readonly #knower: WordKnower;
  readonly #memory = new WebAssembly.Memory({ initial: pagesFor(FIRST_BITS) });
  readonly #cut: Cut;
  #bytes = Buffer.alloc(0);
  #numbers = new Uint32Array();
  #slots = new Uint32Array();
  #bits = FIRST_BITS;
  #used = 0;

  /** Throws where there is no WebAssembly of this kind. */
  constructor(knower: WordKnower) {
    this.#knower = knower;
    this.#look();
    compiled ??= new WebAssembly.Module(cutProgram());
    const outside = {
      memory: this.#memory,
      learn: (at: number, length: number) => this.#learn(LETTERS + at, LETTERS + at + length),
      // oxlint-disable-next-line max-params -- numbers are all that can be told from there
      stretch: (at: number, length: number, out: number, slot: number) => {
        this.#take(out);
        this.#stretch(at, at + length, slot);
        return NUMBERS;
      },
    };
    this.#cut = new WebAssembly.Instance(compiled, { outside }).exports["cut"] as Cut;
    for (let length = 1; length <= SHORT; length += 1) {
      this.#bytes.fill(255, MASKS + length * 16, MASKS + length * 16 + length);
    }
  }

  /** Puts a text into the window, which is at least as long. */
  load(text: string): void {
    this.#bytes.write(text, UNITS, "utf16le");
  }

  textAt(start: number, end: number): string {
    return this.#bytes.toString("utf16le", UNITS + start * 2, UNITS + end * 2);
  }

  /** Cuts the beginning of the window. */
  run(length: number): void {
    this.#take(this.#cut(length, 32 - this.#bits, this.#slots.byteLength - SLOT_BYTES));
    // No window has more words than half its units.
    if ((this.#used + WINDOW / 2) * SLOT * 2 > this.#slots.length) this.#grow();
  }

  #take(out: number): void {
    if (out > NUMBERS) this.#knower.take(this.#numbers.subarray(0, (out - NUMBERS) / 4));
  }

  #learn(start: number, end: number): number {
    this.#used += 1;
    return this.#knower.learn(this.#bytes.toString("latin1", start, end));
  }

  /** What stands in it goes into its slot, if it has one. */
  #stretch(start: number, end: number, slot: number): void {
    const words = this.#knower.stretch(start, end);
    if (slot < 0 || !words || words.length > FEW_WORDS) return;
    this.#used += 1;
    this.#slots.set([words.length + 1, ...words], slot / 4 + VALUE);
  }

  /** Memory that has grown is looked at anew. */
  #look(): void {
    const { buffer } = this.#memory;
    this.#bytes = Buffer.from(buffer);
    this.units = new Uint16Array(buffer, UNITS, WINDOW);
    this.#numbers = new Uint32Array(buffer, NUMBERS, WINDOW);
    this.#slots = new Uint32Array(buffer, TABLE, SLOT << this.#bits);
  }

  #grow(): void {
    const old = this.#slots.slice();
    const before = pagesFor(this.#bits);
    this.#bits += 1;
    this.#memory.grow(pagesFor(this.#bits) - before);
    this.#look();
    const slots = this.#slots.fill(0);
    for (let at = 0; at < old.length; at += SLOT) {
      if (old[at + VALUE] === 0) continue;
      let slot = (hashOf(old, at + KEY) >>> (32 - this.#bits)) * SLOT;
      while (slots[slot + VALUE] !== 0) slot = (slot + SLOT) & (slots.length - 1);
      slots.set(old.subarray(at, at + SLOT), slot);
    }
  }
}

function hashOf(keys: Uint32Array, at: number): number {
  return FACTORS.reduce((hash, factor, part) => hash ^ Math.imul(keys[at + part] ?? 0, factor), 0);
}

function pagesFor(bits: number): number {
  return Math.ceil((TABLE + (SLOT_BYTES << bits)) / PAGE_BYTES);
}
