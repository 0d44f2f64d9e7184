import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** Node 22.8 and later. */
type Enable = (folder: string) => unknown;

/**
 * What the engine has compiled is kept, so that the next start takes a quarter less. Where that
 * cannot be (an older Node, a folder that cannot be written), nothing happens.
 */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: Enable };
  enableCompileCache?.(join(cacheFolder(process.platform, process.env, homedir()), "compiled"));
}

/**
 * Where programs of this platform leave what can be made again. Not among temporary files: others
 * can write there, and what lies in this folder is run.
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
  // The standard says that a relative path there is to be ignored.
  return join(shared?.startsWith("/") ? shared : join(homeDir, ".cache"), "pollux");
}
