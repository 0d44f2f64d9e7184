import type { FSWatcher } from "node:fs";
import { existsSync, readdirSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";

/** Events come in bursts: a reply is several lines, a new project several folders. */
const SETTLE_MS = 300;

export interface Watching {
  /** How many folders the system watches for us. */
  readonly folders: number;
  close(): Promise<void>;
}

/**
 * Calls back when something moves at or below the given places, once for each burst, and not again
 * before what it began is done. The system notifies; nothing is polled. A place that is not there
 * yet is watched from the moment it appears.
 */
export function watchPlaces(
  places: readonly string[],
  moved: () => void | Promise<void>,
): Watching {
  const burst = new Burst(moved);
  const folders = new WatchedFolders(places, () => burst.tell());
  folders.look();
  return {
    get folders() {
      return folders.count;
    },
    async close() {
      folders.close();
      await burst.close();
    },
  };
}

/** Where the system itself looks below a folder; elsewhere each folder is watched by itself. */
const IS_RECURSIVE = process.platform === "darwin" || process.platform === "win32";

/** One watch per folder, not per file: a folder's watch tells of growing files, too. */
class WatchedFolders {
  readonly #places: readonly string[];
  readonly #tell: () => void;
  /** Folders at and below places: whatever moves in them is told. */
  readonly #within = new Map<string, FSWatcher>();
  /** Folders above places that are files, or not there yet: of these only the places matter. */
  readonly #above = new Map<string, FSWatcher>();
  #there = new Set<string>();

  constructor(places: readonly string[], tell: () => void) {
    this.#places = places;
    this.#tell = tell;
  }

  get count(): number {
    return this.#within.size + this.#above.size;
  }

  /** Watches what is there by now. */
  look(): void {
    this.#there = new Set(this.#places.filter((place) => existsSync(place)));
    for (const place of this.#places) {
      if (isFolder(place)) this.#watchWithin(place);
      else this.#watchAbove(nearestAbove(place));
    }
  }

  close(): void {
    for (const watchers of [this.#within, this.#above]) {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    }
  }

  #watchWithin(folder: string): void {
    this.#watch(this.#within, folder, (kind) => {
      // A folder was made, moved or removed, or a file was: new folders are watched as well.
      if (kind === "rename" && !IS_RECURSIVE) this.#watchWithin(folder);
      // A place itself may have gone, and may come back.
      if (!existsSync(folder)) this.#forget(folder);
      this.#tell();
    });
    if (IS_RECURSIVE) return;
    for (const name of foldersIn(folder)) this.#watchWithin(join(folder, name));
  }

  #watchAbove(folder: string): void {
    this.#watch(this.#above, folder, (_kind, name) => {
      const before = this.#there;
      this.look();
      const hasAppeared = [...this.#there].some((place) => !before.has(place));
      if (hasAppeared || this.#there.has(join(folder, name ?? ""))) this.#tell();
    });
  }

  #watch(
    watchers: Map<string, FSWatcher>,
    folder: string,
    moved: (kind: string, name: string | null) => void,
  ): void {
    if (watchers.has(folder)) return;
    try {
      const recursive = IS_RECURSIVE && watchers === this.#within;
      const watcher = watch(folder, { recursive }, moved);
      watcher.on("error", () => this.#forget(folder));
      watchers.set(folder, watcher);
    } catch {
      // Gone meanwhile, or the system has no watches left: the next look may have more luck.
    }
  }

  #forget(folder: string): void {
    for (const watchers of [this.#within, this.#above]) {
      watchers.get(folder)?.close();
      watchers.delete(folder);
    }
    this.look();
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Gone meanwhile, or not ours to read: there is nothing to watch in it.
    return [];
  }
}

/** The nearest folder above a place that is there. */
function nearestAbove(place: string): string {
  let folder = dirname(place);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** One call for a burst of events, and never two at once. */
class Burst {
  readonly #moved: () => void | Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(moved: () => void | Promise<void>) {
    this.#moved = moved;
  }

  tell(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.#run(), SETTLE_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    await this.#running;
    // What moves from now on may not be seen by this call: it brings another one.
    this.#timer = undefined;
    if (this.#isClosed) return;
    this.#running = Promise.resolve(this.#moved()).catch(() => undefined);
    await this.#running;
  }
}
