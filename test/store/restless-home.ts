import { appendFileSync, closeSync, openSync, readFileSync, renameSync } from "node:fs";
import { rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { ChangingHome } from "./changing-home.ts";

const PAGE = 4096;

/**
 * A home whose files change while they are read: they grow, are overwritten in place, replaced,
 * truncated, removed and created again at once (mostly with the same inode). Each step is one
 * system
 * call, and every state that a reader may see is remembered.
 */
export class RestlessHome extends ChangingHome {
  /** Changes one file now. */
  stir(): void {
    const picked = this.pick();
    if (!picked) return;
    const kind = this.next(12);
    if (kind < 4) this.#append(picked);
    else if (kind < 7) this.#overwrite(picked);
    else if (kind < 8) this.#replace(picked);
    else if (kind < 9) this.#cut(picked);
    else if (kind < 11) this.#makeAgain(picked);
    else this.#removeOrAdd(picked);
  }

  #lines(): string {
    const records = this.records(100 + this.next(6000));
    return records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }

  #append({ path, id }: Picked): void {
    if (!path.endsWith(".jsonl")) return this.#makeAgain({ path, id });
    const before = readFileSync(path);
    const bytes = Buffer.concat([before, Buffer.from(this.#lines())]);
    this.#notePages(path, id, { bytes, from: before.length });
    appendFileSync(path, bytes.subarray(before.length));
  }

  /** Replaces a word by another of the same length, in the middle of a text. */
  #overwrite({ path, id }: Picked): void {
    const bytes = readFileSync(path);
    const words = [...bytes.toString("latin1").matchAll(/ w\d{4} /g)];
    const start = words[this.next(Math.max(1, words.length))]?.index;
    // Within one page: a reader sees the state before or after, nothing in between.
    if (start === undefined || start % PAGE > PAGE - 8) return;
    const word = Buffer.from(` w${1000 + this.next(9000)} `);
    word.copy(bytes, start);
    this.note(path, id, bytes);
    const file = openSync(path, "r+");
    writeSync(file, word, 0, word.length, start);
    closeSync(file);
  }

  #replace({ path, id }: Picked): void {
    const aside = join(this.root, `${basename(path)}.aside`);
    const bytes = this.#fresh(path, id);
    writeFileSync(aside, bytes);
    this.note(path, id, bytes);
    renameSync(aside, path);
  }

  #cut({ path, id }: Picked): void {
    const bytes = readFileSync(path);
    const end = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
    if (end === 0) return;
    this.note(path, id, bytes.subarray(0, end));
    truncateSync(path, end);
  }

  #makeAgain({ path, id }: Picked): void {
    const bytes = this.#fresh(path, id);
    this.#notePages(path, id, { bytes, from: 0 });
    rmSync(path);
    writeFileSync(path, bytes);
  }

  #removeOrAdd({ path }: Picked): void {
    if (this.files.size > 30) {
      rmSync(path);
      this.files.delete(path);
    } else this.#addAtOnce();
  }

  /** The bytes of a session with one prompt and one answer, in the format of the file. */
  #fresh(path: string, id: string): Buffer {
    const head = { sessionId: id, projectHash: "h", startTime: "2026-02-10T17:28:00.000Z" };
    if (path.endsWith(".jsonl")) return Buffer.from(`${JSON.stringify(head)}\n${this.#lines()}`);
    return Buffer.from(JSON.stringify({ ...head, messages: this.records(this.next(30_000)) }));
  }

  /** A large write becomes visible page by page. */
  #notePages(path: string, id: string, { bytes, from }: { bytes: Buffer; from: number }): void {
    const first = Math.ceil(from / PAGE) * PAGE;
    for (let end = first; end < bytes.length; end += PAGE) {
      if (end >= from) this.note(path, id, bytes.subarray(0, end));
    }
    this.note(path, id, bytes);
  }

  #addAtOnce(): void {
    const id = this.newId();
    const path = join(
      this.root,
      "tmp/ledger/chats",
      `session-2026-02-10T17-28-${id.slice(0, 8)}.jsonl`,
    );
    const bytes = this.#fresh(path, id);
    this.#notePages(path, id, { bytes, from: 0 });
    writeFileSync(path, bytes);
    this.files.set(path, id);
  }
}

interface Picked {
  path: string;
  id: string;
}
