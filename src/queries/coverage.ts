import type { FileCount, StoredCoverage } from "../core/files/coverage.ts";
import type { Diagnostic } from "../core/files/diagnostic.ts";
import { holdsSession } from "../core/files/session-file.ts";
import { compareTexts } from "../core/lists.ts";

/** The files that an answer is based on, and those that could not be read. Part of every answer. */
export interface Coverage {
  /** Session files found. */
  files: number;
  /** Files from which something was read: a session, a part of one, or titles of others. */
  read: number;
  /** Files with records that could not be read. */
  damaged: number;
  /**
   * Replies that are not counted because another session recorded them first, with other token
   * counts; left out if there are none. Diagnostics (`unequal-copy`) name them.
   */
  unequalCopies?: number;
  /** By file and place, whatever the order in which files were read. */
  diagnostics: Diagnostic[];
}

export function coverageOf(coverage: StoredCoverage, more: readonly Diagnostic[] = []): Coverage {
  const { diagnostics } = coverage;
  const files = sessionFiles(coverage);
  const unequal = more.filter(({ code }) => code === "unequal-copy").length;
  const damage = diagnostics.filter(({ severity }) => severity === "damage");
  return {
    files: sumOf(files),
    read: sumOf(files.filter(({ isRead }) => isRead)),
    damaged: new Set(damage.map(({ file }) => file)).size,
    ...(unequal > 0 ? { unequalCopies: unequal } : {}),
    diagnostics: [...diagnostics, ...more].toSorted(byPlace),
  };
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const byFile = compareTexts(a.file, b.file) || (a.start ?? -1) - (b.start ?? -1);
  return byFile || compareTexts(a.code, b.code) || compareTexts(a.message, b.message);
}

/** Excludes saved chats and prompt logs. */
export function sessionFiles({ files }: StoredCoverage): FileCount[] {
  return files.filter(holdsSession);
}

function sumOf(counts: StoredCoverage["files"]): number {
  return counts.reduce((sum, { files }) => sum + files, 0);
}
