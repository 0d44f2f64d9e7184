// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cutter } from "../../src/store/sqlite/words/cutter.ts";
import { NumberList } from "../../src/store/sqlite/words/number-list.ts";
import { Vocabulary } from "../../src/store/sqlite/words/vocabulary.ts";
import { wordsOf } from "../../src/store/sqlite/words/words-of.ts";

describe("the words of a text", () => {
  const odd = [
    "é",
    "Ä",
    "ß",
    "İ",
    "Σ",
    "ς",
    "e\u0301",
    "\u0301",
    "函",
    "数",
    "テ",
    "ー",
    "ก็",
    "한",
  ];
  const more = ["😀", "𠮷", "\ud83d", "\udc00", "\ufeff", "\u2028", "’", "—", "٣", "ﬁ", "\ue000"];
  const plain = ["a", "B", "z", "0", "9", " ", "_", "-", "\n", "'", "\0", "\u007f", "abcdefghijk"];
  const unit = fc.constantFrom(...odd, ...more, ...plain, "x".repeat(130), "Word", "word ");
  const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join(""));

  function read(vocabulary: Vocabulary, one: string): string[] {
    const numbers = new NumberList();
    vocabulary.read(one, numbers);
    return Array.from(numbers.items.subarray(0, numbers.length), (n) => vocabulary.words[n] ?? "");
  }

  test("are the same the quick way and the plain way, whatever stands in it", () => {
    const vocabulary = new Vocabulary();
    const check = (one: string): void => {
      expect(read(vocabulary, one)).toEqual([...wordsOf(one)]);
    };
    fc.assert(fc.property(text, check), { numRuns: 1000 });
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 80 }), check), { numRuns: 1000 });
  });

  test("are cut the quick way on this machine", () => {
    const learnt: string[] = [];
    const stretches: string[] = [];
    const taken: number[] = [];
    const cutter = new Cutter({
      learn: (word) => learnt.push(word) - 1,
      take: (numbers) => taken.push(...numbers),
      stretch: (start, end) => {
        stretches.push(cutter.textAt(start, end));
        return [7, 8];
      },
    });
    const said = "One TWO, one 函数 abcdefghijklmno abcdefghijklmnop 函数!";
    cutter.load(said);
    cutter.run(said.length);
    expect(learnt).toEqual(["one", "two", "abcdefghijklmno"]);
    expect(stretches).toEqual(["函数", "abcdefghijklmnop"]);
    // Who is asked for a stretch takes its words; known ones come with all others.
    expect(taken).toEqual([0, 1, 0, 2, 7, 8]);
  });

  test("are the same in long texts, with and without gaps", () => {
    const vocabulary = new Vocabulary();
    const sentence = "Some words, naïve ones: 函数 and 0123456789ab. ";
    for (const one of [
      sentence.repeat(20_000),
      "x".repeat(300_000),
      `${"y".repeat(262_140)} z ${"函".repeat(3000)}`,
      `${sentence}${"w".repeat(300_000)} ${sentence}`,
    ]) {
      expect(read(vocabulary, one).join(" ") === [...wordsOf(one)].join(" ")).toBe(true);
    }
  });

  test("are numbered once, however many there are", () => {
    const vocabulary = new Vocabulary();
    const words = Array.from({ length: 60_000 }, (_, n) => `w${n * 7919}${n % 3 === 0 ? "é" : ""}`);
    expect(read(vocabulary, words.join(" "))).toEqual(words.map((word) => word.replace("é", "e")));
    const before = vocabulary.words.length;
    read(vocabulary, words.join(","));
    expect(vocabulary.words.length).toBe(before);
    expect(new Set(vocabulary.words).size).toBe(before);
  });

  test("are known in the order of the alphabet, however they came", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (all) => {
        const vocabulary = new Vocabulary();
        for (const one of all) {
          read(vocabulary, one);
          const inOrder = Array.from(vocabulary.inOrder(), (n) => vocabulary.words[n]);
          expect(inOrder).toEqual(vocabulary.words.toSorted());
        }
      }),
      { numRuns: 100 },
    );
  });

  test("are not all that is remembered: stretches of few characters are many", () => {
    const vocabulary = new Vocabulary();
    const stretches = Array.from({ length: 2000 }, (_, n) => {
      return Array.from(n.toString(2), (digit) => (digit === "0" ? "函" : "数")).join("");
    });
    read(vocabulary, stretches.join(" "));
    expect(vocabulary.words.length).toBeLessThan(10);
    expect(vocabulary.size).toBe(2000);
  });
});
