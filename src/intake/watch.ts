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
 * nothing is polled.
 */
export async function watchPlaces(places: readonly string[], moved: () => void): Promise<Watching> {
  // Loaded here: no other command needs it.
  const { watch } = await import("chokidar");
  const watcher: FSWatcher = watch([...places], { ignoreInitial: true });
  let timer: NodeJS.Timeout | undefined;
  watcher.on("all", () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      moved();
    }, SETTLE_MS);
  });
  // A folder that cannot be watched is looked at with the next one that can.
  watcher.on("error", () => undefined);
  return {
    ready: new Promise((resolve) => void watcher.once("ready", () => resolve())),
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
