import type { Query } from "../model/query.ts";
import { phrasesOf } from "../model/query.ts";

/** Where something stands in a text: `[start, end)`, in UTF-16 units. */
export type Mark = [start: number, end: number];

const LETTER = "[\\p{L}\\p{N}\\p{Co}]";
const NO_LETTER = "[^\\p{L}\\p{N}\\p{Co}]";
const SCRIPTS = "Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar Tibetan".split(" ");
/** Scripts without spaces: what is searched may stand in the middle of a run. */
const RUN: string = `[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}]`;
const IS_RUN: RegExp = new RegExp(RUN, "u");
const WORD: RegExp = new RegExp(`${RUN}+|(?:(?!${RUN})${LETTER})+`, "gu");

/**
 * Tells whether a text answers a query, and where: without an index, in the same sense. Case and
 * the accents of Latin letters do not matter.
 */
export class Matcher {
  readonly #query: Query;
  readonly #phrases: readonly RegExp[];
  readonly #patterns = new Map<string, RegExp>();

  constructor(query: Query) {
    this.#query = query;
    this.#phrases = phrasesOf(query).map(({ text, isPrefix }) => this.#pattern(text, isPrefix));
  }

  matches(text: string): boolean {
    return this.#holds(this.#query, fold(text).text);
  }

  /** All places of all wanted phrases, in order; none overlaps another. */
  marks(text: string): Mark[] {
    const folded = fold(text);
    const found = this.#phrases.flatMap((pattern) =>
      [...folded.text.matchAll(fromStart(pattern))].map((match): Mark => {
        return [folded.at(match.index), folded.at(match.index + match[0].length)];
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
    const folded = fold(text).text;
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

  #pattern(text: string, isPrefix: boolean): RegExp {
    const key = `${text}${isPrefix ? "*" : ""}`;
    const known = this.#patterns.get(key);
    if (known) return known;
    const made = patternOf(text, isPrefix);
    this.#patterns.set(key, made);
    return made;
  }
}

function isIn(pattern: RegExp, text: string): boolean {
  return fromStart(pattern).test(text);
}

/** A pattern remembers where it stopped. */
function fromStart(pattern: RegExp): RegExp {
  pattern.lastIndex = 0;
  return pattern;
}

/** Words one after the other, with anything but letters in between. */
function patternOf(phrase: string, isPrefix: boolean): RegExp {
  const words = fold(phrase).text.match(WORD) ?? [];
  const body = words.map((word, at) => {
    const before = words[at - 1];
    if (before === undefined) return IS_RUN.test(word) ? word : `(?<!(?!${RUN})${LETTER})${word}`;
    // A run needs no space to end where letters of another script begin.
    const isChange = IS_RUN.test(before) !== IS_RUN.test(word);
    return `${NO_LETTER}${isChange ? "*" : "+"}${word}`;
  });
  const isOpen = isPrefix || IS_RUN.test(words.at(-1) ?? "");
  return new RegExp(`${body.join("")}${isOpen ? "" : `(?!(?!${RUN})${LETTER})`}`, "gu");
}

interface Folded {
  text: string;
  /** Where a place of the folded text stands in the text itself. */
  at(place: number): number;
}

/** Lower-case, without the accents of Latin letters and without signs that combine. */
export function fold(text: string): Folded {
  const folded = foldAll(text);
  if (folded.length === text.length) return { text: folded, at: (place) => place };
  const places: number[] = [];
  let bare = "";
  let at = 0;
  for (const character of text) {
    const piece = foldAll(character);
    for (let unit = 0; unit < piece.length; unit += 1) places.push(at);
    bare += piece;
    at += character.length;
  }
  return { text: bare, at: (place) => places[place] ?? text.length };
}

function foldAll(text: string): string {
  const lower = text.toLowerCase();
  // Most text is plain: nothing to take apart.
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  const bare = lower.normalize("NFD").replace(/([a-z])\p{M}+/gu, "$1");
  return bare.normalize("NFC").replace(/\p{M}/gu, "");
}
