import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A home that changes as homes do: sessions grow line by line, documents are rewritten, files are
 * deleted and come. Every state that a completed look has seen is remembered, as a truth outside of
 * the archive.
 */
export class ChangingHome {
  readonly root: string;
  readonly #files = new Map<string, string>();
  /** By path: digests of every state that must be kept. */
  readonly truth: Map<string, Set<string>> = new Map();
  #state: number;
  #count = 0;

  constructor(folder: string, seed: number) {
    this.root = join(folder, ".gemini");
    this.#state = seed;
    mkdirSync(join(this.root, "tmp", "ledger", "chats"), { recursive: true });
    for (let n = 0; n < 12; n += 1) this.#add();
  }

  /** A number below `limit`. */
  next(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }

  change(): void {
    for (let n = this.next(6) + 1; n > 0; n -= 1) {
      const kind = this.next(10);
      if (kind < 5) this.#grow();
      else if (kind < 7) this.#rewrite();
      else if (kind < 9) this.#add();
      else this.#remove();
    }
  }

  /** A look was completed: what is there now must never be lost. */
  seen(): void {
    for (const path of this.#files.keys()) {
      const states = this.truth.get(path) ?? new Set();
      states.add(digestOf(readFileSync(path)));
      this.truth.set(path, states);
    }
  }

  /** What is on the disk now. */
  paths(): string[] {
    return [...this.#files.keys()];
  }

  get sessions(): number {
    return this.#count;
  }

  #add(): void {
    const id = `${String((this.#count += 1)).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const isJsonl = this.next(3) > 0;
    const name = `session-2026-02-10T17-28-${id.slice(0, 8)}.${isJsonl ? "jsonl" : "json"}`;
    const path = join(this.root, "tmp", "ledger", "chats", name);
    this.#files.set(path, id);
    const head = { sessionId: id, projectHash: "h", startTime: at(0), lastUpdated: at(0) };
    const text = isJsonl ? `${JSON.stringify(head)}\n` : JSON.stringify({ ...head, messages: [] });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    this.#growFile(path);
  }

  #pick(): string | undefined {
    const paths = this.paths();
    return paths[this.next(paths.length)];
  }

  #grow(): void {
    const path = this.#pick();
    if (path !== undefined) this.#growFile(path);
  }

  #growFile(path: string): void {
    const size = 200 + this.next(60_000);
    const text = `${this.next(1e9)} `.repeat(Math.ceil(size / 10));
    const record = { id: `m-${this.next(2e9)}`, timestamp: at(this.next(1e6)), type: "user" };
    if (path.endsWith(".jsonl")) {
      appendFileSync(path, `${JSON.stringify({ ...record, content: [{ text }] })}\n`);
      return;
    }
    const document = JSON.parse(readFileSync(path, "utf8")) as { messages: object[] };
    document.messages.push({ ...record, content: text });
    writeFileSync(path, JSON.stringify(document));
  }

  /** As a rewind of old versions does: the document is cut, or written over with less. */
  #rewrite(): void {
    const path = this.#pick();
    const id = path === undefined ? undefined : this.#files.get(path);
    if (path === undefined || id === undefined) return;
    const head = { sessionId: id, projectHash: "h", startTime: at(1), lastUpdated: at(1) };
    const isJsonl = path.endsWith(".jsonl");
    writeFileSync(
      path,
      isJsonl ? `${JSON.stringify(head)}\n` : JSON.stringify({ ...head, messages: [] }),
    );
    this.#growFile(path);
  }

  #remove(): void {
    const path = this.#pick();
    if (path === undefined || this.#files.size < 8) return;
    rmSync(path);
    this.#files.delete(path);
  }
}

export function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function at(seconds: number): string {
  return new Date(Date.UTC(2026, 1, 10, 17, 28) + seconds * 1000).toISOString();
}
