import type { VocabularyWord } from "../../suggestions.ts";
import type { Database } from "../database.ts";

/** Maximum number of words that replace a prefix in a query. */
const FEW_WORDS = 100;

/** The words of the index. */
export class Vocabulary {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Words that start with `start`, with the number of texts that contain each. */
  wordsFrom(start: string): VocabularyWord[] {
    const table = this.#table("row");
    const sql = `SELECT term AS word, doc AS texts FROM ${table} WHERE term >= ? AND term < ?`;
    return this.#database.all<VocabularyWord>(sql, start, endOf(start));
  }

  /** The same without counts; undefined if there are many. */
  fewFrom(start: string): string[] | undefined {
    const sql = `SELECT term AS word FROM ${this.#table("instance")}
      WHERE term >= ? AND term < ? LIMIT 1`;
    const found: string[] = [];
    let from = start;
    for (;;) {
      const word = this.#database.get<{ word: string }>(sql, from, endOf(start))?.word;
      if (word === undefined) return found;
      if (found.push(word) > FEW_WORDS) return undefined;
      // Sorts directly after the word: words contain only letters and digits.
      from = `${word}\u{1}`;
    }
  }

  #table(kind: "row" | "instance"): string {
    const name = `temp.vocabulary_${kind}`;
    this.#database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5vocab ('main', 'words', '${kind}')`,
    );
    return name;
  }
}

/** The smallest text that sorts after every word that starts with `start`. */
function endOf(start: string): string {
  const characters = Array.from(start);
  const last = characters.pop()?.codePointAt(0) ?? 0;
  return characters.join("") + String.fromCodePoint(last + 1);
}
