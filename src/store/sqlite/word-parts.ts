import { endianness } from "node:os";
import { merge } from "./words/merge.ts";
import type { Part } from "./words/part.ts";
import { FACTS, secondOf } from "./words/part.ts";
import { PartReader } from "./words/part-reader.ts";
import type { Database } from "./database.ts";

/** A part's blocks have consecutive numbers. */
const MOST_BLOCKS = 2 ** 20;
/** Parts below this size are put together when there are so many of them. */
const SMALL_BYTES = 1024 * 1024;
const MOST_SMALL = 8;
/** Together at once, so that memory does not grow with the archive. */
const MERGED_BYTES = 4 * 1024 * 1024;

/** The parts of the text index, as rows. */
export class WordParts {
  readonly #database: Database;
  readonly #readers = new Map<number, PartReader>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** All of them, the one with the newest text first. */
  all(): { reader: PartReader; newest: number }[] {
    const sql = "SELECT id, newest FROM word_parts ORDER BY newest DESC, id DESC";
    const rows = this.#database.all<{ id: number; newest: number }>(sql);
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#readers.keys()) if (!ids.has(id)) this.#readers.delete(id);
    return rows.map(({ id, newest }) => ({ reader: this.#reader(id), newest }));
  }

  /** Sessions that are there and whose text is in the index. */
  sessions(): Set<number> {
    const sql = "SELECT key FROM sessions WHERE has_text = 1";
    return new Set(this.#database.all<{ key: number }>(sql).map(({ key }) => key));
  }

  add({ texts, length, blocks }: Part): void {
    const count = texts.length / FACTS;
    if (count === 0) return;
    const bytes = blocks.reduce((sum, one) => sum + one.words.length + one.positions.length, 0);
    const sql = `INSERT INTO word_parts (size_bytes, length, newest, texts, firsts)
      VALUES (?, ?, ?, ?, ?)`;
    const size = bytes + texts.byteLength;
    const newest = secondOf(texts, count - 1);
    const firsts = JSON.stringify(blocks.map(({ first }) => first));
    const { id } = this.#database.run(sql, size, length, newest, stored(texts), firsts);
    const block = "INSERT INTO word_blocks (id, words, positions) VALUES (?, ?, ?)";
    blocks.forEach(({ words, positions }, at) => {
      this.#database.run(block, id * MOST_BLOCKS + at, words, positions);
    });
    const sessions = new Set<number>();
    for (let at = 0; at < texts.length; at += FACTS) sessions.add(texts[at] ?? 0);
    const of = "INSERT INTO word_sessions (part, session) VALUES (?, ?)";
    for (const session of sessions) if (session > 0) this.#database.run(of, id, session);
  }

  /**
   * Drops parts that nothing is left of, and puts small ones together. `all`: writes also those
   * anew that hold words of sessions which are gone.
   */
  tidy(which: "small" | "all"): void {
    const database = this.#database;
    database.write(() => {
      const unused = `SELECT id FROM word_parts WHERE NOT EXISTS
        (SELECT 1 FROM word_sessions WHERE part = id)`;
      for (const { id } of database.all<{ id: number }>(unused)) this.#drop(id);
      if (which === "all") this.#renew();
      const small = this.#small();
      if (small.length < (which === "all" ? 2 : MOST_SMALL)) return;
      this.#replace(small);
      if (which === "small") this.#shrink();
    });
  }

  /**
   * Sessions that grow leave words behind in large parts, which are never put together: one of
   * those is written anew when most of it is of no use. One at a time, for others wait meanwhile.
   */
  #shrink(): void {
    const there = this.sessions();
    const sql = "SELECT id FROM word_parts WHERE size_bytes >= ? ORDER BY id";
    const large = this.#database.all<{ id: number }>(sql, SMALL_BYTES);
    const worn = large.find(({ id }) => {
      const texts = this.#texts(id);
      return goneIn(texts, there) * 2 > texts.length / FACTS;
    });
    if (worn) this.#replace([worn.id]);
  }

  /** Without a reader, which would stay. */
  #texts(id: number): Uint32Array {
    const sql = "SELECT texts FROM word_parts WHERE id = ?";
    const row = this.#database.get<{ texts: Uint8Array }>(sql, id);
    return loaded(row?.texts ?? new Uint8Array());
  }

  /** Those whose texts are not all of sessions that are still there. */
  #renew(): void {
    const there = this.sessions();
    const ids = this.#database.all<{ id: number }>("SELECT id FROM word_parts ORDER BY id");
    for (const { id } of ids) {
      if (goneIn(this.#texts(id), there) > 0) this.#replace([id]);
    }
  }

  /** Lets go of what was read of them. */
  rest(): void {
    this.#readers.clear();
  }

  #small(): number[] {
    const sql = "SELECT id, size_bytes AS size FROM word_parts WHERE size_bytes < ? ORDER BY id";
    let left = MERGED_BYTES;
    const rows = this.#database.all<{ id: number; size: number }>(sql, SMALL_BYTES);
    return rows.filter(({ size }) => (left -= size) >= 0).map(({ id }) => id);
  }

  #replace(ids: readonly number[]): void {
    const there = this.sessions();
    const readers = ids.map((id) => this.#reader(id));
    const part = merge(readers, (session) => there.has(session));
    for (const id of ids) this.#drop(id);
    this.add(part);
  }

  #drop(id: number): void {
    const database = this.#database;
    database.run("DELETE FROM word_parts WHERE id = ?", id);
    const from = id * MOST_BLOCKS;
    database.run("DELETE FROM word_blocks WHERE id >= ? AND id < ?", from, from + MOST_BLOCKS);
    database.run("DELETE FROM word_sessions WHERE part = ?", id);
    this.#readers.delete(id);
  }

  #reader(id: number): PartReader {
    const known = this.#readers.get(id);
    if (known) return known;
    const sql = "SELECT texts, length, firsts FROM word_parts WHERE id = ?";
    const row = this.#database.get<{ texts: Uint8Array; length: number; firsts: string }>(sql, id);
    if (!row) throw new RangeError("A part of the index is gone.");
    const reader = new PartReader({
      id,
      texts: loaded(row.texts),
      length: row.length,
      firsts: JSON.parse(row.firsts) as string[],
      words: (block) => this.#block("words", id, block),
      positions: (block) => this.#block("positions", id, block),
    });
    this.#readers.set(id, reader);
    return reader;
  }

  #block(column: "words" | "positions", part: number, block: number): Uint8Array {
    const sql = `SELECT ${column} AS bytes FROM word_blocks WHERE id = ?`;
    const row = this.#database.get<{ bytes: Uint8Array }>(sql, part * MOST_BLOCKS + block);
    return row?.bytes ?? new Uint8Array();
  }
}

/** How many texts are of sessions that are no longer there. */
function goneIn(texts: Uint32Array, there: ReadonlySet<number>): number {
  let gone = 0;
  for (let at = 0; at < texts.length; at += FACTS) if (!there.has(texts[at] ?? 0)) gone += 1;
  return gone;
}

const IS_LITTLE: boolean = endianness() === "LE";

/** The lowest byte first, whatever the machine does. */
function stored(numbers: Uint32Array): Uint8Array {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return IS_LITTLE ? bytes : Buffer.from(bytes).swap32();
}

function loaded(bytes: Uint8Array): Uint32Array {
  // A copy lies where numbers of four bytes may begin.
  const copy = new Uint8Array(bytes);
  if (!IS_LITTLE) Buffer.from(copy.buffer).swap32();
  return new Uint32Array(copy.buffer);
}
