import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { HomeMarkers, RootCandidate } from "../requested-roots.ts";
import { namesIn, pathsIn, rootsIn, subfolders } from "../requested-roots.ts";
import type { Environment, Root } from "../source.ts";
import { isRolloutName } from "./names.ts";

export function rootsOf(environment: Environment): Root[] {
  return rootsIn(environment, MARKERS, usualPlaces);
}

/**
 * `CODEX_HOME` replaces the usual folder; nothing is appended to it. Some tools accept a list in
 * it; Codex one path. Xcode has its own.
 */
function usualPlaces({ env, homeDir }: Environment): RootCandidate[] {
  const because = "CODEX_HOME";
  const named = pathsIn(env["CODEX_HOME"]).map((path) => ({ path: resolve(path), because }));
  const usual = { path: join(homeDir, ".codex"), because: "the home folder" };
  const homes = named.length > 0 ? named : [usual];
  const xcode = join(homeDir, "Library/Developer/Xcode/CodingAssistant/codex");
  return existsSync(xcode) ? [...homes, { path: xcode, because: "Xcode" }] : homes;
}

const SESSION_FOLDERS = ["sessions", "archived_sessions"];

const MARKERS: HomeMarkers = { name: ".codex", inner: SESSION_FOLDERS, isHome };

/** Other names that only Codex uses. */
const MARKS = ["session_index.jsonl", "installation_id", "state_5.sqlite", "auth.json"];

/** Recognises a home by its contents: `sessions` is a common name, rollouts are not. */
function isHome(path: string): boolean {
  if (basename(path) === ".codex") return existsSync(path);
  const names = new Set(namesIn(path));
  const folders = SESSION_FOLDERS.filter((name) => names.has(name));
  if (folders.length === 0) return false;
  if (folders.some((name) => holdsRollouts(join(path, name), 4))) return true;
  return MARKS.filter((name) => names.has(name)).length > 1;
}

/** `sessions/2026/11/15/rollout-….jsonl`; searches the newest folders first. */
function holdsRollouts(folder: string, depth: number): boolean {
  if (namesIn(folder).some(isRolloutName)) return true;
  const days = subfolders(folder)
    .filter((name) => /^\d{2,4}$/.test(name))
    .toSorted()
    .toReversed();
  return depth > 1 && days.slice(0, 3).some((name) => holdsRollouts(join(folder, name), depth - 1));
}
