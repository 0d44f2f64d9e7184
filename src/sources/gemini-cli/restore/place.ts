import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../formats/fields.ts";
import { asObject } from "../formats/fields.ts";

/** Folders were named by a hash before this version, by a slug since. */
const SLUGS_SINCE = 29;

/** The project folder in which Gemini CLI looks for the sessions of a directory. */
export interface ProjectFolder {
  name: string;
  /** Files that make it the project's folder, when they are not there yet. */
  claims: { path: string; text: string }[];
}

export interface Directory {
  path: string;
  /** Over the path as it is spelled, on every system. */
  hash: string;
}

export function projectFolder(
  root: string,
  directory: Directory,
  by: { minor: number; platform: NodeJS.Platform },
): ProjectFolder {
  if (by.minor < SLUGS_SINCE) return { name: directory.hash, claims: [] };
  const registry = readRegistry(root);
  const marked = markersOf(root);
  const key = keyOf(directory.path, by.platform);
  const registered = registry && slugIn(registry.projects, key);
  const name = registered ?? folderMarked(marked, key) ?? freeSlug(key, marked, registry);
  const claims = [];
  if (marked.get(name) !== key) {
    claims.push({ path: join(root, "tmp", name, ".project_root"), text: key });
  }
  // An unreadable registry is rebuilt from the markers; it is not overwritten here.
  if (registry && registered === undefined) {
    const projects = { ...registry.projects, [key]: name };
    const text = JSON.stringify({ ...registry.whole, projects }, null, 2);
    claims.push({ path: join(root, "projects.json"), text });
  }
  return { name, claims };
}

/** How the registry and the markers spell a directory: on Windows in lower case. */
function keyOf(path: string, platform: NodeJS.Platform): string {
  const bare = path.length > 1 ? path.replace(/(?<![:\\/])[\\/]+$/, "") : path;
  return platform === "win32" ? bare.toLowerCase() : bare;
}

interface Registry {
  whole: Json;
  projects: Json;
}

/** `{"projects": {"<absolute path>": "<slug>"}}`; nothing when there is one that cannot be read. */
function readRegistry(root: string): Registry | undefined {
  let text: string;
  try {
    text = readFileSync(join(root, "projects.json"), "utf8");
  } catch {
    // No registry yet.
    return { whole: {}, projects: {} };
  }
  try {
    const whole = asObject(JSON.parse(text));
    const projects = asObject(whole?.["projects"]);
    return whole && projects ? { whole, projects } : undefined;
  } catch {
    // Gemini CLI will rebuild it.
    return undefined;
  }
}

/** A registered name that is no plain name would lead out of the folder. */
function slugIn(projects: Json, key: string): string | undefined {
  const slug = Object.hasOwn(projects, key) ? projects[key] : undefined;
  return typeof slug === "string" && /^[a-z0-9][a-z0-9-]*$/i.test(slug) ? slug : undefined;
}

/** Which folder says to belong to which directory. */
function markersOf(root: string): Map<string, string | undefined> {
  let names: string[] = [];
  try {
    names = readdirSync(join(root, "tmp"));
  } catch {
    // Nothing was ever recorded here.
  }
  return new Map(names.map((name) => [name, markerOf(join(root, "tmp", name))]));
}

function markerOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, ".project_root"), "utf8").trim();
  } catch {
    // A folder of an old version, or no project folder.
    return undefined;
  }
}

function folderMarked(
  marked: ReadonlyMap<string, string | undefined>,
  key: string,
): string | undefined {
  return [...marked].find(([, path]) => path === key)?.[0];
}

function freeSlug(
  key: string,
  marked: ReadonlyMap<string, string | undefined>,
  registry: Registry | undefined,
): string {
  const taken = new Set<unknown>([...marked.keys(), ...Object.values(registry?.projects ?? {})]);
  const base = slugOf(key);
  let slug = base;
  for (let number = 1; taken.has(slug); number += 1) slug = `${base}-${number}`;
  return slug;
}

/** The last segment of the path in lower case, everything but letters and digits as one hyphen. */
export function slugOf(projectPath: string): string {
  const last = projectPath.split(/[\\/]/).findLast((segment) => segment !== "") ?? "";
  const slug = last
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug === "" ? "project" : slug;
}
