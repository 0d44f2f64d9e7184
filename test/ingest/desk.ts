import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Library, OpenOptions } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { header, jsonl, model, user } from "../samples/home.ts";

/** Long after everything that the tests write: files are settled. */
export const NOW_MS = 2_000_000_000_000;

/** A home on the disk that can be written to, and libraries on one archive of it. */
export class TestHome {
  readonly folder: string;
  readonly root: string;
  #ticks = 0;

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "pollux-intake-"));
    this.root = join(this.folder, ".gemini");
    mkdirSync(join(this.root, "tmp"), { recursive: true });
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  get archive(): string {
    return join(this.folder, "archive.db");
  }

  path(name: string): string {
    return join(this.root, "tmp", "ledger", name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
    this.#touch(name);
  }

  append(name: string, text: string): void {
    appendFileSync(this.path(name), text);
    this.#touch(name);
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true });
  }

  /** Other bytes of the same size, at the same time: what only a look into the file would tell. */
  falsify(name: string): void {
    const { size, atime, mtime } = statSync(this.path(name));
    writeFileSync(this.path(name), "#".repeat(size));
    utimesSync(this.path(name), atime, mtime);
  }

  /** A session with one prompt and one reply. */
  session(id: string, words = "hello"): void {
    this.write(
      `chats/session-2026-02-10T17-28-${id.slice(0, 8)}.jsonl`,
      jsonl(header(id), user(`${id}-u1`, 1, words), model(`${id}-m1`, 2, `answer to ${words}`)),
    );
  }

  fileOf(id: string): string {
    return `chats/session-2026-02-10T17-28-${id.slice(0, 8)}.jsonl`;
  }

  library(options: Partial<OpenOptions> = {}): Library {
    const library = open({
      roots: [this.root],
      archive: this.archive,
      clock: () => NOW_MS,
      environment: { homeDir: "/home/ada", env: {} },
      ...options,
    });
    onTestFinished(() => library.archive.close());
    return library;
  }

  /** Every write has a time of its own, as it has in life. */
  #touch(name: string): void {
    this.#ticks += 1;
    const seconds = 1_770_000_000 + this.#ticks;
    utimesSync(this.path(name), seconds, seconds);
  }
}
