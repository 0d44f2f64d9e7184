import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileBytes } from "../kernel/bytes.ts";
import type { Environment, Root } from "./source.ts";

export type RootCandidate = Pick<Root, "path" | "because">;

/** How deep a folder given with `--root` is searched, such as a backup of several machines. */
const SEARCH_DEPTH = 4;

/** Names of all agents' homes. Different agents' homes may contain folders of the same names. */
const HOME_NAMES: readonly string[] = [".gemini", ".claude", ".codex", ".qwen"];

/** How to recognise an agent's home. */
export interface HomeMarkers {
  /** The usual name of the home: `.qwen`. */
  name: string;
  /** Folders in the home that hold all sessions; `--root` may name one of them instead. */
  inner?: readonly string[];
  isHome(path: string): boolean;
}

/** Returns the homes of one agent: only those at the requested paths, or else the usual ones. */
export function rootsIn(
  environment: Environment,
  own: HomeMarkers,
  usualPlaces: (environment: Environment) => RootCandidate[],
): Root[] {
  const { requestedRoots } = environment;
  const isRequested = requestedRoots.length > 0;
  return uniqueRoots(isRequested ? homesAt(requestedRoots, own) : usualPlaces(environment));
}

/**
 * Returns the homes of one agent at the given paths: a path may be a home or a folder that contains
 * homes. Paths without a home of this agent are ignored, so that every agent can be asked about
 * every path.
 */
function homesAt(asked: readonly string[], own: HomeMarkers): RootCandidate[] {
  const others = HOME_NAMES.filter((name) => name !== own.name);
  const isHome = (path: string): boolean => !others.includes(basename(path)) && own.isHome(path);
  const signs = { ...own, isHome };
  const because = "--root";
  return asked.flatMap((place) => {
    const path = resolve(place);
    const home = [path, ...outerOf(path, own)].find((folder) => signs.isHome(folder));
    const homes = home === undefined ? homesIn(path, signs) : [home];
    return homes.map((each) => ({ path: each, because }));
  });
}

/** `.claude` for `.claude/projects`. A `tmp` may be any folder: there the home must be named so. */
function outerOf(path: string, { name, inner = [] }: HomeMarkers): string[] {
  const outer = dirname(path);
  const isInner = inner.includes(basename(path));
  return isInner && (basename(outer) === name || basename(path) !== "tmp") ? [outer] : [];
}

/** The home that contains a folder, judged by names. */
export function homeAround(path: string): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  return HOME_NAMES.includes(basename(parent)) ? parent : homeAround(parent);
}

/**
 * If the folder has the agent's usual home directly below it, it is a user's home folder and not a
 * backup: only its direct subfolders are checked.
 */
function homesIn(path: string, signs: HomeMarkers): string[] {
  const usual = join(path, signs.name);
  if (!signs.isHome(usual)) return homesBelow(path, SEARCH_DEPTH, signs);
  return [...new Set([usual, ...homesBelow(path, 1, signs)])];
}

/** Returns the homes in the subfolders of a folder, down to a depth. */
export function homesBelow(folder: string, depth: number, signs: HomeMarkers): string[] {
  return subfolders(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (signs.isHome(path)) return [path];
      const isDeeper = depth > 1 && name !== "node_modules";
      return isDeeper ? homesBelow(path, depth - 1, signs) : [];
    });
}

/** Returns the folders that a variable names: one, or several for tools that accept a list. */
export function pathsIn(value: string | undefined): string[] {
  if (value === undefined || value === "" || existsSync(value)) return value ? [value] : [];
  return value
    .split(delimiter === ";" ? /[;,]/ : /[:,]/)
    .map((path) => path.trim())
    .filter((path) => path !== "");
}

export function subfolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Not a folder, or not readable: there is nothing to find below it.
    return [];
  }
}

/** Returns the names in a folder; empty if the folder does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    // Not a folder, or not readable.
    return [];
  }
}

/** Usually enough of a session to include an answer. */
const PEEK_BYTES = 64 * 1024;

/** Whether the beginning of a file matches. */
export function beginsWith(path: string, pattern: RegExp): boolean {
  try {
    return pattern.test(fileBytes(path).range(0, PEEK_BYTES).toString("latin1"));
  } catch {
    // The error is reported when the file is read.
    return false;
  }
}

/** Removes duplicate paths, however they are spelled, and notes whether each exists. */
function uniqueRoots(places: readonly RootCandidate[]): Root[] {
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
    // Missing, or a dangling link.
    return undefined;
  }
}
