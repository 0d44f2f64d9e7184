import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Root } from "./source.ts";

export type RootPlace = Pick<Root, "path" | "because">;

/** How deep a folder that was asked for is searched: a backup of several machines, a corpus. */
const SEARCH_DEPTH = 4;

/** What agents call their homes; in these, folders may have the same names. */
const HOME_NAMES: readonly string[] = [".gemini", ".claude", ".codex", ".qwen"];

/** How a home of an agent is known. */
export interface HomeSigns {
  /** How the program calls it: `.qwen`. */
  name: string;
  isHome(path: string): boolean;
}

/**
 * The homes of one agent at places that were asked for: a home itself, or anything that holds some.
 * What is no home of this agent gives none, so that every agent can be asked about every place.
 */
export function homesAt(asked: readonly string[], own: HomeSigns): RootPlace[] {
  const others = HOME_NAMES.filter((name) => name !== own.name);
  const isHome = (path: string): boolean => !others.includes(basename(path)) && own.isHome(path);
  const signs = { ...own, isHome };
  const because = "--root";
  return asked.flatMap((place) => {
    const path = resolve(place);
    const homes = signs.isHome(path) ? [path] : homesIn(path, signs);
    return homes.map((home) => ({ path: home, because }));
  });
}

/** Whose own home lies there is no backup: what else is in it is looked at, but not searched. */
function homesIn(path: string, signs: HomeSigns): string[] {
  const usual = join(path, signs.name);
  if (!signs.isHome(usual)) return homesBelow(path, SEARCH_DEPTH, signs);
  return [...new Set([usual, ...homesBelow(path, 1, signs)])];
}

function homesBelow(folder: string, depth: number, signs: HomeSigns): string[] {
  return subfolders(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (signs.isHome(path)) return [path];
      const isDeeper = depth > 1 && name !== "node_modules";
      return isDeeper ? homesBelow(path, depth - 1, signs) : [];
    });
}

export function subfolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Not a folder, or not ours to read: there is nothing to find below it.
    return [];
  }
}

/** Names in a folder that may not be there. */
export function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    // Not a folder, or not ours to read.
    return [];
  }
}

/** Each place once, however it is spelled, with whether it is there. */
export function asRoots(places: readonly RootPlace[]): Root[] {
  const seen = new Set<string>();
  return places.flatMap(({ path, because }) => {
    const real = realFolder(path);
    if (seen.has(real ?? path)) return [];
    seen.add(real ?? path);
    return [{ path, because, isFound: real !== undefined }];
  });
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Absent, or a link to nowhere.
    return undefined;
  }
}
