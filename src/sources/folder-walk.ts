import { compareTexts } from "../core/lists.ts";
import type { Dirent } from "node:fs";
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FileRole, SessionFile } from "../core/files/session-file.ts";
import type { Report } from "./source.ts";
import { codeOf } from "../core/error.ts";

/** Properties that a source derives from a file's path. */
export type PathFacts = Pick<SessionFile, "folder" | "isCleaned" | "parentId">;

/**
 * Collects files below a root. Unreadable entries are reported and never hide their neighbours.
 */
export class FolderWalk {
  readonly files: SessionFile[] = [];
  readonly root: string;
  readonly report: Report;
  readonly #visited = new Set<string>();

  constructor(root: string, report: Report) {
    this.root = root;
    this.report = report;
  }

  add(path: string, role: FileRole, where: PathFacts): void {
    try {
      const stat = statSync(path);
      // Opening a pipe or a device may block forever.
      if (!stat.isFile()) {
        const message = "The name is that of a session file, but it is not a regular file.";
        return this.oddName(path, message);
      }
      // One literal, because there may be very many files: spreads take several times as long.
      const file: SessionFile = {
        path,
        root: this.root,
        role,
        sizeBytes: stat.size,
        modifiedMs: stat.mtimeMs,
        changedMs: stat.ctimeMs,
        inode: stat.ino,
        folder: where.folder,
        isCleaned: where.isCleaned,
      };
      if (where.parentId !== undefined) file.parentId = where.parentId;
      this.files.push(file);
    } catch (error) {
      this.#unreadable(path, error);
    }
  }

  oddName(file: string, message: string): void {
    this.report({ code: "odd-name", severity: "notice", message, file });
  }

  /**
   * Returns the sorted entries of a folder. A folder already visited through another link is
   * skipped.
   */
  list(path: string, whenMissing: "report" | "ignore" = "report"): Dirent[] {
    try {
      const real = realpathSync.native(path);
      if (this.#visited.has(real)) {
        const message = "This is a link to a folder that was already read; it was skipped.";
        this.report({ code: "symlink-loop", severity: "notice", message, file: path });
        return [];
      }
      this.#visited.add(real);
      return readdirSync(path, { withFileTypes: true }).toSorted(byName);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || whenMissing === "report") this.#unreadable(path, error);
      return [];
    }
  }

  isFolder(parent: string, entry: Dirent): boolean {
    if (entry.isDirectory()) return true;
    if (!entry.isSymbolicLink()) return false;
    try {
      return statSync(join(parent, entry.name)).isDirectory();
    } catch (error) {
      this.#unreadable(join(parent, entry.name), error);
      return false;
    }
  }

  #unreadable(file: string, error: unknown): void {
    const code = codeOf(error);
    if (code === "ENOENT") {
      const message = "It disappeared during the scan.";
      return this.report({ code: "vanished-file", severity: "notice", message, file });
    }
    const message = `The file or folder could not be opened (${code ?? "unknown error"}).`;
    this.report({ code: "unreadable-folder", severity: "damage", message, file });
  }
}

function byName(a: Dirent, b: Dirent): number {
  if (a.name === b.name) return 0;
  return compareTexts(a.name, b.name);
}
