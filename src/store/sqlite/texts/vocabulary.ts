import type { VocabularyWord } from "../../suggestions.ts";
import type { Database } from "../database.ts";

/** So many words that begin alike are asked for one by one. */
const FEW_WORDS = 100;

/** The words that the index has. */
export class Vocabulary {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Words that begin so, with how many texts have them. */
  wordsFrom(start: string): VocabularyWord[] {
    const table = this.#table("row");
    const sql = `SELECT term AS word, doc AS texts FROM ${table} WHERE term >= ? AND term < ?`;
    return this.#database.all<VocabularyWord>(sql, start, endOf(start));
  }

  /** The same without counting; nothing when there are many. */
  fewFrom(start: string): string[] | undefined {
    const sql = `SELECT term AS word FROM ${this.#table("instance")}
      WHERE term >= ? AND term < ? LIMIT 1`;
    const found: string[] = [];
    let from = start;
    for (;;) {
      const word = this.#database.get<{ word: string }>(sql, from, endOf(start))?.word;
      if (word === undefined) return found;
      if (found.push(word) > FEW_WORDS) return undefined;
      // What comes right behind it: no word holds a sign that is no letter.
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

/** The first text that comes behind all that begin so. */
function endOf(start: string): string {
  const characters = Array.from(start);
  const last = characters.pop()?.codePointAt(0) ?? 0;
  return characters.join("") + String.fromCodePoint(last + 1);
}
