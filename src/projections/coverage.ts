import type { Diagnostic } from "../model/diagnostic.ts";

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
  files: readonly { isRead: boolean }[],
  diagnostics: readonly Diagnostic[],
): Coverage {
  const damage = diagnostics.filter(({ severity }) => severity === "damage");
  return {
    files: files.length,
    read: files.filter(({ isRead }) => isRead).length,
    damaged: new Set(damage.map(({ file }) => file)).size,
    diagnostics: [...diagnostics],
  };
}
