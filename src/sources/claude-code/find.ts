import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import type { FileRole } from "../../core/files/session-file.ts";
import { FolderWalk } from "../folder-walk.ts";
import type { FoundHome, Report } from "../source.ts";

const AGENT_FILE = /^agent-.+\.jsonl$/;

/**
 * Finds all files of sessions below one root:
 *
 *     projects/<slug>/<session>.jsonl            projects/<slug>/agent-<id>.jsonl
 *     projects/<slug>/<session>/subagents/agent-<id>.jsonl and .meta.json
 *     projects/<slug>/<session>/tool-results/*
 *     history.jsonl, todos/*.json, tasks/<session>/*.json
 *
 * Credentials, keys and settings are in the same root and are never opened.
 */
export function findFiles(root: string, report: Report): FoundHome {
  const walk = new Walk(root, report);
  const projects = join(root, "projects");
  const folders: string[] = [];
  for (const entry of walk.list(projects, "ignore")) {
    if (!walk.isFolder(projects, entry)) {
      if (entry.name.endsWith(".jsonl")) walk.transcript(projects, entry.name, { folder: "" });
      continue;
    }
    folders.push(entry.name);
    walk.project(join(projects, entry.name), { folder: entry.name });
  }
  walk.beside();
  return { files: walk.files, folders };
}

interface Where {
  folder: string;
  /** The session whose folder contains the file. */
  parentId?: string;
}

class Walk extends FolderWalk {
  /** Session files may be at any depth; other files in a session's folder belong to it. */
  project(path: string, where: Where): void {
    for (const entry of this.list(path)) {
      const { name } = entry;
      const below = path + sep + name;
      if (this.isFolder(path, entry)) this.#folder(below, name, where);
      else if (name.endsWith(".jsonl")) this.transcript(path, name, where);
      else if (name.endsWith(".meta.json") || name === "sessions-index.json") {
        this.#add(below, "companion", where);
      }
    }
  }

  transcript(path: string, name: string, where: Where): void {
    this.#add(path + sep + name, AGENT_FILE.test(name) ? "subagent" : "main", where);
  }

  #folder(path: string, name: string, where: Where): void {
    // Claude Code's notes about a project are not part of a session.
    if (name === "memory" && where.parentId === undefined) return;
    if (name === "tool-results") return this.#spills(path, where);
    const parentId = where.parentId ?? name;
    this.project(path, { ...where, parentId });
  }

  #spills(path: string, where: Where): void {
    for (const entry of this.list(path)) {
      if (!this.isFolder(path, entry)) this.#add(join(path, entry.name), "spill", where);
    }
  }

  /** Adds the prompt log and the task lists. */
  beside(): void {
    const history = join(this.root, "history.jsonl");
    if (existsSync(history)) this.#add(history, "prompt-log", { folder: "" });
    this.#lists(join(this.root, "todos"));
    const tasks = join(this.root, "tasks");
    if (!existsSync(tasks)) return;
    for (const entry of this.list(tasks)) {
      if (this.isFolder(tasks, entry)) this.#lists(join(tasks, entry.name), entry.name);
    }
  }

  #lists(path: string, parentId?: string): void {
    if (!existsSync(path)) return;
    for (const { name } of this.list(path)) {
      if (!name.endsWith(".json")) continue;
      const session = parentId ?? /^([0-9a-f-]{36})/.exec(name)?.[1];
      const where = session === undefined ? { folder: "" } : { folder: "", parentId: session };
      this.#add(join(path, name), "companion", where);
    }
  }

  #add(path: string, role: FileRole, where: Where): void {
    this.add(path, role, { ...where, isCleaned: role !== "prompt-log" });
  }
}
