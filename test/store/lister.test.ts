// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entriesOf } from "../../src/store/sqlite/words/block-reader.ts";
import { encode } from "../../src/store/sqlite/words/encode.ts";
import { Lister } from "../../src/store/sqlite/words/lister.ts";
import type { Block } from "../../src/store/sqlite/words/part.ts";
import { plainLists } from "../../src/store/sqlite/words/plain-lists.ts";

/** Numbers of the words of a text: stretches of the same word, or of words one after the other. */
interface Run {
  word: number;
  step: number;
  count: number;
}

const WORDS = 300;
/** Not in the order of the alphabet. */
const words = Array.from({ length: WORDS }, (_, n) => `w${(n * 7919) % WORDS}é`);
const inOrder = Uint32Array.from(words.keys()).toSorted((a, b) => {
  return (words[a] ?? "") < (words[b] ?? "") ? -1 : 1;
});
const run = fc.record({
  word: fc.nat(WORDS - 1),
  step: fc.constantFrom(0, 1, 7),
  count: fc.oneof(
    { arbitrary: fc.nat(12), weight: 9 },
    { arbitrary: fc.constantFrom(126, 127, 128, 129, 5000, 17_000), weight: 1 },
  ),
});
const texts = fc.array(fc.array(run, { maxLength: 6 }), { minLength: 1, maxLength: 12 });

function numbersOf(runs: readonly Run[]): number[] {
  return runs.flatMap(({ word, step, count }) => {
    return Array.from({ length: count }, (_, n) => (word + n * step) % WORDS);
  });
}

/** Fills a lister with texts; they are listed from the last to the first. */
function filled(lister: Lister, all: readonly number[][]): { start: number; end: number }[] {
  lister.length = 0;
  const spans = all.map((numbers) => {
    const start = lister.length;
    lister.add(Uint32Array.from(numbers));
    return { start, end: lister.length };
  });
  return spans.toReversed();
}

function plainly(lister: Lister, spans: readonly { start: number; end: number }[]): Block[] {
  return encode(plainLists({ words, inOrder, numbers: lister, texts: spans }));
}

function told(blocks: readonly Block[]): unknown {
  return blocks.map(({ first, words: bytes, positions }) => {
    return { first, words: hex(bytes), positions: hex(positions) };
  });
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("lists of where words stand", () => {
  test("are the same the quick way and the plain way, byte by byte", () => {
    // One for all: memory is used again.
    const lister = new Lister();
    fc.assert(
      fc.property(texts, (all) => {
        const spans = filled(lister, all.map(numbersOf));
        const expected = told(plainly(lister, spans));
        expect(told(lister.blocks({ words, inOrder, texts: spans }))).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test("are the same for many texts, of which a word stands in few", () => {
    const lister = new Lister();
    const all = Array.from({ length: 20_000 }, (_, n) => {
      return [0, n % 67 === 0 ? 1 : 0, n % 150 === 0 ? 2 : 0, n % 9000 === 1 ? 3 : 0, 4 + (n % 9)];
    });
    const spans = filled(lister, all);
    const expected = told(plainly(lister, spans));
    expect(told(lister.blocks({ words, inOrder, texts: spans }))).toEqual(expected);
  });

  test("are the same when a text is long: steps of up to four bytes", () => {
    const lister = new Lister();
    const long = Array.from({ length: 2_200_000 }, (_, n) => (n % 40_000 === 9 ? 2 : n % 2));
    long.push(3, 2, 3);
    const spans = filled(lister, [[3, 2], long, [], [3]]);
    const expected = told(plainly(lister, spans));
    expect(told(lister.blocks({ words, inOrder, texts: spans }))).toEqual(expected);
  });

  test("tell words of all lengths and letters", () => {
    const odd = ["a", "b".repeat(127), "c".repeat(128), "d".repeat(255), "dé", "函数", "𠮷x", "ｚ"];
    const order = Uint32Array.from(odd.keys());
    const lister = new Lister();
    const spans = filled(lister, [[...order], [0, 5, 5]]);
    const blocks = lister.blocks({ words: odd, inOrder: order, texts: spans });
    const entries = blocks.flatMap((block) => entriesOf(block.words));
    expect(entries.map(({ word }) => word)).toEqual(odd);
    expect(entries.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1, 2, 1, 1]);
  });

  test("are none when nothing was said", () => {
    const lister = new Lister();
    expect(lister.blocks({ words: [], inOrder: new Uint32Array(), texts: [] })).toEqual([]);
    expect(lister.blocks({ words, inOrder, texts: [{ start: 0, end: 0 }] })).toEqual([]);
  });

  test("lists lie anywhere in memory, also behind its first half", () => {
    const lister = new Lister();
    const spans = filled(lister, [[...words.keys(), 1, 2, 3]]);
    const plain = told(plainly(lister, spans));
    // As if half of all addresses were full of numbers; what is not touched takes no room.
    lister.length = 2 ** 29;
    expect(told(lister.blocks({ words, inOrder, texts: spans }))).toEqual(plain);
  });
});
