import type { Dirent } from "node:fs";
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FileRole, SessionFile } from "../../core/session-file.ts";
import type { FoundHome, Report } from "../source.ts";
import { isRolloutName } from "./names.ts";
import { TITLES_FILE } from "./titles.ts";

/** Years, months and days; nothing is ever deeper. */
const MAX_DEPTH = 5;
const PROMPT_LOG = /^history\.jsonl?$/;

/**
 * All files below one root that tell about sessions:
 *
 *     sessions/2026/11/15/rollout-<time>-<thread>.jsonl(.zst)     sessions/rollout-….json
 *     archived_sessions/rollout-….jsonl          history.jsonl, history.json, session_index.jsonl
 *
 * Credentials, settings and databases lie beside them and are never opened.
 */
export function findFiles(root: string, report: Report): FoundHome {
  const walk = new Walk(root, report);
  for (const entry of walk.list(root)) {
    if (entry.name === "sessions" || entry.name === "archived_sessions") {
      walk.sessions(join(root, entry.name), MAX_DEPTH);
    } else if (PROMPT_LOG.test(entry.name)) walk.add(join(root, entry.name), "prompt-log");
    else if (entry.name === TITLES_FILE) walk.add(join(root, entry.name), "evidence");
  }
  return { files: walk.files, folders: [] };
}

class Walk {
  readonly files: SessionFile[] = [];
  readonly #root: string;
  readonly #report: Report;
  readonly #visited = new Set<string>();

  constructor(root: string, report: Report) {
    this.#root = root;
    this.#report = report;
  }

  sessions(folder: string, depth: number): void {
    for (const entry of this.list(folder)) {
      const path = join(folder, entry.name);
      if (this.#isFolder(path, entry)) {
        if (depth > 1) this.sessions(path, depth - 1);
        else this.#odd(path, "A folder among the sessions is deeper than any known layout.");
      } else if (isRolloutName(entry.name)) this.add(path, "main");
      else if (!/^\.|\.tmp$/.test(entry.name)) {
        this.#odd(
          path,
          "A file among the sessions whose name says that it is none; it was not read.",
        );
      }
    }
  }

  add(path: string, role: FileRole): void {
    try {
      const stat = statSync(path);
      // Opening a pipe or a device may never end.
      if (!stat.isFile()) return this.#odd(path, "It has the name of a session file, but is none.");
      const { size: sizeBytes, mtimeMs: modifiedMs, ino: inode } = stat;
      const root = this.#root;
      this.files.push({
        path,
        root,
        role,
        sizeBytes,
        modifiedMs,
        inode,
        folder: "",
        isCleaned: false,
      });
    } catch (error) {
      this.#unreadable(path, error);
    }
  }

  /** Entries of a folder, sorted; a folder seen before (through links) is not entered again. */
  list(path: string): Dirent[] {
    try {
      const real = realpathSync.native(path);
      if (this.#visited.has(real)) {
        const message = "The folder was reached a second time through a link; it is read once.";
        this.#report({ code: "symlink-loop", severity: "notice", message, file: path });
        return [];
      }
      this.#visited.add(real);
      return readdirSync(path, { withFileTypes: true }).toSorted(byName);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || path !== this.#root) this.#unreadable(path, error);
      return [];
    }
  }

  #isFolder(path: string, entry: Dirent): boolean {
    if (!entry.isSymbolicLink()) return entry.isDirectory();
    try {
      return statSync(path).isDirectory();
    } catch (error) {
      this.#unreadable(path, error);
      return false;
    }
  }

  #odd(file: string, message: string): void {
    this.#report({ code: "odd-name", severity: "notice", message, file });
  }

  #unreadable(file: string, error: unknown): void {
    const code = codeOf(error);
    if (code === "ENOENT") {
      const message = "It disappeared while it was being looked at.";
      return this.#report({ code: "vanished-file", severity: "notice", message, file });
    }
    const message = `It could not be opened (${code ?? "unknown error"}).`;
    this.#report({ code: "unreadable-folder", severity: "damage", message, file });
  }
}

function byName(a: Dirent, b: Dirent): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

function codeOf(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
