import type { Dirent } from "node:fs";
import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import type { FileRole } from "../../core/files/session-file.ts";
import { FolderWalk } from "../folder-walk.ts";
import type { FoundHome, Report } from "../source.ts";
import { isSpillName } from "./spill.ts";

/** Folders below `tmp/` that are not projects. */
const NOT_PROJECTS = new Set(["bin", "background-processes"]);
/** Folders of 0.28 and earlier; the clean-up of later versions never enters them. */
const HASH_FOLDER = /^[0-9a-f]{64}$/;
const SESSION_FILE = /\.jsonl?$/;
const SET_ASIDE = /\.jsonl?\.(unreadable|tmp)-[^/\\]+$/;
const SAVED_CHAT = /^checkpoint.*\.json$/;
/** File that contains the path of a folder's project. */
const MARKER = ".project_root";
const SPILL_FOLDER = /^(tool_output|tool-outputs|session-.+)$/;
const PROMPT_LOG = /^logs\.json(\..+\.bak)?$/;

/**
 * Finds all files below one root that belong to sessions:
 *
 *     tmp/<project>/chats/session-*.json(l)      tmp/<project>/checkpoint-*.json
 *     tmp/<project>/chats/<parent>/*.json(l)     tmp/<project>/logs.json
 *     tmp/<project>/tool-outputs/…/*.txt         projects.json, .project_root, trustedFolders.json
 *
 * Credentials are stored beside `tmp/` and are never read.
 */
export function findFiles(root: string, report: Report): FoundHome {
  const walk = new Walk(root, report);
  const tmp = join(root, "tmp");
  const folders: string[] = [];
  for (const entry of walk.list(tmp, "ignore")) {
    if (NOT_PROJECTS.has(entry.name) || !walk.isFolder(tmp, entry)) continue;
    folders.push(entry.name);
    walk.project(entry.name);
  }
  walk.evidence();
  return { files: walk.files, folders };
}

class Walk extends FolderWalk {
  project(folder: string): void {
    const path = join(this.root, "tmp", folder);
    for (const entry of this.list(path)) {
      if (entry.name === "chats") this.#chats(join(path, "chats"), folder);
      else if (SAVED_CHAT.test(entry.name))
        this.#add(join(path, entry.name), "saved-chat", { folder });
      else if (PROMPT_LOG.test(entry.name))
        this.#add(join(path, entry.name), "prompt-log", { folder });
      else if (entry.name === MARKER) this.#add(join(path, MARKER), "evidence", { folder });
      else this.#spills(path, entry, folder);
    }
  }

  /**
   * `<callId>.output`, `tool_output/*` or `tool-outputs/session-<id>/*`, depending on the version.
   */
  #spills(path: string, entry: Dirent, folder: string): void {
    const below = join(path, entry.name);
    if (!SPILL_FOLDER.test(entry.name)) {
      if (isSpillName(entry.name) && entry.isFile()) this.#add(below, "spill", { folder });
      return;
    }
    if (!entry.isDirectory()) return;
    for (const inner of this.list(below)) this.#spills(below, inner, folder);
  }

  /** Adds the files beside `tmp/` that contain project paths. */
  evidence(): void {
    for (const name of ["projects.json", "trustedFolders.json"]) this.#addEvidence(name);
    const history = join(this.root, "history");
    if (!existsSync(history)) return;
    for (const { name } of this.list(history)) this.#addEvidence(join("history", name, MARKER));
  }

  #addEvidence(name: string): void {
    const path = join(this.root, name);
    if (existsSync(path)) this.#add(path, "evidence", { folder: "" });
  }

  #chats(path: string, folder: string): void {
    for (const entry of this.list(path)) {
      if (this.isFolder(path, entry)) this.#subagents(join(path, entry.name), folder, entry.name);
      else this.#sessionFile(path, entry.name, { folder });
    }
  }

  #subagents(path: string, folder: string, parentId: string): void {
    for (const entry of this.list(path)) {
      if (this.isFolder(path, entry)) {
        const message = "No known version has folders inside a subagent folder; it was not read.";
        this.oddName(join(path, entry.name), message);
      } else this.#sessionFile(path, entry.name, { folder, parentId });
    }
  }

  #sessionFile(path: string, name: string, where: { folder: string; parentId?: string }): void {
    // Much faster than `join`, and the path needs no normalising.
    const file = path + sep + name;
    const role = where.parentId === undefined ? "main" : "subagent";
    if (SET_ASIDE.test(name)) return this.#add(file, "set-aside", where);
    if (!SESSION_FILE.test(name)) {
      if (name.startsWith(".")) return;
      const message =
        "The file is in a sessions folder, but its name is not that of a session; it was not read.";
      return this.oddName(file, message);
    }
    this.#add(file, role, where);
  }

  #add(path: string, role: FileRole, where: { folder: string; parentId?: string }): void {
    const isCleaned = !HASH_FOLDER.test(where.folder) && SESSION_FILE.test(path);
    this.add(path, role, { ...where, isCleaned });
  }
}
