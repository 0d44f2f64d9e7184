import { fold, UNSPACED_SCRIPT, WORD } from "../core/filter/fold.ts";
import { identifiersIn } from "../core/identifiers.ts";
import type { TextRole } from "../core/session/text.ts";

/**
 * Converts a text for a full-text index, so that the index finds what `core/filter/matcher.ts`
 * finds. The index needs to handle ASCII only: everything else is folded and split into words here.
 *
 * - Scripts without spaces (Chinese, Japanese, Thai, …) are split into pairs of characters, so that
 *   any part of a run is found: `函数解析` → `函数 数解 解析 析`. The last character stands alone, so that
 *   every character begins a word.
 * - Parts of camelCase names are appended: `getUserName` → `… | get User Name`, with a barrier
 *   before each name, so that no phrase matches across two names.
 */
export function searchableText(text: string): string {
  const names = new Set<string>();
  for (const { parts } of identifiersIn(text)) names.add(parts.join(" "));
  // Databases cut texts at a NUL character.
  const whole = text.includes("\0") ? text.replaceAll("\0", " ") : text;
  const plain = whole.replace(NOT_ASCII, foldedStretch);
  return names.size === 0 ? plain : `${plain} ${BARRIER} ${[...names].join(` ${BARRIER} `)}`;
}

/** A word that occurs in no text: a private-use character. */
const BARRIER = "\u{e000}";

/** No `u` flag, which is four times as slow: surrogate halves are not ASCII either. */
// oxlint-disable-next-line require-unicode-regexp
const NOT_ASCII = /[^\0-\x7f]+/g;
const NO_LETTER = /[^\p{L}\p{N}\p{Co}]+/gu;
const RUN_OR_REST = new RegExp(`${WORD.source}|[^]`, "gu");

/** Cache of folded words: most texts repeat the same few. */
const known = new Map<string, string>();
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 16;

function foldedStretch(stretch: string): string {
  const before = known.get(stretch);
  if (before !== undefined) return before;
  const folded = fold(stretch).text.replace(NO_LETTER, " ");
  const made = UNSPACED_SCRIPT.test(folded) ? withPairs(folded) : folded;
  if (stretch.length <= LONGEST_KNOWN) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(stretch, made);
  }
  return made;
}

function withPairs(folded: string): string {
  return folded.replace(RUN_OR_REST, (word) =>
    UNSPACED_SCRIPT.test(word) ? ` ${pairsOf(word).join(" ")} ` : word,
  );
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

/** Indexes treat every non-ASCII character as a letter; those that are not were removed before. */
const INDEXED = /[a-z0-9\u{80}-\u{10ffff}]+/gu;

/** The words that the index stores for a text. */
export function indexedWords(text: string): string[] {
  return searchableText(text).toLowerCase().match(INDEXED) ?? [];
}

/** Consecutive words; if `isPrefix`, the last one may be longer in the text. */
export interface WordPhrase {
  words: string[];
  isPrefix: boolean;
}

/**
 * Converts a search phrase in the same way. In the text, a run may continue after the phrase, and
 * its last character then begins a pair. So the lone last character of a run is dropped, or
 * searched as a prefix if it is the only one.
 */
export function phraseWords(text: string, isPrefix: boolean): WordPhrase {
  const found = fold(text).text.match(WORD) ?? [];
  const words = found.flatMap((word) => (UNSPACED_SCRIPT.test(word) ? pairsOf(word) : [word]));
  const last = found.at(-1) ?? "";
  if (!UNSPACED_SCRIPT.test(last)) return { words, isPrefix };
  if (Array.from(last).length === 1) return { words, isPrefix: true };
  return { words: words.slice(0, -1), isPrefix };
}

/** Search ranking weights: prompts and answers rank above tool output. */
export const ROLE_WEIGHTS: Readonly<Record<TextRole, number>> = {
  title: 2,
  prompt: 1.6,
  answer: 1.4,
  thought: 1,
  tool: 0.8,
  other: 0.6,
};
