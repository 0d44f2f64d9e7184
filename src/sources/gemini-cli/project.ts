import { hash } from "node:crypto";
import { join } from "node:path";
import { optional } from "../../core/optional.ts";
import type { Project, ProjectEvidence } from "../../core/session/project.ts";
import type { KnownPath } from "../../core/session/project.ts";
import type { HomeView, ProjectClues, ProjectIndex, Report } from "../source.ts";
import type { View } from "../view.ts";
import { asObject } from "../decoding/fields.ts";
import { mentionedPaths } from "./mentions.ts";
import { codeOf } from "../../core/error.ts";

const HASH = /^[0-9a-f]{64}$/;

export function projectHash(path: string): string {
  return hash("sha256", path, "hex");
}

/**
 * Finds the directory of a project folder. Folders are named by a slug (0.29+), with the path in a
 * file beside it, or by the SHA-256 of the path, which can only be matched against known paths. A
 * path is accepted only if a marker or the registry names it or its hash equals the recorded one;
 * paths are never guessed.
 */
export class GeminiProjects implements ProjectIndex {
  readonly #root: string;
  readonly #view: View;
  readonly #report: Report;
  readonly #bySlug = new Map<string, string>();
  readonly #byHash = new Map<string, KnownPath>();
  /** Paths that sessions mention; used for other sessions only after all sessions were read. */
  readonly #mentioned = new Map<string, KnownPath>();
  readonly #markers = new Map<string, KnownPath | undefined>();

  constructor({ root, folders, view }: Omit<HomeView, "projects">, report: Report) {
    this.#root = root;
    this.#view = view;
    this.#report = report;
    for (const folder of folders) this.#marker(folder);
    this.#readRegistry();
    this.#readHistory();
    this.#readTrusted();
  }

  projectOf(clues: ProjectClues): Project {
    const { known, sure } = this.#sure(clues);
    const mentioned = this.mentionedPath(clues);
    const isStronger = mentioned?.by !== "tool-paths" || !this.#mentioned.has(known ?? "");
    if (mentioned && known !== undefined && isStronger) this.#mentioned.set(known, mentioned);
    const found = sure ?? mentioned;
    const path = found && bestSpelling(found.path, this.#hashed(known) ?? mentioned);
    const anyHash = known ?? clues.projectHash;
    return {
      name: path === undefined ? nameWithoutPath(clues.folder) : lastSegment(path),
      ...(path === undefined ? {} : { path }),
      ...(anyHash === undefined ? {} : { hash: anyHash }),
      knownBy: found?.by ?? (HASH.test(clues.folder) ? "hash" : "folder-name"),
    };
  }

  mentionedPath(clues: ProjectClues): KnownPath | undefined {
    const { known, sure } = this.#sure(clues);
    const isExact = sure !== undefined && (known === undefined || projectHash(sure.path) === known);
    if (isExact) return undefined;
    if (known !== undefined) return clues.mentionedPath ?? pathWithHash(known, clues);
    const [first] = clues.directories;
    return first === undefined ? undefined : { path: first, by: "directories" };
  }

  nameAgain(project: Project): Project {
    const mentioned = this.#mentioned.get(project.hash ?? "");
    if (!mentioned) return project;
    const { path = mentioned.path } = project;
    const spelled = bestSpelling(path, mentioned);
    const knownBy = project.path === undefined ? mentioned.by : project.knownBy;
    return { ...project, name: lastSegment(spelled), path: spelled, knownBy };
  }

  #named(folder: string): KnownPath | undefined {
    const marker = this.#marker(folder);
    if (marker) return marker;
    const registered = this.#bySlug.get(folder);
    return registered === undefined ? undefined : { path: registered, by: "registry" };
  }

  #hashed(known: string | undefined): KnownPath | undefined {
    return known === undefined ? undefined : this.#byHash.get(known);
  }

  /**
   * Returns the known hash of a project, and evidence that is stronger than the session's own text.
   */
  #sure({ folder, projectHash: recorded }: ProjectClues): { known?: string; sure?: KnownPath } {
    const folderHash = HASH.test(folder) ? folder : undefined;
    const known = HASH.test(recorded ?? "") ? recorded : folderHash;
    const sure = this.#named(folder) ?? this.#hashed(known);
    return { ...optional("known", known), ...optional("sure", sure) };
  }

  #marker(folder: string): KnownPath | undefined {
    if (this.#markers.has(folder)) return this.#markers.get(folder);
    const own = this.#readMarker(join(this.#root, "tmp", folder));
    const older = own ?? this.#readMarker(join(this.#root, "history", folder));
    const by = own === undefined ? "history-marker" : "marker";
    const found = older === undefined ? undefined : ({ path: older, by } as const);
    if (found) this.#learn(found.path, found.by);
    this.#markers.set(folder, found);
    return found;
  }

  #readMarker(folder: string): string | undefined {
    const text = this.#readText(join(folder, ".project_root"))?.trim();
    return text === "" ? undefined : text;
  }

  #readHistory(): void {
    let names: string[] = [];
    try {
      names = this.#view.list(join(this.#root, "history"));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") this.#unreadable(join(this.#root, "history"), error);
    }
    for (const name of names) {
      const path = this.#readMarker(join(this.#root, "history", name));
      if (path !== undefined) this.#learn(path, "history-marker");
    }
  }

  /** `{"projects": {"<absolute path>": "<slug>"}}` */
  #readRegistry(): void {
    const projects = asObject(this.#readJson("projects.json")?.["projects"]) ?? {};
    for (const [path, slug] of Object.entries(projects)) {
      if (typeof slug !== "string") continue;
      if (!this.#bySlug.has(slug)) this.#bySlug.set(slug, path);
      this.#learn(path, "registry");
    }
  }

  #readTrusted(): void {
    for (const path of Object.keys(this.#readJson("trustedFolders.json") ?? {})) {
      this.#learn(path, "trusted-folders");
    }
  }

  #learn(path: string, by: ProjectEvidence): void {
    for (const spelling of spellings(path)) {
      const key = projectHash(spelling);
      if (!this.#byHash.has(key)) this.#byHash.set(key, { path: spelling, by });
    }
  }

  #readJson(name: string): Record<string, unknown> | undefined {
    const path = join(this.#root, name);
    const text = this.#readText(path);
    if (text === undefined) return undefined;
    try {
      return asObject(JSON.parse(text));
    } catch {
      const message = "The file is not JSON, so project paths recorded in it are missing.";
      this.#report({ code: "unreadable-file", severity: "damage", message, file: path });
      return undefined;
    }
  }

  #readText(path: string): string | undefined {
    try {
      return this.#view.read(path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") this.#unreadable(path, error);
      return undefined;
    }
  }

  #unreadable(file: string, error: unknown): void {
    const message = `The file could not be opened (${codeOf(error) ?? "unknown error"}).`;
    this.#report({ code: "unreadable-file", severity: "damage", message, file });
  }
}

/** Last resort: finds a path in the session whose hash equals the recorded one. */
function pathWithHash(
  known: string,
  { directories, messages }: ProjectClues,
): KnownPath | undefined {
  const first = directories[0];
  if (first !== undefined && projectHash(first) === known)
    return { path: first, by: "directories" };
  const tried = new Set<string>();
  for (const { path, by } of mentionedPaths(messages)) {
    for (const folder of withParents(path)) {
      if (tried.has(folder)) break;
      tried.add(folder);
      if (projectHash(folder) === known) return { path: folder, by };
    }
  }
  return undefined;
}

/**
 * Registry keys are lower-cased on Windows, the hashed path is not: prefers the spelling that has
 * the recorded hash.
 */
function bestSpelling(path: string, exact: KnownPath | undefined): string {
  return exact?.path.toLowerCase() === path.toLowerCase() ? exact.path : path;
}

/**
 * Returns the spellings that may have been hashed: Windows keys have lost the case of the drive
 * letter.
 */
function spellings(path: string): string[] {
  return /^[a-z]:[\\/]/.test(path) ? [path, path.charAt(0).toUpperCase() + path.slice(1)] : [path];
}

function withParents(path: string): string[] {
  const parents: string[] = [];
  let current = path.replace(/[\\/]+$/, "");
  while (current !== "" && parents.length < 40) {
    parents.push(current);
    const cut = Math.max(current.lastIndexOf("/"), current.lastIndexOf("\\"));
    current = cut <= 0 ? "" : current.slice(0, cut);
  }
  return parents;
}

function lastSegment(path: string): string {
  const segments = path.split(/[\\/]/).filter((segment) => segment !== "");
  return segments.at(-1) ?? path;
}

function nameWithoutPath(folder: string): string {
  return HASH.test(folder) ? folder.slice(0, 12) : folder;
}
