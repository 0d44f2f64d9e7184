import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import type { Root, Environment } from "../source.ts";

/**
 * Everywhere Gemini CLI may have left sessions. A wish (`--root`) stands alone; otherwise all
 * places apply that the environment and the habits of all versions name.
 */
export function rootsOf(environment: Environment): Root[] {
  const { askedRoots: wished } = environment;
  const places =
    wished.length > 0
      ? wished.flatMap((wish) => wishedPlaces(resolve(wish)))
      : usualPlaces(environment);
  const seen = new Set<string>();
  return places.flatMap(({ path, because }) => {
    const real = realPath(path);
    if (seen.has(real ?? path)) return [];
    seen.add(real ?? path);
    return [{ path, because, isFound: real !== undefined }];
  });
}

type Place = Pick<Root, "path" | "because">;

/** How deep a wished folder is searched for homes: a backup of several machines, a corpus. */
const SEARCH_DEPTH = 4;

/** A `.gemini` folder, or anything that holds one. */
function wishedPlaces(wish: string): Place[] {
  const because = "--root";
  if (isHome(wish)) return [{ path: wish, because }];
  if (existsSync(join(wish, ".gemini"))) return [{ path: join(wish, ".gemini"), because }];
  const homes = homesBelow(wish, SEARCH_DEPTH);
  return (homes.length > 0 ? homes : [wish]).map((path) => ({ path, because }));
}

function isHome(path: string): boolean {
  return basename(path) === ".gemini" || existsSync(join(path, "tmp"));
}

function homesBelow(folder: string, depth: number): string[] {
  return subfolders(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (isHome(path)) return [path];
      return depth > 1 && name !== "node_modules" ? homesBelow(path, depth - 1) : [];
    });
}

function subfolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Not a folder, or not ours to read: there is nothing to find below it.
    return [];
  }
}

/** Among thousands of other things: what they are is looked up only when there is one. */
function sandboxesIn(folder: string): string[] {
  const isSandbox = (name: string): boolean => name.startsWith("gemini-sandbox-");
  try {
    return readdirSync(folder).some(isSandbox) ? subfolders(folder).filter(isSandbox) : [];
  } catch {
    // As for all folders: there is nothing to find in it.
    return [];
  }
}

function usualPlaces({ env, homeDir, tempDir }: Environment): Place[] {
  const places: Place[] = [];
  const geminiDir = env["GEMINI_DIR"];
  if (geminiDir) places.push({ path: resolve(geminiDir), because: "GEMINI_DIR" });
  for (const path of listOf(env["GEMINI_DATA_DIR"])) {
    places.push({ path: homeOrInner(path), because: "GEMINI_DATA_DIR" });
  }
  const cliHome = env["GEMINI_CLI_HOME"];
  if (cliHome) places.push({ path: join(resolve(cliHome), ".gemini"), because: "GEMINI_CLI_HOME" });
  const home = env["GEMINI_HOME"];
  if (home) places.push({ path: homeOrInner(home), because: "GEMINI_HOME" });
  if (!geminiDir) places.push({ path: join(homeDir, ".gemini"), because: "the home folder" });
  return [...places, ...rarePlaces(homeDir, tempDir)];
}

/** Places that only a sandbox or a missing home makes; absent ones are not named. */
function rarePlaces(homeDir: string, tempDir: string): Place[] {
  const sandboxes = sandboxesIn(tempDir).map((name) => {
    return { path: join(tempDir, name), because: "a container sandbox" };
  });
  const fixed = [
    { path: join(homeDir, ".cache", ".gemini"), because: "the macOS sandbox of 0.61" },
    { path: join(tempDir, ".gemini"), because: "a run without a home folder" },
  ];
  return [...fixed, ...sandboxes].filter(({ path }) => existsSync(path));
}

function listOf(value: string | undefined): string[] {
  const separators = new RegExp(`[${delimiter === ";" ? ";" : ":,"}]`);
  return (value ?? "").split(separators).filter((path) => path !== "");
}

/** The variable is used in two meanings: for the folder itself and for its parent. */
function homeOrInner(path: string): string {
  const inner = join(resolve(path), ".gemini");
  return existsSync(inner) ? inner : resolve(path);
}

function realPath(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Absent, or a link to nowhere.
    return undefined;
  }
}
