import type { Answers } from "../archive.ts";
import type { Database } from "./database.ts";

/** Longer ones are not worth their place. */
const LONGEST = 16 * 1024 * 1024;
/** What is remembered beyond this is forgotten, all at once: asking again brings it back. */
const ALTOGETHER = 2 * LONGEST;

/** The revision rises with every change of what is kept or was read from it: see the triggers. */
export class SqliteAnswers implements Answers {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  revision(): number {
    return this.#database.get<{ number: number }>("SELECT number FROM revision")?.number ?? 0;
  }

  find(question: string): string | undefined {
    const sql = `SELECT text FROM answers JOIN revision ON answers.revision = number
      WHERE question = ?`;
    return this.#database.get<{ text: string }>(sql, question)?.text;
  }

  all(): [question: string, text: string][] {
    const sql = "SELECT question, text FROM answers ORDER BY question";
    const rows = this.#database.all<{ question: string; text: string }>(sql);
    return rows.map(({ question, text }) => [question, text]);
  }

  put(question: string, answer: { text: string; revision: number }): void {
    if (answer.text.length > LONGEST) return;
    this.#database.write(() => {
      this.#database.run("DELETE FROM answers WHERE revision <> (SELECT number FROM revision)");
      const sum = "SELECT total(length(text)) AS n FROM answers";
      const { n = 0 } = this.#database.get<{ n: number }>(sum) ?? {};
      if (n + answer.text.length > ALTOGETHER) this.#database.run("DELETE FROM answers");
      // Something may have changed while it was worked out: then it is no answer any more.
      const sql = `INSERT OR REPLACE INTO answers (question, revision, text)
        SELECT ?, number, ? FROM revision WHERE number = ?`;
      this.#database.run(sql, question, answer.text, answer.revision);
    });
  }
}
