import { fold, IS_RUN, WORD } from "../core/fold.ts";
import { searchableText } from "./search-words.ts";

/** A word of the vocabulary, and in how many texts it stands. */
export interface VocabularyWord {
  word: string;
  texts: number;
}

/** Words that begin like the one asked for: people seldom mistype the first letter. */
export type WordsLike = (word: string) => Iterable<VocabularyWord>;

const MOST = 5;
const SHORTEST = 3;

/** What may have been meant when nothing was found: the nearest words, then the most common. */
export function suggestWords(phrases: readonly string[], like: WordsLike): string[] {
  const words = phrases.flatMap((phrase) => fold(phrase).text.match(WORD) ?? []);
  const found = words
    .filter((word) => word.length >= SHORTEST && !IS_RUN.test(word))
    .flatMap((word) => nearest(word, like(word)));
  return [...new Set(found)].slice(0, MOST);
}

function nearest(asked: string, candidates: Iterable<VocabularyWord>): string[] {
  const most = asked.length < 6 ? 1 : 2;
  const near: (VocabularyWord & { distance: number })[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.word.length - asked.length) > most) continue;
    const distance = distanceOf(asked, candidate.word);
    // The word itself is there: it is not what was mistyped.
    if (distance === 0) return [];
    if (distance <= most) near.push({ ...candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || b.texts - a.texts || (a.word < b.word ? -1 : 1));
  return near.slice(0, MOST).map(({ word }) => word);
}

/** How many letters are missing, too many, others, or swapped with their neighbour. */
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

/** The words that an index of these texts has, counted by text. */
export function vocabularyOf(texts: Iterable<string>): WordsLike {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(searchableText(text).toLowerCase().match(INDEXED) ?? [])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return (word) =>
    [...counts]
      .filter(([known]) => known.startsWith(word.charAt(0)))
      .map(([known, count]) => ({ word: known, texts: count }));
}

/** To an index, all that is not ASCII is a letter: whatever is none was left out before. */
const INDEXED = /[a-z0-9\u{80}-\u{10ffff}]+/gu;
