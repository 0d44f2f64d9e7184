import { endianness } from "node:os";
import type { Growing } from "./encode.ts";
import { inBlocks } from "./encode.ts";
import {
  BEHIND,
  COUNT,
  FIRST_STRETCH,
  FOLLOWING,
  FREE,
  FREE_END,
  HEAD_BYTES,
  LAST_STRETCH,
  LIMIT,
  NEXT,
  NUMBERS_FROM,
  PLACES,
  POSITIONS,
  TEXTS,
  USED_END,
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
    // Numbers come from there as if they had a sign.
    const grow = (end: number): number => this.#reach(end >>> 0);
    const outside = { memory: this.#memory, grow };
    this.#list = new WebAssembly.Instance(compiled, { outside }).exports["list"] as List;
  }

  /** The lists of all that was added. */
  blocks({ words, inOrder, texts }: Omit<NumberedTexts, "numbers">): Block[] {
    const places = NUMBERS_FROM + this.length * 4;
    const met = places + words.length * 4;
    const free = Math.ceil((met + (words.length + 1) * 4) / HEAD_BYTES) * HEAD_BYTES;
    this.#reach(free);
    this.#bytes.fill(0, places, met);
    this.#cells.set([free], FREE / 4);
    this.#cells.set([places, met], PLACES / 4);
    texts.forEach(({ start, end }, text) => {
      this.#list(NUMBERS_FROM + start * 4, NUMBERS_FROM + end * 4, text);
    });
    const cells = this.#cells;
    const placeOf = (word: number): number => cells[places / 4 + word] ?? 0;
    const used = inOrder.filter((word) => placeOf(word) !== 0);
    return inBlocks(used, (word, into) => {
      const at = placeOf(word);
      const first = at + HEAD_BYTES;
      this.#gather((at + POSITIONS) / 4, first, into.positions);
      this.#gather((at + TEXTS) / 4, first + FIRST_STRETCH, into.texts);
      return { word: words[word] ?? "", count: cells[(at + COUNT) / 4] ?? 0 };
    });
  }

  /** Bytes that lie in stretches, one behind the other. */
  #gather(of: number, first: number, into: Growing): void {
    const cells = this.#cells;
    const last = cells[of + LIMIT / 4] ?? 0;
    let start = first;
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
