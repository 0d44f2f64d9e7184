import type { ToolFact } from "../core/tool-fact.ts";

/** A file that tools touched. Lines are `null` where no record tells them. */
export interface TouchedFileRow {
  path: string;
  project: string;
  reads: number;
  writes: number;
  edits: number;
  addedLines: number | null;
  removedLines: number | null;
}

/** Adds up what was done to files; a relative path is the same file as the whole one. */
export class TouchedFiles {
  readonly #rows = new Map<string, TouchedFileRow>();

  add({ files }: ToolFact, project: { name: string; path: string | null }): void {
    for (const { path: told, how, addedLines, removedLines } of files) {
      const path = wholePath(told, project.path);
      const row = this.#rowOf(path, project.name);
      if (how === "read") row.reads += 1;
      else if (how === "written") row.writes += 1;
      else row.edits += 1;
      row.addedLines = addKnown(row.addedLines, addedLines);
      row.removedLines = addKnown(row.removedLines, removedLines);
    }
  }

  /** Most touched first. */
  rows(): TouchedFileRow[] {
    return [...this.#rows.values()].toSorted(
      (a, b) => touches(b) - touches(a) || (a.path < b.path ? -1 : 1),
    );
  }

  #rowOf(path: string, project: string): TouchedFileRow {
    let row = this.#rows.get(path);
    if (!row) {
      row = { path, project, reads: 0, writes: 0, edits: 0, addedLines: null, removedLines: null };
      this.#rows.set(path, row);
    }
    return row;
  }
}

function touches({ reads, writes, edits }: TouchedFileRow): number {
  return reads + writes + edits;
}

function addKnown(sum: number | null, more: number | undefined): number | null {
  return more === undefined ? sum : (sum ?? 0) + more;
}

function wholePath(path: string, project: string | null): string {
  if (project === null || /^(?:[A-Za-z]:)?[\\/]/.test(path) || path.startsWith("~")) return path;
  const separator = project.includes("\\") && !project.includes("/") ? "\\" : "/";
  return `${project}${separator}${path.replace(/^\.[\\/]/, "")}`;
}
