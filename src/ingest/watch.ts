import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { FSWatcher } from "chokidar";

/** Events come in bursts: a reply is several lines, a new project several folders. */
const SETTLE_MS = 300;

export interface Watching {
  /** When everything is watched. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Calls back when something moves below the given places, once for each burst, and not again before
 * what it began is done. The system notifies; nothing is polled. A place that is not there yet is
 * watched from the moment it appears.
 */
export async function watchPlaces(
  places: readonly string[],
  moved: () => void | Promise<void>,
): Promise<Watching> {
  // Loaded here: no other command needs it.
  const { watch } = await import("chokidar");
  const there = places.filter((place) => existsSync(place));
  const below: FSWatcher = watch(there, { ignoreInitial: true });
  const absent = new Set(places.filter((place) => !there.includes(place)));
  // Above an absent place only its own folder is of interest, not what lies deeper.
  const folders = nearestAbove(absent);
  const above: FSWatcher = watch(folders, { ignoreInitial: true, depth: 0 });
  const burst = new Burst(moved);
  const tell = (): void => burst.tell();
  below.on("all", tell);
  above.on("all", () => {
    const appeared = [...absent].filter((place) => existsSync(place));
    for (const place of appeared) absent.delete(place);
    above.add(nearestAbove(absent));
    if (appeared.length === 0) return;
    below.add(appeared);
    tell();
  });
  // A folder that cannot be watched is looked at with the next one that can.
  for (const watcher of [below, above]) watcher.on("error", () => undefined);
  return {
    ready: Promise.all([isReady(below, there), isReady(above, folders)]).then(() => undefined),
    async close() {
      await Promise.all([below.close(), above.close(), burst.close()]);
    },
  };
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

/** The nearest folders above absent places that are there. */
function nearestAbove(absent: ReadonlySet<string>): string[] {
  const folders = [...absent].map((place) => {
    let folder = dirname(place);
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
    return folder;
  });
  return [...new Set(folders)];
}

function isReady(watcher: FSWatcher, places: readonly string[]): Promise<void> {
  // One that has nothing to do never says that it is ready.
  if (places.length === 0) return Promise.resolve();
  return new Promise((resolve) => void watcher.once("ready", () => resolve()));
}
