import { fold, IS_RUN, WORD } from "../core/fold.ts";
import { identifiersIn } from "../core/identifiers.ts";

/**
 * The words of a text as an index holds them, one behind the other. What is written without spaces
 * is cut into pairs of characters, with its last character for itself behind them: whatever part
 * of it is asked for, its pairs follow one another in the index.
 */
export function* wordsOf(text: string): Generator<string> {
  for (const word of fold(text).text.match(WORD) ?? []) {
    if (IS_RUN.test(word)) yield* pairsOf(word);
    else yield word;
  }
}

/** The names in humps of a text, each as its parts: `getUserName` → get, user, name. */
export function* namesIn(text: string): Generator<string[]> {
  for (const { parts } of identifiersIn(text)) yield parts.map((part) => part.toLowerCase());
}

export interface PhraseWord {
  word: string;
  /** Words that begin so are meant, too. */
  isPrefix: boolean;
}

/** How a phrase stands in the index: words that follow one another. None: it stands nowhere. */
export function phraseWords(phrase: string, isPrefix: boolean): PhraseWord[] {
  const words: readonly string[] = fold(phrase).text.match(WORD) ?? [];
  return words.flatMap((word, at) => {
    const isLast = at === words.length - 1;
    if (IS_RUN.test(word)) return runWords(word, isLast);
    return [{ word, isPrefix: isPrefix && isLast }];
  });
}

/** A run that ends the phrase may go on in the text; one in the middle ends there. */
function runWords(run: string, isLast: boolean): PhraseWord[] {
  const pairs = [...pairsOf(run)].map((word) => ({ word, isPrefix: false }));
  if (!isLast) return pairs;
  return pairs.length === 1 ? [{ word: run, isPrefix: true }] : pairs.slice(0, -1);
}

function* pairsOf(run: string): Generator<string> {
  const characters = [...run];
  for (const [at, character] of characters.entries()) {
    yield `${character}${characters[at + 1] ?? ""}`;
  }
}
