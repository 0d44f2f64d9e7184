import { existsSync, readdirSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import type { HomeMarkers, RootCandidate } from "../requested-roots.ts";
import { beginsWith, namesIn, rootsIn, subfolders } from "../requested-roots.ts";
import type { Root, Environment } from "../source.ts";

/**
 * Returns all folders in which Gemini CLI may have stored sessions. If `--root` is given, only
 * those are used; otherwise all folders that the environment or any version's defaults name.
 */
export function rootsOf(environment: Environment): Root[] {
  return rootsIn(environment, MARKERS, usualPlaces);
}

const MARKERS: HomeMarkers = { name: ".gemini", inner: ["tmp"], isHome };

/** Qwen Code began as a fork: its old homes have the same folders with different contents. */
function isHome(path: string): boolean {
  if (basename(path) === ".gemini") return existsSync(path);
  const projects = subfolders(join(path, "tmp")).map((name) => join(path, "tmp", name));
  return projects.some((folder) => namesIn(folder).some(isProjectFile)) && !isOfQwen(projects);
}

const PROJECT_FILE = /^(chats|logs\.json|\.project_root|checkpoint.*\.json|tool[-_]outputs?)$/;

function isProjectFile(name: string): boolean {
  return PROJECT_FILE.test(name);
}

function isOfQwen(projects: readonly string[]): boolean {
  const chats = projects.flatMap((folder) => {
    const names = namesIn(join(folder, "chats")).filter((name) => name.endsWith(".json"));
    return names.map((name) => join(folder, "chats", name));
  });
  return chats.slice(0, 3).some((path) => beginsWith(path, /"type"\s*:\s*"qwen"/));
}

/** The folder may have thousands of entries: their types are read only if a name matches. */
function sandboxesIn(folder: string): string[] {
  const isSandbox = (name: string): boolean => name.startsWith("gemini-sandbox-");
  try {
    return readdirSync(folder).some(isSandbox) ? subfolders(folder).filter(isSandbox) : [];
  } catch {
    // Unreadable, so there is nothing to find in it.
    return [];
  }
}

function usualPlaces({ env, homeDir, tempDir }: Environment): RootCandidate[] {
  const places: RootCandidate[] = [];
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

/** Folders that exist only with a sandbox or without a home folder; missing ones are left out. */
function rarePlaces(homeDir: string, tempDir: string): RootCandidate[] {
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

/** The variable may name the folder itself or its parent. */
function homeOrInner(path: string): string {
  const inner = join(resolve(path), ".gemini");
  return existsSync(inner) ? inner : resolve(path);
}
