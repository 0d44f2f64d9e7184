import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { HomeMarkers, RootCandidate } from "../requested-roots.ts";
import { homesBelow, namesIn, pathsIn, rootsIn, subfolders } from "../requested-roots.ts";
import type { Environment, Root } from "../source.ts";

/** Returns the folders with Claude Code's files: only the requested ones, or the usual ones. */
export function rootsOf(environment: Environment): Root[] {
  return rootsIn(environment, MARKERS, usualPlaces);
}

/** The variable replaces the usual folder. Some tools accept a list in it; Claude Code one path. */
function usualPlaces(environment: Environment): RootCandidate[] {
  const { env, homeDir } = environment;
  const because = "CLAUDE_CONFIG_DIR";
  const named = pathsIn(env["CLAUDE_CONFIG_DIR"]).map((path) => ({ path: resolve(path), because }));
  const usual = { path: join(homeDir, ".claude"), because: "the home folder" };
  const other = join(homeDir, ".config", "claude");
  const isUsed = existsSync(join(other, "projects"));
  return [
    ...(named.length > 0 ? named : [usual]),
    ...(isUsed ? [{ path: other, because: "the configuration folder" }] : []),
    ...ofOtherPrograms(environment),
  ];
}

/** Homes that programs with Claude Code inside make for it: one, or one per session. */
function ofOtherPrograms({ env, homeDir }: Environment): RootCandidate[] {
  const xcode = join(homeDir, "Library/Developer/Xcode/CodingAssistant/ClaudeAgentConfig");
  const packages = join(env["LOCALAPPDATA"] || join(homeDir, "AppData/Local"), "Packages");
  const desktop = [
    join(homeDir, "Library/Application Support"),
    env["XDG_CONFIG_HOME"] || join(homeDir, ".config"),
    env["APPDATA"] || join(homeDir, "AppData/Roaming"),
    ...namesIn(packages)
      .filter((name) => name.startsWith("Claude_"))
      .map((name) => join(packages, name, "LocalCache/Roaming")),
  ].flatMap((data) => homesBelow(join(data, "Claude/local-agent-mode-sessions"), 5, MARKERS));
  return [
    ...(existsSync(xcode) ? [{ path: xcode, because: "Xcode" }] : []),
    ...desktop.map((path) => ({ path, because: "Claude Desktop" })),
  ];
}

const MARKERS: HomeMarkers = { name: ".claude", inner: ["projects"], isHome };

const OWN_NAMES = ["projects", "history.jsonl", "todos", "statsig", "shell-snapshots"];

/** Whether a folder is a Claude Code home: by its name and contents, or by session files in it. */
function isHome(path: string): boolean {
  if (basename(path) === ".claude" && OWN_NAMES.some((own) => existsSync(join(path, own))))
    return true;
  const projects = join(path, "projects");
  return subfolders(projects).some((slug) => holdsSessions(join(projects, slug)));
}

const SESSION = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|agent-[0-9a-f]+)\.jsonl$/;
const SESSION_FOLDER = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

function holdsSessions(folder: string): boolean {
  return namesIn(folder).some((name) => {
    return (
      SESSION.test(name) ||
      (SESSION_FOLDER.test(name) && existsSync(join(folder, name, "subagents")))
    );
  });
}
