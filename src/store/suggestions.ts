import { compareTexts } from "../core/lists.ts";
import { fold, UNSPACED_SCRIPT, WORD } from "../core/filter/fold.ts";
import { indexedWords } from "./search-words.ts";

/** An indexed word and the number of texts that contain it. */
export interface VocabularyWord {
  word: string;
  texts: number;
}

/** Indexed words that start with `start`. */
export type WordsFrom = (start: string) => Iterable<VocabularyWord>;

const MOST = 5;
const SHORTEST = 3;

/** Suggests similar words when nothing was found: by edit distance, then most common first. */
export function suggestWords(phrases: readonly string[], vocabulary: WordsFrom): string[] {
  const words = phrases.flatMap((phrase) => fold(phrase).text.match(WORD) ?? []);
  const found = words
    .filter((word) => word.length >= SHORTEST && !UNSPACED_SCRIPT.test(word))
    .flatMap((word) => nearest(word, vocabulary(startOf(word))));
  return [...new Set(found)].slice(0, MOST);
}

/** The first letters are seldom mistyped; without them, all words would have to be compared. */
function startOf(word: string): string {
  return Array.from(word)
    .slice(0, word.length < 5 ? 1 : 2)
    .join("");
}

function nearest(asked: string, candidates: Iterable<VocabularyWord>): string[] {
  const most = asked.length < 6 ? 1 : 2;
  const near: (VocabularyWord & { distance: number })[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.word.length - asked.length) > most) continue;
    const distance = distanceOf(asked, candidate.word);
    // The word itself is indexed, so it was not mistyped.
    if (distance === 0) return [];
    if (distance <= most) near.push({ ...candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || b.texts - a.texts || compareTexts(a.word, b.word));
  return near.slice(0, MOST).map(({ word }) => word);
}

/** Edit distance: letters missing, added, changed, or swapped with their neighbour. */
export function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const changed = (above[column - 1] ?? 0) + (isSame ? 0 : 1);
      const moved = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      let least = Math.min(changed, moved);
      if (isSwapped(a, b, { row, column })) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}

function isSwapped(a: string, b: string, at: { row: number; column: number }): boolean {
  const { row, column } = at;
  return (
    row > 1 &&
    column > 1 &&
    a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
    a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
  );
}

/** The words of these texts, with the number of texts that contain each. */
export function vocabularyOf(texts: Iterable<string>): WordsFrom {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(indexedWords(text))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return (start) =>
    [...counts]
      .filter(([known]) => known.startsWith(start))
      .map(([known, count]) => ({ word: known, texts: count }));
}
