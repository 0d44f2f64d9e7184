import { PartDraft } from "../../src/store/sqlite/words/draft.ts";
import type { Part } from "../../src/store/sqlite/words/part.ts";
import { FACTS, secondOf } from "../../src/store/sqlite/words/part.ts";
import { PartReader } from "../../src/store/sqlite/words/part-reader.ts";
import type { Phrase } from "../../src/store/sqlite/words/words-of.ts";
import { wordsOf } from "../../src/store/sqlite/words/words-of.ts";
import type { Query } from "../../src/core/search-expression.ts";
import { Matcher } from "../../src/queries/matcher.ts";

/** A text that goes into parts of the index. */
export interface Sample {
  session: number;
  piece: number;
  second: number;
  role: number;
  text: string;
}

export function partsOf(samples: readonly Sample[], most?: number): Part[] {
  const draft = new PartDraft(most);
  const keys = [...new Set(samples.map(({ session }) => session))];
  for (const key of keys) {
    const own = samples.filter(({ session }) => session === key);
    draft.add(own.map(({ text, ...sample }) => ({ ...sample, texts: text.split("\n") })));
  }
  return draft.partsFor(keys);
}

export function partOf(samples: readonly Sample[]): Part {
  const [part, ...others] = partsOf(samples);
  if (!part || others.length > 0) throw new RangeError("not one part");
  return part;
}

export function readerOf(
  { texts, length, blocks }: Part,
  id = 1,
): { reader: PartReader; newest: number } {
  const reader = new PartReader({
    id,
    texts,
    length,
    firsts: blocks.map(({ first }) => first),
    words: (at) => blocks[at]?.words ?? new Uint8Array(),
    positions: (at) => blocks[at]?.positions ?? new Uint8Array(),
  });
  return { reader, newest: secondOf(texts, texts.length / FACTS - 1) };
}

/** Without an index: every text is looked at. */
export function plainly(all: readonly Sample[], one: Query): Sample[] {
  const matcher = new Matcher(one);
  return all
    .filter(({ text }) => matcher.matches(text))
    .toSorted((a, b) => b.second - a.second || b.session - a.session || b.piece - a.piece);
}

/** How often a phrase stands in a text: word by word. */
export function timesIn(text: string, { words, isPrefix }: Phrase): number {
  const said = [...wordsOf(text)];
  return said.filter((_, from) =>
    words.every((one, at) => {
      const there = said[from + at];
      return isPrefix && at === words.length - 1 ? there?.startsWith(one) : there === one;
    }),
  ).length;
}

export function nameOf({ session, piece }: { session: number; piece: number }): string {
  return `${session}.${piece}`;
}
