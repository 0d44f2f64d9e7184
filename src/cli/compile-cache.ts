import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** Available from Node 22.8. */
type Enable = (folder: string) => unknown;

/**
 * Enables the compile cache, which makes starting a quarter faster. Does nothing where that is
 * impossible (an older Node, a folder that is not writable).
 */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: Enable };
  enableCompileCache?.(join(cacheFolder(process.platform, process.env, homedir()), "compiled"));
}

/**
 * The platform's cache folder. Not a temporary folder: others can write there, and the contents of
 * this folder are executed.
 */
export function cacheFolder(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
): string {
  if (platform === "darwin") return join(homeDir, "Library", "Caches", "Pollux");
  if (platform === "win32") {
    return join(env["LOCALAPPDATA"] || join(homeDir, "AppData", "Local"), "Pollux", "Cache");
  }
  const shared = env["XDG_CACHE_HOME"];
  // The XDG standard requires ignoring relative paths.
  return join(shared?.startsWith("/") ? shared : join(homeDir, ".cache"), "pollux");
}
