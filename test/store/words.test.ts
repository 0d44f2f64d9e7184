// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { merge } from "../../src/store/sqlite/words/merge.ts";
import { newestMatches } from "../../src/store/sqlite/words/newest.ts";
import { ranked } from "../../src/store/sqlite/words/rank.ts";
import type { Query } from "../../src/core/search-expression.ts";
import type { Sample } from "./samples.ts";
import { nameOf, partOf, partsOf, plainly, readerOf } from "./samples.ts";

/** Texts of few words, so that all kinds of queries find something; some texts are long. */
const word = fc.constantFrom(
  "a",
  "b",
  "ab",
  "Token",
  "tokens",
  "émigré",
  "函数",
  "数函",
  "函数函数",
  "longer-word",
);
const sampleText = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 12 }),
  fc.array(word, { minLength: 300, maxLength: 400 }),
);
const samples = fc
  .array(fc.record({ words: sampleText, second: fc.nat(50), role: fc.nat(5), of: fc.nat(8) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((list) => {
    const pieces = new Map<number, number>();
    return list.map(({ words, second, role, of }): Sample => {
      const piece = pieces.get(of) ?? 0;
      pieces.set(of, piece + 1);
      return {
        session: of + 1,
        piece,
        second,
        role,
        text: words.join(second % 2 === 0 ? " " : "\n"),
      };
    });
  });

const phrase = fc
  .record({ words: fc.array(word, { minLength: 1, maxLength: 5 }), isPrefix: fc.boolean() })
  .map(({ words, isPrefix }): Query => ({ kind: "phrase", text: words.join(" "), isPrefix }));
const { query } = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3 },
    phrase,
    fc.record({
      kind: fc.constant("and" as const),
      parts: fc.array(tie("query"), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("or" as const),
      parts: fc.array(tie("query"), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("not" as const), wanted: tie("query"), unwanted: tie("query") }),
  ),
}));

function split(all: readonly Sample[], count: number): Sample[][] {
  return Array.from({ length: count }, (_, at) => {
    return all.filter(({ session }) => session % count === at);
  }).filter((part) => part.length > 0);
}

describe("the index", () => {
  const everything = { roles: new Set([0, 1, 2, 3, 4, 5]), most: 1000 };
  const sessionsOf = (all: readonly Sample[]): Set<number> => {
    return new Set(all.map(({ session }) => session));
  };

  test("finds what looking at every text finds, in one part or in several", () => {
    fc.assert(
      fc.property(samples, query, fc.integer({ min: 1, max: 4 }), (all, one, count) => {
        const parts = split(all, count)
          .map((part) => readerOf(partOf(part)))
          .toSorted((a, b) => b.newest - a.newest);
        const wish = { query: one, sessions: sessionsOf(all), ...everything };
        const { matches } = newestMatches(parts, wish);
        expect(matches.map(({ facts }) => nameOf(facts))).toEqual(plainly(all, one).map(nameOf));
      }),
      { numRuns: 250 },
    );
  });

  test("finds the same when sessions are so long that they go into several parts", () => {
    fc.assert(
      fc.property(samples, query, fc.integer({ min: 1, max: 900 }), (all, one, most) => {
        const parts = partsOf(all, most)
          .map((part) => readerOf(part))
          .toSorted((a, b) => b.newest - a.newest);
        const wish = { query: one, sessions: sessionsOf(all), ...everything };
        const { matches } = newestMatches(parts, wish);
        expect(matches.map(({ facts }) => nameOf(facts))).toEqual(plainly(all, one).map(nameOf));
      }),
      { numRuns: 150 },
    );
  });

  test("stops early without missing anything newer, and keeps to sessions and roles", () => {
    const wishes = fc.record({
      most: fc.integer({ min: 1, max: 5 }),
      role: fc.nat(5),
      of: fc.nat(8),
    });
    fc.assert(
      fc.property(samples, query, wishes, (all, one, { most, role, of }) => {
        const parts = split(all, 3)
          .map((part) => readerOf(partOf(part)))
          .toSorted((a, b) => b.newest - a.newest);
        const [sessions, roles] = [new Set([of + 1, of + 2, of + 3]), new Set([role, 1, 2])];
        const { matches } = newestMatches(parts, { query: one, sessions, roles, most });
        const meant = all.filter((text) => sessions.has(text.session) && roles.has(text.role));
        const names = plainly(meant, one).map(nameOf).slice(0, most);
        expect(matches.map(({ facts }) => nameOf(facts))).toEqual(names);
      }),
      { numRuns: 250 },
    );
  });

  test("finds the same after parts were put together and sessions have gone", () => {
    fc.assert(
      fc.property(samples, query, fc.nat(8), (all, one, gone) => {
        const parts = split(all, 3).map((part) => readerOf(partOf(part)).reader);
        const left = all.filter(({ session }) => session !== gone);
        const merged = readerOf(merge(parts, (session) => session !== gone));
        const wish = { query: one, sessions: sessionsOf(all), ...everything };
        const found = newestMatches([merged], wish);
        expect(found.matches.map(({ facts }) => nameOf(facts))).toEqual(
          plainly(left, one).map(nameOf),
        );
        // The same numbers, not only the same texts.
        const anew = newestMatches(
          partsOf(left).map((part) => readerOf(part)),
          wish,
        );
        expect(found).toEqual(anew);
      }),
      { numRuns: 300 },
    );
  });

  test("knows many words, rare and common ones, over many blocks", () => {
    const texts = Array.from({ length: 3000 }, (_, n): Sample => {
      const text = `common w${n} and v${n % 100}, common again ${"filler ".repeat(n % 40)}`;
      return { session: 1 + (n % 7), piece: Math.floor(n / 7), second: n, role: 1, text };
    });
    const part = partOf(texts);
    expect(part.blocks.length).toBeGreaterThan(3);
    const parts = [readerOf(part)];
    for (const one of [
      "w1234",
      "v7",
      "w12",
      "common again",
      "w77 and v77",
      "filler filler",
      "no",
    ]) {
      for (const isPrefix of [false, true]) {
        const asked: Query = { kind: "phrase", text: one, isPrefix };
        const wish = { query: asked, sessions: sessionsOf(texts), ...everything, most: 5000 };
        const { matches } = newestMatches(parts, wish);
        expect(matches.map(({ facts }) => nameOf(facts))).toEqual(
          plainly(texts, asked).map(nameOf),
        );
      }
    }
  });

  test("ranks rare words above common ones, and what is said often above the rest", () => {
    const say = (piece: number, text: string): Sample => {
      return { session: 1, piece, second: piece, role: 1, text };
    };
    const padding = " word".repeat(20);
    const all = [
      say(0, `rare${padding}`),
      say(1, `common${padding}`),
      say(2, `common common common${padding}`),
      say(3, `common${padding}`),
    ];
    const parts = [readerOf(partOf(all))];
    const both: Query = {
      kind: "or",
      parts: ["rare", "common"].map((text) => ({ kind: "phrase", text, isPrefix: false })),
    };
    const wish = { query: both, sessions: new Set([1]), ...everything };
    const best = ranked(parts, newestMatches(parts, wish));
    expect(best.map(({ match }) => match.facts.piece)).toEqual([0, 2, 3, 1]);
  });

  test("ranks what is said often first, also where many words begin so", () => {
    const one = "token tokens tokenise tokeniser tokenised";
    const say = (piece: number, times: number): Sample => {
      const text = `${`${one} `.repeat(times)}${"word ".repeat(30 - times * 5)}`;
      return { session: 1, piece, second: piece, role: 1, text };
    };
    const parts = [readerOf(partOf([say(0, 1), say(1, 4), say(2, 2)]))];
    const begun: Query = { kind: "phrase", text: "token", isPrefix: true };
    const wish = { query: begun, sessions: new Set([1]), ...everything };
    const best = ranked(parts, newestMatches(parts, wish));
    expect(best.map(({ match }) => match.facts.piece)).toEqual([1, 2, 0]);
  });
});
