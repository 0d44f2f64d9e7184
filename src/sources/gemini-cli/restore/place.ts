import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { asObject } from "../formats/fields.ts";
import { projectHash } from "../project.ts";

/** Folders were named by a hash before this version, by a slug since. */
const SLUGS_SINCE = 29;

/** The project folder in which Gemini CLI looks for the sessions of a directory. */
export interface ProjectFolder {
  name: string;
  /** Files that make it the project's folder, when they are not there yet. */
  claims: { path: string; text: string }[];
}

export function projectFolder(root: string, projectPath: string, minor: number): ProjectFolder {
  if (minor < SLUGS_SINCE) return { name: projectHash(projectPath), claims: [] };
  const registry = readRegistry(root);
  const marked = markersOf(root);
  const registered = registry?.[projectPath];
  const name =
    registered ?? folderMarked(marked, projectPath) ?? freeSlug(projectPath, marked, registry);
  const claims = [];
  if (marked.get(name) !== projectPath) {
    claims.push({ path: join(root, "tmp", name, ".project_root"), text: projectPath });
  }
  // An unreadable registry is rebuilt from the markers; it is not overwritten here.
  if (registry && registered === undefined) {
    const projects = { ...registry, [projectPath]: name };
    const text = JSON.stringify({ projects }, null, 2);
    claims.push({ path: join(root, "projects.json"), text });
  }
  return { name, claims };
}

/** `{"<absolute path>": "<slug>"}`; `undefined` when there is a registry that cannot be read. */
function readRegistry(root: string): Record<string, string> | undefined {
  let text: string;
  try {
    text = readFileSync(join(root, "projects.json"), "utf8");
  } catch {
    // No registry yet.
    return {};
  }
  try {
    const projects = asObject(asObject(JSON.parse(text))?.["projects"]);
    const named = Object.entries(projects ?? {}).filter(([, slug]) => typeof slug === "string");
    return projects ? (Object.fromEntries(named) as Record<string, string>) : undefined;
  } catch {
    // Gemini CLI will rebuild it.
    return undefined;
  }
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
  projectPath: string,
): string | undefined {
  return [...marked].find(([, path]) => path === projectPath)?.[0];
}

function freeSlug(
  projectPath: string,
  marked: ReadonlyMap<string, string | undefined>,
  registry: Record<string, string> | undefined,
): string {
  const taken = new Set([...marked.keys(), ...Object.values(registry ?? {})]);
  const base = slugOf(projectPath);
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
