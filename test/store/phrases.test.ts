import fc from "fast-check";
import { expect, test } from "vitest";
import { newestMatches } from "../../src/store/sqlite/words/newest.ts";
import { phraseOf } from "../../src/store/sqlite/words/words-of.ts";
import type { Query } from "../../src/core/search-expression.ts";
import type { Sample } from "./samples.ts";
import { nameOf, partOf, plainly, readerOf, timesIn } from "./samples.ts";

test("finds long phrases and beginnings behind them, in the texts that are meant", () => {
  // So few words that a phrase of four or five is said somewhere, and long texts: positions then
  // take one byte or two.
  const letter = fc.constantFrom("a", "b", "ab", "函数函");
  const few = fc.oneof(
    fc.array(letter, { minLength: 4, maxLength: 12 }),
    fc.array(fc.oneof({ weight: 40, arbitrary: fc.constant("x") }, letter), {
      minLength: 400,
      maxLength: 600,
    }),
  );
  const asked = fc.record({
    words: fc.array(fc.oneof(letter, fc.constant("x")), { minLength: 2, maxLength: 5 }),
    isPrefix: fc.boolean(),
    role: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(few, { minLength: 1, maxLength: 12 }), asked, (texts, wanted) => {
      const all = texts.map((words, n): Sample => {
        return {
          session: 1 + (n % 2),
          piece: n >> 1,
          second: n,
          role: n % 3,
          text: words.join(" "),
        };
      });
      const { isPrefix, role } = wanted;
      const one: Query = { kind: "phrase", text: wanted.words.join(" "), isPrefix };
      const wish = {
        query: one,
        sessions: new Set([1, 2]),
        roles: new Set([role, 2]),
        most: 1000,
      };
      const { matches } = newestMatches([readerOf(partOf(all))], wish);
      const meant = all.filter((text) => wish.roles.has(text.role));
      expect(matches.map(({ facts }) => nameOf(facts))).toEqual(plainly(meant, one).map(nameOf));
      for (const { facts, counts } of matches) {
        const said = all.find((text) => nameOf(text) === nameOf(facts))?.text ?? "";
        expect(counts).toEqual([timesIn(said, phraseOf(one.text, isPrefix))]);
      }
    }),
    { numRuns: 400 },
  );
});

test("takes nothing that was marked in a text long before for something of this one", () => {
  const all = Array.from({ length: 600 }, (_, n): Sample => {
    // What the first one marks, no other one marks again.
    const text = n === 0 ? "a x x b" : "x b x a";
    return { session: 1, piece: n, second: n, role: 1, text };
  });
  const one: Query = { kind: "phrase", text: "a b", isPrefix: false };
  const wish = { query: one, sessions: new Set([1]), roles: new Set([1]), most: 1000 };
  expect(newestMatches([readerOf(partOf(all))], wish).matches).toEqual([]);
});
