// @module-tag slow
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../src/store/sqlite/database.ts";
import { WordParts } from "../../src/store/sqlite/word-parts.ts";
import { newestMatches } from "../../src/store/sqlite/words/newest.ts";
import { archiveAt, folder } from "./places.ts";
import type { Sample } from "./samples.ts";
import { partOf } from "./samples.ts";

/** The parts of an archive whose sessions come and go. */
class Changing {
  readonly parts: WordParts;
  readonly #database: Database;

  constructor() {
    const path = join(folder(), "archive.db");
    archiveAt(path).close();
    this.#database = new Database(path, "write");
    onTestFinished(() => this.#database.close());
    this.parts = new WordParts(this.#database);
  }

  add(...texts: readonly { session: number; text: string }[]): void {
    const sql = `INSERT INTO sessions (key, id, scope, has_text, project, summary, rest, clues)
      VALUES (?, ?, '', 1, '', '', '', '')`;
    const samples = texts.map(({ session, text }): Sample => {
      this.#database.run(sql, session, `s${session}`);
      return { session, piece: 0, second: session, role: 1, text };
    });
    this.parts.add(partOf(samples));
    this.parts.tidy("small");
  }

  remove(session: number): void {
    this.#database.run("DELETE FROM sessions WHERE key = ?", session);
    this.#database.run("DELETE FROM word_sessions WHERE session = ?", session);
  }

  /** In bytes, from the oldest part to the newest. */
  sizes(): number[] {
    const sql = "SELECT size_bytes AS size FROM word_parts ORDER BY id";
    return this.#database.all<{ size: number }>(sql).map(({ size }) => size);
  }

  find(text: string): number[] {
    const query = { kind: "phrase", text, isPrefix: false } as const;
    const wish = { query, sessions: this.parts.sessions(), roles: new Set([1]), most: 100 };
    return newestMatches(this.parts.all(), wish).matches.map(({ facts }) => facts.session);
  }
}

test("many small parts become few, and what is gone does not stay in large ones", () => {
  const all = new Changing();
  const long = Array.from({ length: 120_000 }, (_, n) => `word${n}`).join(" ");
  all.add(
    { session: 1, text: `${long} needle` },
    { session: 2, text: "old needle" },
    { session: 3, text: `straw` },
  );
  const [large = 0] = all.sizes();
  expect(large).toBeGreaterThan(1024 * 1024);
  // Most of its texts are still of use: nothing is written anew.
  all.remove(3);
  for (let session = 10; session < 20; session += 1) all.add({ session, text: "a needle" });
  expect(all.sizes()[0]).toBe(large);
  expect(all.sizes().length).toBeLessThan(8);
  all.remove(1);
  for (let session = 20; session < 30; session += 1) all.add({ session, text: "a needle" });
  expect(Math.max(...all.sizes())).toBeLessThan(1024 * 1024);
  expect(all.sizes().length).toBeLessThan(8);
  expect(all.find("old needle")).toEqual([2]);
  expect(all.find("a needle")).toHaveLength(20);
  expect(all.find("word7")).toEqual([]);
});
