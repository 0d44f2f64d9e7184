import type { Folded } from "./fold.ts";
import { fold, UNSPACED_SCRIPT, WORD } from "./fold.ts";
import { identifiersIn } from "../identifiers.ts";
import type { SearchExpression } from "./search-expression.ts";
import { phrasesOf } from "./search-expression.ts";

/** Range in a text: `[start, end)`, in UTF-16 units. */
export type Mark = [start: number, end: number];

const LETTER = /[\p{L}\p{N}\p{Co}]/u;

/**
 * Matches texts against a query without an index, with the same semantics as the index. Ignores
 * case and accents of Latin letters. Also matches words inside camel-case names: `user` and `"user
 * name"` match `getUserName`.
 */
export class Matcher {
  readonly #query: SearchExpression;
  readonly #phrases: readonly Pattern[];
  readonly #patterns = new Map<string, Pattern>();
  /** Cached because callers examine the same text several times in a row. */
  #last: PreparedText | undefined;

  constructor(query: SearchExpression) {
    this.#query = query;
    this.#phrases = phrasesOf(query).map(({ text, isPrefix }) => this.#pattern(text, isPrefix));
  }

  matches(text: string): boolean {
    return this.#holds(this.#query, this.#prepare(text));
  }

  /** Returns the ranges of all wanted phrases, in order and without overlaps. */
  marks(text: string): Mark[] {
    const prepared = this.#prepare(text);
    const { folded } = prepared;
    const found = this.#phrases.flatMap((pattern) => [
      ...[...placesOf(pattern, folded.text)].map(([start, end]): Mark => {
        return [folded.at(start), folded.at(end)];
      }),
      ...namesMatching(pattern, prepared),
    ]);
    const marks: Mark[] = [];
    for (const mark of found.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
      if (mark[0] >= (marks.at(-1)?.[1] ?? 0)) marks.push(mark);
    }
    return marks;
  }

  /** Returns how many of the wanted phrases a text contains. */
  count(text: string): number {
    const prepared = this.#prepare(text);
    return this.#phrases.filter((pattern) => isIn(pattern, prepared)).length;
  }

  #holds(query: SearchExpression, prepared: PreparedText): boolean {
    switch (query.kind) {
      case "phrase":
        return isIn(this.#pattern(query.text, query.isPrefix), prepared);
      case "and":
        return query.parts.every((part) => this.#holds(part, prepared));
      case "or":
        return query.parts.some((part) => this.#holds(part, prepared));
      case "not":
        return this.#holds(query.wanted, prepared) && !this.#holds(query.unwanted, prepared);
      default:
        return query satisfies never;
    }
  }

  #prepare(text: string): PreparedText {
    if (this.#last?.text !== text) this.#last = new PreparedText(text);
    return this.#last;
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

/** A text with the data that all phrases share. */
class PreparedText {
  readonly text: string;
  readonly folded: Folded;
  #names: { start: number; parts: string[] }[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.folded = fold(text);
  }

  /** Camel-case names, in lower case. */
  get names(): readonly { start: number; parts: string[] }[] {
    this.#names ??= [...identifiersIn(this.text)].map(({ start, parts }) => {
      return { start, parts: parts.map((part) => part.toLowerCase()) };
    });
    return this.#names;
  }
}

interface Pattern {
  isPrefix: boolean;
  first: string;
  /** The following words; only non-letters may come between words. */
  others: { word: string; mayTouch: boolean }[];
  /** Whether letters may come directly before and after the phrase. */
  isOpenBefore: boolean;
  isOpenBehind: boolean;
}

function patternOf(phrase: string, isPrefix: boolean): Pattern {
  const words: readonly string[] = fold(phrase).text.match(WORD) ?? [];
  const [first = "", ...others] = words;
  return {
    isPrefix,
    first,
    others: others.map((word, at) => {
      // A run in a script without spaces may directly adjoin letters of another script.
      return {
        word,
        mayTouch: UNSPACED_SCRIPT.test(words[at] ?? "") !== UNSPACED_SCRIPT.test(word),
      };
    }),
    isOpenBefore: UNSPACED_SCRIPT.test(first),
    isOpenBehind: isPrefix || UNSPACED_SCRIPT.test(words.at(-1) ?? ""),
  };
}

function isIn(pattern: Pattern, prepared: PreparedText): boolean {
  return (
    placesOf(pattern, prepared.folded.text).next().done !== true ||
    namesMatching(pattern, prepared).next().done !== true
  );
}

/** Yields the ranges inside names whose parts equal the words of a phrase. */
function* namesMatching(
  { first, others, isPrefix }: Pattern,
  prepared: PreparedText,
): Generator<Mark> {
  if (first === "") return;
  const words = [first, ...others.map(({ word }) => word)];
  for (const { start, parts } of prepared.names) {
    let at = start;
    for (const [from, part] of parts.entries()) {
      const same = parts.slice(from, from + words.length);
      const isSame = words.every((word, index) => {
        const mayGoOn = isPrefix && index === words.length - 1;
        return mayGoOn ? same[index]?.startsWith(word) === true : same[index] === word;
      });
      if (isSame) yield [at, at + same.join("").length];
      at += part.length;
    }
  }
}

/**
 * Does not use a regular expression: compiling one with Unicode classes for every phrase takes
 * longer than searching a text.
 */
function* placesOf(pattern: Pattern, folded: string): Generator<Mark> {
  const { first, isOpenBefore, isOpenBehind } = pattern;
  // A phrase without words matches nothing.
  if (first === "") return;
  for (let from = 0; ;) {
    const start = folded.indexOf(first, from);
    if (start === -1) return;
    const end = endOf(pattern, folded, start);
    const isCut =
      end === undefined ||
      (!isOpenBefore && goesOn(folded, start - 1)) ||
      (!isOpenBehind && goesOn(folded, end));
    // A failed match may overlap the start of a real one: "tokens tokens token".
    from = isCut ? start + 1 : end;
    if (!isCut) yield [start, end];
  }
}

/**
 * Returns the end of a phrase whose first word is at `start`, or undefined if the other words do
 * not follow.
 */
function endOf({ first, others }: Pattern, folded: string, start: number): number | undefined {
  let at = start + first.length;
  for (const { word, mayTouch } of others) {
    const before = at;
    while (at < folded.length && !isLetter(folded, at)) at += 1;
    if ((at === before && !mayTouch) || !folded.startsWith(word, at)) return undefined;
    at += word.length;
  }
  return at;
}

/** Whether a word continues at this offset: a letter, but not of a script without spaces. */
function goesOn(folded: string, at: number): boolean {
  return isLetter(folded, at) && !UNSPACED_SCRIPT.test(characterAt(folded, at));
}

function isLetter(folded: string, at: number): boolean {
  const unit = folded.charCodeAt(at);
  if (unit < 128) return ASCII_LETTERS[unit] === 1;
  return LETTER.test(characterAt(folded, at));
}

const ASCII_LETTERS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  return LETTER.test(String.fromCharCode(unit)) ? 1 : 0;
});

/** Returns the whole character, even if `at` points at its low surrogate. */
function characterAt(text: string, at: number): string {
  const previous = text.codePointAt(at - 1) ?? 0;
  return String.fromCodePoint(previous > 0xffff ? previous : (text.codePointAt(at) ?? 32));
}
