import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { AGENT_ID, LEDGER_ID, smallHome } from "../cli/homes.ts";

export const DAY_MS = 86_400_000;
export const NOW_MS: number = Date.parse("2026-11-15T12:00:00Z");
export const CHATS = "tmp/ledger/chats";
export const FILE: string = `${CHATS}/session-2026-11-14T09-00-aaaaaaaa.jsonl`;
export const AGENT: string = `${CHATS}/${LEDGER_ID}/${AGENT_ID}.jsonl`;

/** A home and an archive of it. */
export class KeptHome {
  readonly root: string;
  readonly #archive: string;

  constructor(root: string = smallHome()) {
    this.root = root;
    this.#archive = join(mkdtempSync(join(tmpdir(), "pollux-archive-")), "pollux.db");
  }

  /** A new look, as another run of the program would have it. */
  at<T>(nowMs: number, ask: (library: Library) => T): T {
    const homeDir = dirname(this.root);
    const environment = { env: {}, homeDir, tempDir: join(this.root, "no-temp") };
    const library = open({ archive: this.#archive, clock: () => nowMs, environment });
    try {
      return ask(library);
    } finally {
      library.archive.close();
    }
  }

  keep(nowMs: number): void {
    this.at(nowMs, (library) => library.archive.keep());
  }

  /** Paths of all files below the root. */
  files(): string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.root.length + 1))
      .toSorted();
  }

  remove(): void {
    for (const path of [this.root, this.#archive]) rmSync(dirname(path), { recursive: true });
  }
}

/** What the messages of a restored file say. */
export function texts(path: string): string[] {
  const rows = readFileSync(path, "utf8").trim().split("\n");
  return rows.slice(1).map((row) => {
    const { content } = JSON.parse(row) as { content: string | { text: string }[] };
    return typeof content === "string" ? content : content.map(({ text }) => text).join("");
  });
}
