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
 * Tells when something moves below the given places, once for each burst. The system notifies;
 * nothing is polled. A place that is not there yet is watched from the moment it appears.
 */
export async function watchPlaces(places: readonly string[], moved: () => void): Promise<Watching> {
  // Loaded here: no other command needs it.
  const { watch } = await import("chokidar");
  const there = places.filter((place) => existsSync(place));
  const below: FSWatcher = watch(there, { ignoreInitial: true });
  const absent = new Set(places.filter((place) => !there.includes(place)));
  // Above an absent place only its own folder is of interest, not what lies deeper.
  const folders = nearestAbove(absent);
  const above: FSWatcher = watch(folders, { ignoreInitial: true, depth: 0 });
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      moved();
    }, SETTLE_MS);
  };
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
      clearTimeout(timer);
      await Promise.all([below.close(), above.close()]);
    },
  };
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
