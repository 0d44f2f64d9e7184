import type { Skims, SkimSum } from "../archive.ts";
import type { Database } from "./database.ts";

/** So many rows may lie beside each other before they are made one. */
const MOST_ROWS = 16;

/**
 * What was skimmed of files while nothing is kept yet. All that comes at once is one row: thousands
 * of rows took longer than all else that there is to do in the end. One line per file:
 *
 *     ["…/session.jsonl","SIZE TIME INODE","SESSION","append-jsonl","0.44–0.61","REPLIES"]⇥TEXT
 */
export class SqliteSkims implements Skims {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(name: string): Map<string, SkimSum> {
    const sql = "SELECT sums FROM skims WHERE name = ? ORDER BY number";
    const rows = this.#database.all<{ sums: string }>(sql, name);
    // Of a file that is told twice, the later one holds.
    return new Map(rows.flatMap(({ sums }) => sums.split("\n").map(readLine)));
  }

  put(name: string, sums: ReadonlyMap<string, SkimSum>): void {
    if (sums.size === 0) return;
    this.#database.write(() => {
      // In another time zone, or at other prices, all of them are others.
      this.#database.run("DELETE FROM skims WHERE name <> ?", name);
      const rows = this.#database.get<{ rows: number }>("SELECT count(*) AS rows FROM skims");
      const isOne = (rows?.rows ?? 0) >= MOST_ROWS;
      const all = isOne ? new Map([...this.find(name), ...sums]) : sums;
      if (isOne) this.clear();
      const lines = [...all].map(lineOf).join("\n");
      this.#database.run("INSERT INTO skims (name, sums) VALUES (?, ?)", name, lines);
    });
  }

  clear(): void {
    this.#database.run("DELETE FROM skims");
  }
}

type Head = [
  path: string,
  look: string,
  sessionId: string,
  format: SkimSum["format"],
  generation: string,
  replies: string,
];

/** Neither half has a line break, and the first has no tab of its own. */
function lineOf([path, sum]: [string, SkimSum]): string {
  const { look, sessionId, format, generation, replies, text } = sum;
  const head: Head = [path, look, sessionId, format, generation, packed(replies)];
  return `${JSON.stringify(head)}\t${text}`;
}

function readLine(line: string): [string, SkimSum] {
  const end = line.indexOf("\t");
  const head = JSON.parse(line.slice(0, end)) as Head;
  const [path, look, sessionId, format, generation, replies] = head;
  const told = { look, sessionId, format, generation, replies: unpacked(replies) };
  return [path, { ...told, text: line.slice(end + 1) }];
}

/** There are many: as bytes, they need not be written out in digits. */
function packed({ buffer, byteOffset, byteLength }: Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function unpacked(text: string): Float64Array {
  return new Float64Array(new Uint8Array(Buffer.from(text, "base64")).buffer);
}
