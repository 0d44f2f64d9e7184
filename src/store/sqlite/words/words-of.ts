import { fold, IS_RUN, WORD } from "../../../core/fold.ts";

/**
 * The index knows words by what is no letter between them. Scripts that are written without spaces
 * (Chinese, Japanese, Thai, …; Korean too, whose words carry endings) are cut into pairs of
 * characters, so that any part of a run is found:
 *
 *     函数解析  →  函数 数解 解析 析
 *
 * The last character stands alone, so that every character begins a word.
 */
export function* wordsOf(text: string): Generator<string> {
  // Not `matchAll`: that compiles the expression anew each time, which takes half a millisecond.
  for (const word of fold(text).text.match(WORD) ?? []) {
    if (IS_RUN.test(word)) yield* pairsOf(word);
    else if (word.length <= LONGEST) yield word;
    else yield* cut(word);
  }
}

/** No word of a language is so long; what is (encoded bytes) is known in parts. */
export const LONGEST = 255;

function* cut(word: string): Generator<string> {
  for (let at = 0; at < word.length; at += LONGEST) yield word.slice(at, at + LONGEST);
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

/** Words that follow one another; with a prefix, the last one may go on. */
export interface Phrase {
  words: string[];
  isPrefix: boolean;
}

/**
 * The same for what is searched. A run at the end of a phrase may go on in the text: its last
 * character begins a pair there, and only a single character is looked for as such a beginning.
 */
export function phraseOf(text: string, isPrefix: boolean): Phrase {
  const words = [...wordsOf(text)];
  const last = fold(text).text.match(WORD)?.at(-1) ?? "";
  if (!IS_RUN.test(last)) return { words, isPrefix };
  if (Array.from(last).length === 1) return { words, isPrefix: true };
  return { words: words.slice(0, -1), isPrefix };
}
