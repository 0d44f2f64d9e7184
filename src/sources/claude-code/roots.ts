import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import type { Dirent } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import type { Environment, Root } from "../source.ts";

type Place = Pick<Root, "path" | "because">;

/** Folders that hold Claude Code's files: those asked for alone, else those that it uses. */
export function rootsOf(environment: Environment): Root[] {
  const { askedRoots } = environment;
  const places =
    askedRoots.length > 0
      ? askedRoots.flatMap((path) => askedPlaces(resolve(path)))
      : usualPlaces(environment);
  const seen = new Set<string>();
  return places.flatMap(({ path, because }) => {
    const real = realPath(path);
    if (seen.has(real ?? path)) return [];
    seen.add(real ?? path);
    return [{ path, because, isFound: real !== undefined }];
  });
}

/** The variable replaces the usual folder; some tools take a list, the program itself one path. */
function usualPlaces({ env, homeDir }: Environment): Place[] {
  const because = "CLAUDE_CONFIG_DIR";
  const named = listOf(env["CLAUDE_CONFIG_DIR"]).map((path) => ({ path: resolve(path), because }));
  const usual = { path: join(homeDir, ".claude"), because: "the home folder" };
  const other = join(homeDir, ".config", "claude");
  const isUsed = existsSync(join(other, "projects"));
  return [
    ...(named.length > 0 ? named : [usual]),
    ...(isUsed ? [{ path: other, because: "the configuration folder" }] : []),
  ];
}

function listOf(value: string | undefined): string[] {
  if (value === undefined || value === "" || existsSync(value)) return value ? [value] : [];
  return value
    .split(delimiter === ";" ? /[;,]/ : /[:,]/)
    .map((path) => path.trim())
    .filter((path) => path !== "");
}

/** How deep a folder is searched for homes: a backup of several machines, a corpus. */
const SEARCH_DEPTH = 4;

/** A `.claude` folder, or all of them that a folder holds. */
function askedPlaces(path: string): Place[] {
  const homes = isHome(path) ? [path] : homesBelow(path, SEARCH_DEPTH);
  return homes.map((home) => ({ path: home, because: "--root" }));
}

function homesBelow(folder: string, depth: number): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map(({ name }) => join(folder, name))
    .toSorted()
    .flatMap((path) => {
      if (isHome(path)) return [path];
      return depth > 1 ? homesBelow(path, depth - 1) : [];
    });
}

/** Homes of other agents that have a folder of projects as well. */
const OTHERS: ReadonlySet<string> = new Set([".gemini", ".qwen", ".codex"]);
const OWN_NAMES = ["projects", "history.jsonl", "todos", "statsig", "shell-snapshots"];

/** By its name and what else lies in it, or by session files where Claude Code puts them. */
function isHome(path: string): boolean {
  const name = basename(path);
  if (OTHERS.has(name)) return false;
  if (name === ".claude" && OWN_NAMES.some((own) => existsSync(join(path, own)))) return true;
  const projects = join(path, "projects");
  return entriesOf(projects).some((entry) => {
    return entry.isDirectory() && holdsSessions(join(projects, entry.name));
  });
}

const SESSION = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|agent-[0-9a-f]+)\.jsonl$/;
const SESSION_FOLDER = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

function holdsSessions(folder: string): boolean {
  return entriesOf(folder).some((entry) => {
    if (!entry.isDirectory()) return SESSION.test(entry.name);
    return SESSION_FOLDER.test(entry.name) && existsSync(join(folder, entry.name, "subagents"));
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not a folder, or not ours to read: there is nothing to find below it.
    return [];
  }
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
