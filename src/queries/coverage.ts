import type { Diagnostic } from "../core/diagnostic.ts";

/** What an answer rests on, and what could not be read: it stands beside every answer. */
export interface Coverage {
  /** Session files found. */
  files: number;
  /** Files from which something of a session was read. */
  read: number;
  /** Files of which something recorded could not be read. */
  damaged: number;
  diagnostics: Diagnostic[];
}

export function coverageOf(
  counts: Pick<Coverage, "files" | "read">,
  diagnostics: readonly Diagnostic[],
): Coverage {
  const damage = diagnostics.filter(({ severity }) => severity === "damage");
  return {
    files: counts.files,
    read: counts.read,
    damaged: new Set(damage.map(({ file }) => file)).size,
    diagnostics: [...diagnostics],
  };
}

export function readCounts(
  files: readonly { isRead: boolean }[],
): Pick<Coverage, "files" | "read"> {
  return { files: files.length, read: files.filter(({ isRead }) => isRead).length };
}
