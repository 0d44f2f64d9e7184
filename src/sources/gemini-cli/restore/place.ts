import { join } from "node:path";
import { readForeignText } from "../../../kernel/open-file.ts";
import type { Json } from "../../decoding/fields.ts";
import { asObject } from "../../decoding/fields.ts";
import { namesIn } from "../../requested-roots.ts";

/** Since this version, folders are named by a slug instead of a hash. */
const SLUGS_SINCE = 29;

/** The project folder in which Gemini CLI looks for a directory's sessions. */
export interface ProjectFolder {
  name: string;
  /** Files that must be written to assign the folder to the project; empty if they exist. */
  claims: Claim[];
}

export interface Claim {
  path: string;
  text: string;
}

export interface Directory {
  path: string;
  /** Hash of the path as spelled, on every system. */
  hash: string;
}

export function registryOf(root: string): string {
  return join(root, "projects.json");
}

/** Chooses the folder in the same way as Gemini CLI, so that both use the same one. */
export function projectFolder(
  root: string,
  directory: Directory,
  by: { minor: number; platform: NodeJS.Platform },
): ProjectFolder {
  if (by.minor < SLUGS_SINCE) return { name: directory.hash, claims: [] };
  const registry = readRegistry(root);
  const key = keyOf(directory.path, by.platform);
  const owners = new Owners(root, by.platform);
  const listed = registry && slugIn(registry.projects, key);
  const registered = listed !== undefined && owners.isFree(listed, key) ? listed : undefined;
  const name = registered ?? owners.folderOf(key) ?? freeSlug(key, owners, registry);
  const claims: Claim[] = [];
  if (owners.marked(name) === undefined) {
    claims.push({ path: join(root, "tmp", name, MARKER), text: key });
  }
  // Gemini CLI rebuilds an unreadable registry from the markers; it is not overwritten here.
  if (registry && registered === undefined) {
    const projects = { ...registry.projects, [key]: name };
    const text = JSON.stringify({ ...registry.whole, projects }, null, 2);
    claims.push({ path: registryOf(root), text });
  }
  return { name, claims };
}

/** Returns the spelling of a directory in the registry and the markers: lower case on Windows. */
function keyOf(path: string, platform: NodeJS.Platform): string {
  const bare = path.length > 1 ? path.replace(/(?<![:\\/])[\\/]+$/, "") : path;
  return platform === "win32" ? bare.toLowerCase() : bare;
}

interface Registry {
  whole: Json;
  projects: Json;
}

/**
 * `{"projects": {"<absolute path>": "<slug>"}}`; undefined if the file exists but cannot be parsed.
 */
function readRegistry(root: string): Registry | undefined {
  let text: string;
  try {
    text = readForeignText(registryOf(root));
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

/** Accepts only plain names: others could point outside the folder. */
function slugIn(projects: Json, key: string): string | undefined {
  const slug = Object.hasOwn(projects, key) ? projects[key] : undefined;
  return typeof slug === "string" && /^[a-z0-9][a-z0-9-]*$/i.test(slug) ? slug : undefined;
}

const MARKER = ".project_root";

/** Finds the directory that each folder belongs to, from the markers in `tmp` and `history`. */
class Owners {
  readonly #bases: readonly string[];
  readonly #platform: NodeJS.Platform;

  constructor(root: string, platform: NodeJS.Platform) {
    this.#bases = [join(root, "tmp"), join(root, "history")];
    this.#platform = platform;
  }

  /** Returns the directory that the folder in `tmp` belongs to. */
  marked(name: string): string | undefined {
    const [sessions = ""] = this.#bases;
    return this.#ownerOf(sessions, name);
  }

  /** Whether the folder belongs to no other directory. */
  isFree(name: string, key: string): boolean {
    return this.#bases.every((base) => (this.#ownerOf(base, name) ?? key) === key);
  }

  folderOf(key: string): string | undefined {
    return this.#bases
      .flatMap((base) => namesIn(base).filter((name) => this.#ownerOf(base, name) === key))
      .find((name) => this.isFree(name, key));
  }

  #ownerOf(base: string, name: string): string | undefined {
    try {
      return keyOf(readForeignText(join(base, name, MARKER)).trim(), this.#platform);
    } catch {
      // A folder of an old version, or not a project folder.
      return undefined;
    }
  }
}

function freeSlug(key: string, owners: Owners, registry: Registry | undefined): string {
  const taken = new Set<unknown>(Object.values(registry?.projects ?? {}));
  const base = slugOf(key);
  let slug = base;
  for (let number = 1; taken.has(slug) || !owners.isFree(slug, key); number += 1) {
    slug = `${base}-${number}`;
  }
  return slug;
}

/**
 * The last segment of the path in lower case, with other characters than letters and digits
 * replaced by single hyphens.
 */
export function slugOf(projectPath: string): string {
  const last = projectPath.split(/[\\/]/).findLast((segment) => segment !== "") ?? "";
  const slug = last
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug === "" ? "project" : slug;
}
