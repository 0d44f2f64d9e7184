import type { Diagnostic } from "./diagnostic.ts";
import type { FileRole, FormatName } from "./session-file.ts";

/** What was looked at, how it was understood, and what was wrong with it. */
export interface StoredCoverage {
  /** Session files, grouped. */
  files: readonly FileCount[];
  /** What the files are to their sessions (`whole`, `copy`, `continuation`, `stub`). */
  parts: readonly { part: string; files: number }[];
  diagnostics: readonly Diagnostic[];
}

export interface FileCount {
  source: string;
  root: string;
  role: FileRole;
  format: FormatName;
  generation: string;
  /** Something of a session came out of them. */
  isRead: boolean;
  files: number;
}
