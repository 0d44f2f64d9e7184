import type { FSWatcher } from "node:fs";
import { readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** How deep below a root folders are watched: `tmp/<project>/chats/<session>`. */
const MOST_DEEP = 4;
/** What never holds sessions, and may hold very many folders. */
const PASSED_OVER = /^(\.|node_modules$|history$|objects$|tool-outputs$)/;
const MOST_FOLDERS = 20_000;

/**
 * Tells when something below the given folders moves. The system notifies, nothing is polled. One
 * watch per folder, not per file: a folder's watch tells of growing files too.
 */
export class Watch {
  readonly #roots: readonly string[];
  readonly #tell: () => void;
  readonly #watched = new Map<string, FSWatcher>();

  constructor(roots: readonly string[], tell: () => void) {
    this.#roots = roots;
    this.#tell = tell;
    for (const root of roots) this.#watchBelow(root, 0);
  }

  get folders(): number {
    return this.#watched.size;
  }

  close(): void {
    for (const watcher of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #watchBelow(folder: string, depth: number): void {
    if (this.#watched.size >= MOST_FOLDERS) return;
    if (!this.#watched.has(folder)) this.#watchOne(folder);
    if (depth >= MOST_DEEP) return;
    for (const name of foldersIn(folder)) this.#watchBelow(join(folder, name), depth + 1);
  }

  #watchOne(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false });
      this.#watched.set(folder, watcher);
      watcher.on("change", (kind) => this.#moved(kind));
      watcher.on("error", () => this.#forget(folder));
    } catch {
      // Gone meanwhile, or the system has no watches left: what is not watched is read when asked.
    }
  }

  #moved(kind: string): void {
    // A file was made, renamed or removed, or a folder was: new folders are watched as well.
    if (kind === "rename") for (const root of this.#roots) this.#watchBelow(root, 0);
    this.#tell();
  }

  #forget(folder: string): void {
    this.#watched.get(folder)?.close();
    this.#watched.delete(folder);
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !PASSED_OVER.test(entry.name))
      .map(({ name }) => name);
  } catch {
    // Not there (any more), or not ours to read: there is nothing to watch in it.
    return [];
  }
}
