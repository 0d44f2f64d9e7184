import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Environment, Root } from "../source.ts";
import { isRolloutName } from "./names.ts";

type Place = Pick<Root, "path" | "because">;

/** `CODEX_HOME` is the folder itself; nothing is appended. */
export function rootsOf({ env, homeDir, askedRoots }: Environment): Root[] {
  const home = env["CODEX_HOME"];
  const usual: Place[] = [
    ...(home ? [{ path: resolve(home), because: "CODEX_HOME" }] : []),
    { path: join(homeDir, ".codex"), because: "the home folder" },
  ];
  const places =
    askedRoots.length > 0 ? askedRoots.flatMap((asked) => askedPlaces(resolve(asked))) : usual;
  const seen = new Set<string>();
  return places.flatMap(({ path, because }) => {
    const real = realPath(path);
    if (seen.has(real ?? path)) return [];
    seen.add(real ?? path);
    return [{ path, because, isFound: real !== undefined }];
  });
}

/** How deep a named folder is searched for homes: a backup of several machines, a corpus. */
const SEARCH_DEPTH = 4;

/** A home of Codex, or whatever holds some; a folder that holds none is no place of this agent. */
function askedPlaces(asked: string): Place[] {
  const homes = isHome(asked) ? [asked] : homesBelow(asked, SEARCH_DEPTH);
  return homes.map((path) => ({ path, because: "--root" }));
}

const SESSION_FOLDERS = ["sessions", "archived_sessions"];
/** What else only this agent leaves behind. */
const MARKS = ["session_index.jsonl", "installation_id", "state_5.sqlite", "auth.json"];

/** By what lies in it: `sessions` is a common name, rollouts are not. */
function isHome(path: string): boolean {
  if (basename(path) === ".codex" && isFolder(path)) return true;
  if (!SESSION_FOLDERS.some((name) => isFolder(join(path, name)))) return false;
  if (SESSION_FOLDERS.some((name) => holdsRollouts(join(path, name), 4))) return true;
  return MARKS.filter((name) => existsSync(join(path, name))).length > 1;
}

/** `sessions/2026/11/15/rollout-….jsonl`; the newest folders are looked into first. */
function holdsRollouts(folder: string, depth: number): boolean {
  const { files, folders } = contentsOf(folder);
  if (files.some(isRolloutName)) return true;
  const days = folders
    .filter((name) => /^\d{2,4}$/.test(name))
    .toSorted()
    .toReversed();
  return depth > 1 && days.slice(0, 3).some((name) => holdsRollouts(join(folder, name), depth - 1));
}

function homesBelow(folder: string, depth: number): string[] {
  const { folders } = contentsOf(folder);
  return folders.toSorted().flatMap((name) => {
    const path = join(folder, name);
    if (isHome(path)) return [path];
    return depth > 1 && name !== "node_modules" ? homesBelow(path, depth - 1) : [];
  });
}

function contentsOf(folder: string): { files: string[]; folders: string[] } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return {
      files: entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name),
      folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    };
  } catch {
    // Not a folder, or not ours to read: there is nothing to find below it.
    return { files: [], folders: [] };
  }
}

function isFolder(path: string): boolean {
  return realPath(path) !== undefined;
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
