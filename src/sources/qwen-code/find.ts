import { join } from "node:path";
import type { SessionFile } from "../../core/files/session-file.ts";
import { FolderWalk } from "../folder-walk.ts";
import type { FoundHome, Report } from "../source.ts";
import { USAGE_RECORD } from "./formats/usage-record.ts";

const SESSION = /^[0-9a-fA-F-]{32,36}\.jsonl$/;
/** Files beside a session: notes about its process, worktree and pull request. */
const SIDECAR = /\.(?:ledger\.jsonl|runtime\.json|worktree\.json|pr\.json)$/;
/** Files beside an agent's file: its notes, and the received part of an unfinished answer. */
const AGENT_SIDECAR = /\.(?:json|jsonl\.stream)$/;
const DOCUMENT = /^session-.*\.json$/;
const SAVED_CHAT = /^checkpoint.*\.json$/;
const PROMPT_LOG = /^logs\.json(\..+\.bak)?$/;

/**
 * Finds all files of sessions below one root:
 *
 *     projects/<slug>/chats/<id>.jsonl            projects/<slug>/chats/archive/<id>.jsonl
 *     projects/<slug>/chats/<id>.runtime.json …   projects/<slug>/subagents/<id>/agent-*.jsonl
 *     tmp/<hash>/chats/session-*.json             tmp/<hash>/logs.json, checkpoint-*.json
 *     usage_record.jsonl, trustedFolders.json
 *
 * Settings and credentials are in the same root and are never opened.
 */
export function findFiles(root: string, report: Report): FoundHome {
  const walk = new Walk(root, report);
  const folders = [...walk.projects(), ...walk.oldProjects()];
  walk.beside();
  return { files: walk.files, folders };
}

class Walk extends FolderWalk {
  projects(): string[] {
    return this.#each("projects", (path, folder) => {
      for (const entry of this.list(path)) {
        if (!this.isFolder(path, entry)) continue;
        if (entry.name === "chats") this.#chats(join(path, "chats"), folder);
        if (entry.name === "subagents") this.#subagents(join(path, "subagents"), folder);
      }
    });
  }

  /** Adds sessions of versions up to 0.3, and the prompt logs of all versions. */
  oldProjects(): string[] {
    return this.#each("tmp", (path, folder) => {
      for (const entry of this.list(path)) {
        const { name } = entry;
        const file = join(path, name);
        if (name === "chats" && this.isFolder(path, entry)) this.#documents(file, folder);
        else if (SAVED_CHAT.test(name)) this.#add(file, "saved-chat", { folder });
        else if (PROMPT_LOG.test(name)) this.#add(file, "prompt-log", { folder });
      }
    });
  }

  /** Adds the files about all projects. */
  beside(): void {
    for (const { name } of this.list(this.root, "ignore")) {
      const path = join(this.root, name);
      if (name === USAGE_RECORD) this.#add(path, "totals", { folder: "" });
      if (name === "trustedFolders.json") this.#add(path, "evidence", { folder: "" });
    }
  }

  #each(name: string, visit: (path: string, folder: string) => void): string[] {
    const parent = join(this.root, name);
    return this.list(parent, "ignore").flatMap((entry) => {
      if (!this.isFolder(parent, entry)) return [];
      visit(join(parent, entry.name), entry.name);
      return [entry.name];
    });
  }

  #chats(path: string, folder: string): void {
    for (const entry of this.list(path)) {
      const { name } = entry;
      const file = join(path, name);
      if (this.isFolder(path, entry)) {
        if (name === "archive") this.#chats(file, folder);
        else
          this.oddName(file, "No known version has folders among the sessions; it was not read.");
      } else if (SESSION.test(name)) this.#add(file, "main", { folder });
      else if (SIDECAR.test(name)) this.#add(file, "companion", { folder });
      else this.#odd(file, name);
    }
  }

  /** `subagents/<session>/agent-<type>-<call>.jsonl`, each with the files beside it. */
  #subagents(path: string, folder: string): void {
    for (const session of this.list(path)) {
      if (!this.isFolder(path, session)) continue;
      const parentId = session.name;
      for (const { name } of this.list(join(path, parentId))) {
        const file = join(path, parentId, name);
        const where = { folder, parentId, isCleaned: true };
        if (name.endsWith(".jsonl")) this.#add(file, "subagent", where);
        else if (AGENT_SIDECAR.test(name)) this.#add(file, "companion", where);
        else this.#odd(file, name);
      }
    }
  }

  #documents(path: string, folder: string): void {
    for (const { name } of this.list(path)) {
      const file = join(path, name);
      if (DOCUMENT.test(name)) this.#add(file, "main", { folder });
      else this.#odd(file, name);
    }
  }

  #odd(file: string, name: string): void {
    if (name.startsWith(".")) return;
    this.oddName(
      file,
      "The file is in a sessions folder, but its name is not that of a session; it was not read.",
    );
  }

  /** Qwen Code never deletes sessions by age, only files of agents. */
  #add(
    path: string,
    role: SessionFile["role"],
    where: Pick<SessionFile, "folder" | "parentId"> & { isCleaned?: boolean },
  ): void {
    this.add(path, role, { isCleaned: false, ...where });
  }
}
