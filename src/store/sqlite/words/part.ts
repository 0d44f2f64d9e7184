/**
 * A part of the index: stretches of text, numbered from the oldest to the newest, and for each word
 * in which of them it stands, how often and where. It is written once and never changed.
 *
 * Its words lie in blocks, in the order of the alphabet:
 *
 *     words       count, then for each: length, UTF-8, texts, bytes of its list, bytes of positions
 *                 then for each its list: (steps to the next text · 2 + 1) when it stands there
 *                 once; else (steps · 2), how often, and the bytes of its positions there
 *     positions   then for each, text by text: steps to the next position
 *
 * All numbers are of seven bits a byte, the lowest first; the highest bit says that it goes on.
 */
export interface Part {
  /** Four numbers for each text, see `TextFacts`. */
  texts: Uint32Array;
  /** Words in all its texts, each as often as it stands there. */
  length: number;
  blocks: Block[];
}

export interface Block {
  /** The first of its words. */
  first: string;
  words: Uint8Array;
  positions: Uint8Array;
}

/** What is known of a text without reading it. */
export interface TextFacts {
  session: number;
  /** Which one of its session. */
  piece: number;
  second: number;
  /** In words. */
  length: number;
  role: number;
}

export const FACTS = 4;
const ROLES = 8;
const LONGEST_TEXT = 2 ** 29 - 1;

export function putFacts(into: Uint32Array, text: number, facts: TextFacts): void {
  const length = Math.min(facts.length, LONGEST_TEXT);
  into.set([facts.session, facts.piece, facts.second, length * ROLES + facts.role], text * FACTS);
}

export function factsOf(texts: Uint32Array, text: number): TextFacts {
  const at = text * FACTS;
  const last = texts[at + 3] ?? 0;
  return {
    session: texts[at] ?? 0,
    piece: texts[at + 1] ?? 0,
    second: texts[at + 2] ?? 0,
    length: Math.floor(last / ROLES),
    role: last % ROLES,
  };
}

export function sessionOf(texts: Uint32Array, text: number): number {
  return texts[text * FACTS] ?? 0;
}

export function roleOf(texts: Uint32Array, text: number): number {
  return (texts[text * FACTS + 3] ?? 0) % ROLES;
}

export function lengthOf(texts: Uint32Array, text: number): number {
  return Math.floor((texts[text * FACTS + 3] ?? 0) / ROLES);
}

export function secondOf(texts: Uint32Array, text: number): number {
  return texts[text * FACTS + 2] ?? 0;
}

/**
 * Where a word stands. When all texts of a part are laid one behind the other, each of their words
 * has a place; text number n begins at `firsts[n]` and ends where the next one begins.
 */
export interface WordList {
  word: string;
  places: Uint32Array;
  firsts: Uint32Array;
}
