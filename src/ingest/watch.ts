import { subfolders } from "../sources/requested-roots.ts";
import { isFolder } from "../kernel/open-file.ts";
import type { FSWatcher } from "node:fs";
import { existsSync, watch } from "node:fs";
import { dirname, join } from "node:path";

/** Events come in bursts: a reply writes several lines, a new project creates several folders. */
const SETTLE_MS = 300;

export interface Watching {
  /** Number of folders that the system watches for us. */
  readonly folders: number;
  close(): Promise<void>;
}

/**
 * Calls `moved` when something changes at or below the given paths: once per burst, and not before
 * the previous call has finished. Uses system notifications, no polling. A path that does not exist
 * yet is watched as soon as it appears.
 */
export function watchPaths(
  places: readonly string[],
  moved: () => void | Promise<void>,
  platform: NodeJS.Platform = process.platform,
): Watching {
  const burst = new Burst(moved);
  const folders = new WatchedFolders(places, () => burst.notify(), platform);
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

/**
 * One watcher per folder, not per file: it also reports files that grow. macOS and Windows watch
 * the folders below, too.
 */
class WatchedFolders {
  readonly #places: readonly string[];
  readonly #notify: () => void;
  /** Folders at and below the paths: every event is reported. */
  readonly #within = new Map<string, FSWatcher>();
  /**
   * Parents of paths that are files or do not exist yet: only events about the paths are reported.
   */
  readonly #above = new Map<string, FSWatcher>();
  readonly #isRecursive: boolean;
  #there = new Set<string>();

  constructor(places: readonly string[], notify: () => void, platform: NodeJS.Platform) {
    this.#places = places;
    this.#notify = notify;
    this.#isRecursive = platform === "darwin" || platform === "win32";
  }

  get count(): number {
    return this.#within.size + this.#above.size;
  }

  /** Watches all paths that exist now. */
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
      // Something was created, moved or removed: watch new folders too.
      if (kind === "rename" && !this.#isRecursive) this.#watchWithin(folder);
      // A watched path itself may be removed and come back.
      if (!existsSync(folder)) this.#forget(folder);
      this.#notify();
    });
    if (this.#isRecursive) return;
    for (const name of subfolders(folder)) this.#watchWithin(join(folder, name));
  }

  #watchAbove(folder: string): void {
    this.#watch(this.#above, folder, (_kind, name) => {
      const before = this.#there;
      this.look();
      const hasAppeared = [...this.#there].some((place) => !before.has(place));
      if (hasAppeared || this.#there.has(join(folder, name ?? ""))) this.#notify();
    });
  }

  #watch(
    watchers: Map<string, FSWatcher>,
    folder: string,
    moved: (kind: string, name: string | null) => void,
  ): void {
    if (watchers.has(folder)) return;
    try {
      const recursive = this.#isRecursive && watchers === this.#within;
      const watcher = watch(folder, { recursive }, moved);
      watcher.on("error", () => this.#forget(folder));
      watchers.set(folder, watcher);
    } catch {
      // The folder was removed, or the system has no watchers left: the next look() tries again.
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

/** Returns the nearest existing parent folder of a path. */
function nearestAbove(place: string): string {
  let folder = dirname(place);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Makes one call per burst of events, never two at once. */
class Burst {
  readonly #moved: () => void | Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(moved: () => void | Promise<void>) {
    this.#moved = moved;
  }

  notify(): void {
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
    // This call may miss changes from now on, so they schedule another one.
    this.#timer = undefined;
    if (this.#isClosed) return;
    this.#running = Promise.resolve(this.#moved()).catch(() => undefined);
    await this.#running;
  }
}
