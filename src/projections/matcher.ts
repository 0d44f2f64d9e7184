import type { Folded } from "../model/fold.ts";
import { fold, IS_RUN, WORD } from "../model/fold.ts";
import type { Query } from "../model/query.ts";
import { phrasesOf } from "../model/query.ts";

/** Where something stands in a text: `[start, end)`, in UTF-16 units. */
export type Mark = [start: number, end: number];

const LETTER = /[\p{L}\p{N}\p{Co}]/u;
const NO_LETTERS = "[^\\p{L}\\p{N}\\p{Co}]";

/**
 * Tells whether a text answers a query, and where: without an index, in the same sense. Case and
 * the accents of Latin letters do not matter.
 */
export class Matcher {
  readonly #query: Query;
  readonly #phrases: readonly Pattern[];
  readonly #patterns = new Map<string, Pattern>();
  /** Texts are looked at several times in a row. */
  #last: { text: string; folded: Folded } | undefined;

  constructor(query: Query) {
    this.#query = query;
    this.#phrases = phrasesOf(query).map(({ text, isPrefix }) => this.#pattern(text, isPrefix));
  }

  matches(text: string): boolean {
    return this.#holds(this.#query, this.#fold(text).text);
  }

  /** All places of all wanted phrases, in order; none overlaps another. */
  marks(text: string): Mark[] {
    const folded = this.#fold(text);
    const found = this.#phrases.flatMap((pattern) =>
      [...placesOf(pattern, folded.text)].map(([start, end]): Mark => {
        return [folded.at(start), folded.at(end)];
      }),
    );
    const marks: Mark[] = [];
    for (const mark of found.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
      if (mark[0] >= (marks.at(-1)?.[1] ?? 0)) marks.push(mark);
    }
    return marks;
  }

  /** How many of the wanted phrases a text holds. */
  count(text: string): number {
    const folded = this.#fold(text).text;
    return this.#phrases.filter((pattern) => isIn(pattern, folded)).length;
  }

  #holds(query: Query, folded: string): boolean {
    switch (query.kind) {
      case "phrase":
        return isIn(this.#pattern(query.text, query.isPrefix), folded);
      case "and":
        return query.parts.every((part) => this.#holds(part, folded));
      case "or":
        return query.parts.some((part) => this.#holds(part, folded));
      case "not":
        return this.#holds(query.wanted, folded) && !this.#holds(query.unwanted, folded);
      default:
        return query satisfies never;
    }
  }

  #fold(text: string): Folded {
    if (this.#last?.text !== text) this.#last = { text, folded: fold(text) };
    return this.#last.folded;
  }

  #pattern(text: string, isPrefix: boolean): Pattern {
    const key = `${text}${isPrefix ? "*" : ""}`;
    const known = this.#patterns.get(key);
    if (known) return known;
    const made = patternOf(text, isPrefix);
    this.#patterns.set(key, made);
    return made;
  }
}

interface Pattern {
  /** The words, with anything but letters in between. It begins with a plain word, to be quick. */
  words: RegExp;
  /** Whether letters may stand right before and right behind. */
  isOpenBefore: boolean;
  isOpenBehind: boolean;
}

function patternOf(phrase: string, isPrefix: boolean): Pattern {
  const words = fold(phrase).text.match(WORD) ?? [];
  const body = words.map((word, at) => {
    const before = words[at - 1];
    if (before === undefined) return word;
    // A run needs no space to end where letters of another script begin.
    const isChange = IS_RUN.test(before) !== IS_RUN.test(word);
    return `${NO_LETTERS}${isChange ? "*" : "+"}${word}`;
  });
  return {
    words: new RegExp(body.join(""), "gu"),
    isOpenBefore: IS_RUN.test(words[0] ?? ""),
    isOpenBehind: isPrefix || IS_RUN.test(words.at(-1) ?? ""),
  };
}

function isIn(pattern: Pattern, folded: string): boolean {
  return placesOf(pattern, folded).next().done !== true;
}

function* placesOf(pattern: Pattern, folded: string): Generator<Mark> {
  const { words, isOpenBefore, isOpenBehind } = pattern;
  let from = 0;
  for (;;) {
    words.lastIndex = from;
    const match = words.exec(folded);
    // A phrase without any word stands nowhere.
    if (!match?.[0]) return;
    const start = match.index;
    const end = start + match[0].length;
    const isCut =
      (!isOpenBefore && goesOn(folded, start - 1)) || (!isOpenBehind && goesOn(folded, end));
    // What only looked like it may hide the beginning of what is it: "tokens tokens token".
    from = isCut ? start + 1 : end;
    if (!isCut) yield [start, end];
  }
}

/** Whether a word goes on there: with a letter, but not of a script without spaces. */
function goesOn(folded: string, at: number): boolean {
  const character = characterAt(folded, at);
  return LETTER.test(character) && !IS_RUN.test(character);
}

function characterAt(text: string, at: number): string {
  const isTail = /[\udc00-\udfff]/.test(text.charAt(at));
  return String.fromCodePoint(text.codePointAt(isTail ? at - 1 : at) ?? 32);
}
