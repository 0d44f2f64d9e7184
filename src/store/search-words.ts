import { fold, IS_RUN, WORD } from "../core/fold.ts";
import { identifiersIn } from "../core/identifiers.ts";

/**
 * What a full-text index is given instead of a text, so that it finds what `core/matcher.ts` finds.
 * The index has to know no more than ASCII: everything else arrives folded, and as words.
 *
 * - Scripts that are written without spaces (Chinese, Japanese, Thai, …) are cut into pairs of
 *   characters, so that any part of a run is found: `函数解析` → `函数 数解 解析 析`. The last character
 *   stands alone, so that every character begins a word.
 * - Parts of names in humps follow behind: `getUserName` → `… | get User Name`, each name behind a
 *   barrier, so that no phrase reaches from one to the next.
 */
export function searchableText(text: string): string {
  const names = new Set<string>();
  for (const { parts } of identifiersIn(text)) names.add(parts.join(" "));
  // A database ends a text where the first of these stands.
  const whole = text.includes("\0") ? text.replaceAll("\0", " ") : text;
  const plain = whole.replace(NOT_ASCII, foldedStretch);
  return names.size === 0 ? plain : `${plain} ${BARRIER} ${[...names].join(` ${BARRIER} `)}`;
}

/** A word that no text has: of the characters that are left to private use. */
const BARRIER = "\u{e000}";

/**
 * Without the `u` flag, which makes it four times as slow: halves of pairs are not ASCII either.
 */
// oxlint-disable-next-line require-unicode-regexp
const NOT_ASCII = /[^\0-\x7f]+/g;
const NO_LETTER = /[^\p{L}\p{N}\p{Co}]+/gu;
const RUN_OR_REST = new RegExp(`${WORD.source}|[^]`, "gu");

/** Most texts use few of them, again and again. */
const known = new Map<string, string>();
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 16;

function foldedStretch(stretch: string): string {
  const before = known.get(stretch);
  if (before !== undefined) return before;
  const folded = fold(stretch).text.replace(NO_LETTER, " ");
  const made = IS_RUN.test(folded) ? withPairs(folded) : folded;
  if (stretch.length <= LONGEST_KNOWN) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(stretch, made);
  }
  return made;
}

function withPairs(folded: string): string {
  return folded.replace(RUN_OR_REST, (word) =>
    IS_RUN.test(word) ? ` ${pairsOf(word).join(" ")} ` : word,
  );
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

/** To an index, all that is not ASCII is a letter: whatever is none was left out before. */
const INDEXED = /[a-z0-9\u{80}-\u{10ffff}]+/gu;

/** The words that an index has of a text. */
export function indexedWords(text: string): string[] {
  return searchableText(text).toLowerCase().match(INDEXED) ?? [];
}

/** Words that follow one another; with a prefix, the last one may go on. */
export interface WordPhrase {
  words: string[];
  isPrefix: boolean;
}

/**
 * The same for what is searched. A run at the end of a phrase may go on in the text: its last
 * character begins a pair there, and only a single character is looked for as such a beginning.
 */
export function phraseWords(text: string, isPrefix: boolean): WordPhrase {
  const found = fold(text).text.match(WORD) ?? [];
  const words = found.flatMap((word) => (IS_RUN.test(word) ? pairsOf(word) : [word]));
  const last = found.at(-1) ?? "";
  if (!IS_RUN.test(last)) return { words, isPrefix };
  if (Array.from(last).length === 1) return { words, isPrefix: true };
  return { words: words.slice(0, -1), isPrefix };
}
