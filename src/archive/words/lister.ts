import { endianness } from "node:os";
import { inBlocks } from "./encode.ts";
import {
  BEHIND,
  COUNT,
  FIRST,
  FIRST_STRETCH,
  FOLLOWING,
  FREE,
  FREE_END,
  LAST_STRETCH,
  LIMIT,
  MET,
  NEXT,
  NUMBERS_FROM,
  POSITIONS,
  TEXTS,
  USED_END,
  WORD_BYTES,
  WORDS,
} from "./list-memory.ts";
import { listProgram } from "./list-program.ts";
import { NumberList } from "./number-list.ts";
import type { Block } from "./part.ts";
import type { NumberedTexts } from "./plain-lists.ts";

type List = (from: number, end: number, text: number) => number;

const PAGE_BYTES = 65_536;
const FIRST_PAGES = 16;

let compiled: WebAssembly.Module | undefined;

/**
 * Numbers of words, text by text, which become lists of where each word stands: what `encode` makes
 * of `plainLists`. The lists are written as the numbers are read, by a program in WebAssembly.
 */
export class Lister extends NumberList {
  readonly #memory = new WebAssembly.Memory({ initial: FIRST_PAGES });
  readonly #list: List;
  /** All of the memory. */
  #bytes = Buffer.alloc(0);
  #cells = new Uint32Array();

  /** Throws where there is no WebAssembly. */
  constructor() {
    super();
    if (endianness() !== "LE") throw new Error("Numbers lie otherwise in memory.");
    this.#look();
    compiled ??= new WebAssembly.Module(listProgram());
    const grow = (end: number): number => this.#reach(end);
    const outside = { memory: this.#memory, grow };
    this.#list = new WebAssembly.Instance(compiled, { outside }).exports["list"] as List;
  }

  /** The lists of all that was added. */
  blocks({ words, inOrder, texts }: Omit<NumberedTexts, "numbers">): Block[] {
    const numbersEnd = NUMBERS_FROM + this.length * 4;
    const from = Math.ceil(numbersEnd / WORD_BYTES) * WORD_BYTES;
    const met = from + words.length * WORD_BYTES;
    const free = met + (words.length + 1) * 4;
    this.#reach(free);
    this.#bytes.fill(0, from, met);
    this.#cells[WORDS / 4] = from;
    this.#cells[MET / 4] = met;
    this.#cells[FREE / 4] = free;
    texts.forEach(({ start, end }, text) => {
      this.#list(NUMBERS_FROM + start * 4, NUMBERS_FROM + end * 4, text);
    });
    const cells = this.#cells;
    const cellsOf = (word: number): number => (from + word * WORD_BYTES) / 4;
    const used = inOrder.filter((word) => cells[cellsOf(word) + COUNT / 4] !== 0);
    return inBlocks(used, (word, into) => {
      const of = cellsOf(word);
      this.#gather(of + TEXTS / 4, into.texts);
      this.#gather(of + POSITIONS / 4, into.positions);
      return { word: words[word] ?? "", count: cells[of + COUNT / 4] ?? 0 };
    });
  }

  /** Bytes that lie in stretches, one behind the other. */
  #gather(of: number, into: { append(bytes: Buffer, start: number, end: number): void }): void {
    const cells = this.#cells;
    const last = cells[of + LIMIT / 4] ?? 0;
    let start = cells[of + FIRST / 4] ?? 0;
    for (let size = FIRST_STRETCH; ; size = Math.min(size * 2, LAST_STRETCH)) {
      const limit = start + size - BEHIND;
      if (limit === last) return into.append(this.#bytes, start, cells[of + NEXT / 4] ?? 0);
      into.append(this.#bytes, start, cells[(limit + USED_END) / 4] ?? 0);
      start = cells[(limit + FOLLOWING) / 4] ?? 0;
    }
  }

  protected override grow(): void {
    this.#reach(this.#bytes.length + 1);
  }

  /** Makes the memory so large, and somewhat larger. */
  #reach(end: number): number {
    const missing = end - this.#bytes.length;
    if (missing > 0) {
      const pages = Math.ceil((missing + this.#bytes.length / 4) / PAGE_BYTES);
      this.#memory.grow(pages);
      this.#look();
    }
    return this.#bytes.length;
  }

  /** Memory that has grown is looked at anew. */
  #look(): void {
    const { buffer } = this.#memory;
    this.#bytes = Buffer.from(buffer);
    this.#cells = new Uint32Array(buffer);
    this.#cells[FREE_END / 4] = this.#bytes.length;
    this.items = new Uint32Array(buffer, NUMBERS_FROM);
  }
}
