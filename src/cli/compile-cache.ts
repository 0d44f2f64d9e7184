import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { CachedScripts } from "./cached-scripts.ts";

/** Available from Node 22.8. */
type Enable = (folder: string) => unknown;

/**
 * Loads a built file and what it requires. Their compiled code is cached, which halves the time of
 * a start. Where the cache cannot be written, everything is compiled again.
 */
export function loadCompiled(path: string, args: readonly string[]): unknown {
  const folder = join(cacheFolder(process.platform, process.env, homedir()), "compiled");
  const { enableCompileCache } = module as { enableCompileCache?: Enable };
  const isRefused = process.env["NODE_DISABLE_COMPILE_CACHE"] !== undefined;
  if (!enableCompileCache && !isRefused) {
    return new CachedScripts(join(folder, engine(), commandIn(args))).load(path);
  }
  enableCompileCache?.(folder);
  return module.createRequire(path)(path);
}

/** Compiled code is valid for one version of the engine. */
function engine(): string {
  return `${process.versions.v8}-${process.arch}`;
}

/** Each command has a cache of its own: it needs only some of the functions. */
function commandIn([first = ""]: readonly string[]): string {
  return /^[a-z]+$/.test(first) ? first : "start";
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
