import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export interface HomeSize {
  /** Number of sessions at the start. */
  sessions: number;
  /** Size of each session at the start. */
  sessionBytes: number;
}

const SMALL: HomeSize = { sessions: 12, sessionBytes: 30_000 };

/**
 * A home that changes as real ones do: sessions grow line by line, documents are rewritten or
 * truncated, files are added, renamed and deleted. Remembers every state of every file with its
 * replies, and every state that was kept: the expected result, independent of the archive.
 */
export class ChangingHome {
  readonly root: string;
  /** Digests of every state that must be kept, by path. */
  readonly truth: Map<string, Set<string>> = new Map();
  /** Digests of every state that a file was left in, by path. */
  readonly #written = new Map<string, Set<string>>();
  /** The session and the numbers of its replies, by digest. */
  readonly #paid = new Map<string, { id: string; replies: number[] }>();
  /** The id of the session in a file, by path. */
  protected readonly files: Map<string, string> = new Map();
  #state: number;
  #count = 0;
  #said = 0;

  constructor(folder: string, seed: number, size: HomeSize = SMALL) {
    this.root = join(folder, ".gemini");
    this.#state = seed;
    mkdirSync(join(this.root, "tmp", "ledger", "chats"), { recursive: true });
    this.#write(join(this.root, "tmp", "ledger", ".project_root"), "/home/ada/projects/ledger");
    for (let n = 0; n < size.sessions; n += 1) this.add(size.sessionBytes);
    this.#remember();
  }

  /** Returns a pseudo-random number below `limit`. */
  next(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }

  change(): void {
    for (let n = this.next(6) + 2; n > 0; n -= 1) this.#changeOne(this.next(12));
    this.#remember();
  }

  #changeOne(kind: number): void {
    if (kind < 4) this.#grow();
    else if (kind < 6) this.#rewrite();
    else if (kind < 7) this.#shrink();
    else if (kind < 9) this.add(200 + this.next(60_000));
    else if (kind < 10) this.#rename();
    else if (kind < 11) this.#log();
    else this.#remove();
  }

  /** Appends to every session, so that all of them must be read again. */
  growAll(): void {
    for (const path of this.paths()) if (path.includes("session-")) this.#say(path, 2000);
    this.#remember();
  }

  /** Call after a completed refresh: the current states must never be lost. */
  seen(): void {
    for (const path of this.paths()) this.keep(path, digestOf(readFileSync(path)));
  }

  /** This state of a file was found in the archive and must stay there. */
  keep(path: string, digest: string): void {
    addTo(this.truth, path, digest);
  }

  /** Whether a file was ever in this state. */
  wasSo(path: string, digest: string): boolean {
    return this.#written.get(path)?.has(digest) === true;
  }

  /** The numbers of all replies in these states, by session. */
  paidIn(states: Iterable<string>): Map<string, Set<number>> {
    const paid = new Map<string, Set<number>>();
    for (const digest of states) {
      const { id = "", replies = [] } = this.#paid.get(digest) ?? {};
      if (id !== "") paid.set(id, new Set([...(paid.get(id) ?? []), ...replies]));
    }
    return paid;
  }

  /** Files on the disk now. */
  paths(): string[] {
    return [...this.files.keys()];
  }

  #remember(): void {
    for (const [path, id] of this.files) this.note(path, id, readFileSync(path));
  }

  /** Records that a file was left in this state. */
  protected note(path: string, id: string, bytes: Buffer): void {
    const digest = digestOf(bytes);
    if (this.wasSo(path, digest)) return;
    addTo(this.#written, path, digest);
    const replies = [...bytes.toString().matchAll(/"id":"m-(\d+)"/g)];
    this.#paid.set(digest, { id, replies: replies.map(([, number]) => Number(number)) });
  }

  #write(path: string, text: string, id = ""): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    this.files.set(path, id);
  }

  protected add(sizeBytes: number): void {
    const id = this.newId();
    const isJsonl = this.next(3) > 0;
    const name = `session-2026-02-10T17-28-${id.slice(0, 8)}.${isJsonl ? "jsonl" : "json"}`;
    const path = join(this.root, "tmp", "ledger", "chats", name);
    this.begin(path, id);
    this.#say(path, sizeBytes);
  }

  protected newId(): string {
    return `${String((this.#count += 1)).padStart(8, "0")}-0000-4000-8000-000000000000`;
  }

  protected begin(path: string, id: string): void {
    const head = { sessionId: id, projectHash: "h", startTime: at(0), lastUpdated: at(0) };
    const isJsonl = path.endsWith(".jsonl");
    const text = isJsonl ? `${JSON.stringify(head)}\n` : JSON.stringify({ ...head, messages: [] });
    this.#write(path, text, id);
  }

  protected pick(): { path: string; id: string } | undefined {
    const sessions = [...this.files].filter(([, id]) => id !== "");
    const [path, id] = sessions[this.next(sessions.length)] ?? [];
    return path === undefined || id === undefined ? undefined : { path, id };
  }

  #grow(): void {
    const picked = this.pick();
    if (picked) this.#say(picked.path, 200 + this.next(60_000));
  }

  #say(path: string, sizeBytes: number): void {
    const records = this.records(sizeBytes);
    if (path.endsWith(".jsonl")) {
      for (const record of records) appendFileSync(path, `${JSON.stringify(record)}\n`);
      return;
    }
    const document = JSON.parse(readFileSync(path, "utf8")) as { messages: object[] };
    document.messages.push(...records);
    writeFileSync(path, JSON.stringify(document));
  }

  /** A prompt and a paid answer. */
  protected records(sizeBytes: number): object[] {
    const number = (this.#said += 1);
    const text = this.words(sizeBytes);
    const tokens = { ...tokensOf(number), cached: 0, thoughts: 0, tool: 0 };
    const total = tokens.input + tokens.output;
    const base = { timestamp: at(number) };
    return [
      { ...base, id: `u-${number}`, type: "user", content: [{ text }] },
      {
        ...base,
        id: `m-${number}`,
        type: "gemini",
        content: `answer${number}`,
        model: "gemini-2.5-pro",
        tokens: { ...tokens, total },
      },
    ];
  }

  protected words(sizeBytes: number): string {
    const some = Array.from({ length: 200 }, () => `w${this.next(5000)}`).join(" ");
    return some.repeat(Math.ceil(sizeBytes / some.length)).slice(0, sizeBytes);
  }

  /** Overwrites a file from its beginning, as agents do with documents. */
  #rewrite(): void {
    const picked = this.pick();
    if (!picked) return;
    this.begin(picked.path, picked.id);
    this.#say(picked.path, 200 + this.next(30_000));
  }

  /** Truncates after a line; a document is replaced by a shorter one. */
  #shrink(): void {
    const picked = this.pick();
    if (!picked) return;
    const bytes = readFileSync(picked.path);
    const end = bytes.lastIndexOf("\n", bytes.length - 2);
    if (end < 0) this.begin(picked.path, picked.id);
    else truncateSync(picked.path, end + 1);
  }

  #rename(): void {
    const picked = this.pick();
    if (!picked) return;
    const { path, id } = picked;
    const other = path.replace(/session-(.*)T(\d+)-(\d+)/, `session-$1T$2-${10 + this.next(50)}`);
    if (this.files.has(other)) return;
    renameSync(path, other);
    this.files.delete(path);
    this.files.set(other, id);
  }

  /** Writes a log of prompts, in a document of its own. */
  #log(): void {
    const path = join(this.root, "tmp", "ledger", "logs.json");
    const [sessionId = ""] = [...this.files.values()].filter((id) => id !== "");
    const entries = Array.from({ length: 1 + this.next(9) }, (_, messageId) => {
      return { sessionId, messageId, type: "user", message: this.words(80), timestamp: at(1) };
    });
    this.#write(path, JSON.stringify(entries));
  }

  #remove(): void {
    const picked = this.pick();
    if (!picked || this.files.size < 8) return;
    rmSync(picked.path);
    this.files.delete(picked.path);
  }
}

/** Token counts of a reply; they differ for each reply. */
export function tokensOf(reply: number): { input: number; output: number } {
  return { input: 1000 + reply, output: reply };
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

function at(seconds: number): string {
  return new Date(Date.UTC(2026, 1, 10, 17, 28) + seconds * 1000).toISOString();
}
