import { existsSync, readdirSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import type { HomeSigns, RootPlace } from "../asked-roots.ts";
import { asRoots, homesAt, namesIn, subfolders } from "../asked-roots.ts";
import { fileBytes } from "../../kernel/bytes.ts";
import type { Root, Environment } from "../source.ts";

/**
 * Everywhere Gemini CLI may have left sessions. What was asked for (`--root`) stands alone;
 * otherwise all places apply that the environment and the habits of all versions name.
 */
export function rootsOf(environment: Environment): Root[] {
  const { askedRoots } = environment;
  const isAsked = askedRoots.length > 0;
  return asRoots(isAsked ? homesAt(askedRoots, SIGNS) : usualPlaces(environment));
}

const SIGNS: HomeSigns = { name: ".gemini", isHome };

/** Qwen Code began as a copy: its old homes have the same folders, with other words in them. */
function isHome(path: string): boolean {
  if (basename(path) === ".gemini") return existsSync(path);
  const projects = subfolders(join(path, "tmp")).map((name) => join(path, "tmp", name));
  return projects.some((folder) => namesIn(folder).some(isProjectFile)) && !isOfQwen(projects);
}

const PROJECT_FILE = /^(chats|logs\.json|\.project_root|checkpoint.*\.json|tool[-_]outputs?)$/;

function isProjectFile(name: string): boolean {
  return PROJECT_FILE.test(name);
}

/** So much of a session holds an answer, mostly. */
const PEEK_BYTES = 64 * 1024;

function isOfQwen(projects: readonly string[]): boolean {
  const chats = projects.flatMap((folder) => {
    const names = namesIn(join(folder, "chats")).filter((name) => name.endsWith(".json"));
    return names.map((name) => join(folder, "chats", name));
  });
  return chats.slice(0, 3).some((path) => {
    try {
      return /"type"\s*:\s*"qwen"/.test(fileBytes(path).range(0, PEEK_BYTES).toString("latin1"));
    } catch {
      // It is reported when it is found and read.
      return false;
    }
  });
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

function usualPlaces({ env, homeDir, tempDir }: Environment): RootPlace[] {
  const places: RootPlace[] = [];
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
function rarePlaces(homeDir: string, tempDir: string): RootPlace[] {
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
