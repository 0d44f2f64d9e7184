import { existsSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { asName, asObject } from "../decoding/fields.ts";
import { readSettings } from "../decoding/parse.ts";
import type { HomeMarkers, RootCandidate } from "../requested-roots.ts";
import { beginsWith, namesIn, rootsIn, subfolders } from "../requested-roots.ts";
import type { Environment, Root } from "../source.ts";
import { USAGE_RECORD } from "./formats/usage-record.ts";

/**
 * Returns all folders where Qwen Code may have written sessions: those named in the environment and
 * in the settings, and the home. All apply, because the settings may have changed.
 */
export function rootsOf(environment: Environment): Root[] {
  return rootsIn(environment, MARKERS, usualPlaces);
}

function usualPlaces({ env, homeDir }: Environment): RootCandidate[] {
  const places: RootCandidate[] = [];
  const runtime = env["QWEN_RUNTIME_DIR"];
  if (runtime) places.push({ path: expanded(runtime, homeDir), because: "QWEN_RUNTIME_DIR" });
  const moved = env["QWEN_HOME"];
  const homes: RootCandidate[] = [
    ...(moved ? [{ path: expanded(moved, homeDir), because: "QWEN_HOME" }] : []),
    { path: join(homeDir, ".qwen"), because: "the home folder" },
  ];
  for (const { path } of homes) {
    const output = runtimeOutputDir(path);
    const target = output === undefined ? "" : expanded(output, homeDir);
    // A relative path is below each project, and the projects are not known here.
    if (output !== undefined && (isAbsolute(output) || output.startsWith("~"))) {
      places.push({ path: target, because: "advanced.runtimeOutputDir of the settings" });
    }
  }
  return [...places, ...homes];
}

function expanded(path: string, homeDir: string): string {
  return resolve(path.replace(/^~(?=$|[\\/])/, homeDir));
}

/** `{"advanced": {"runtimeOutputDir": "…"}}`: where sessions are written instead of the home. */
function runtimeOutputDir(home: string): string | undefined {
  const advanced = asObject(readSettings(join(home, "settings.json"))["advanced"]);
  return asName(advanced?.["runtimeOutputDir"]);
}

const MARKERS: HomeMarkers = { name: ".qwen", inner: ["projects", "tmp"], isHome };

/** Recognises a home by name or contents: other agents have folders of the same names. */
function isHome(path: string): boolean {
  if (basename(path) === ".qwen") return existsSync(path);
  return isOwnTotals(path) || hasProjects(path) || hasDocuments(path);
}

function isOwnTotals(path: string): boolean {
  return existsSync(join(path, USAGE_RECORD));
}

/** `projects/<slug>/chats`; Claude Code has no folder `chats` there. */
function hasProjects(path: string): boolean {
  const projects = join(path, "projects");
  return subfolders(projects).some((slug) => {
    return namesIn(join(projects, slug, "chats")).some((name) => name.endsWith(".jsonl"));
  });
}

const HASH_FOLDER = /^[0-9a-f]{64}$/;
const OWN_TYPE = /"type"\s*:\s*"qwen"/;

/** Old versions use the format of Gemini CLI, except for the type of the model's messages. */
function hasDocuments(path: string): boolean {
  const folders = subfolders(join(path, "tmp")).filter((name) => HASH_FOLDER.test(name));
  return folders.some((folder) => {
    const chats = join(path, "tmp", folder, "chats");
    const documents = namesIn(chats).filter((name) => name.endsWith(".json"));
    return documents.slice(0, 3).some((name) => beginsWith(join(chats, name), OWN_TYPE));
  });
}
