import type { Diagnostic } from "./diagnostic.ts";
import type { FileRole, FormatName } from "./session-file.ts";
import type { ProjectAnswer, SessionSummary } from "./summary.ts";

/** What was looked at, how it was understood, and what was wrong with it: all in counts. */
export interface StoredCoverage {
  /** Files that were read, grouped; replaced contents are not counted. */
  files: readonly FileCount[];
  /** What the files are to their sessions (`whole`, `copy`, `continuation`, `stub`). */
  parts: readonly { part: string; files: number }[];
  sessions: readonly { source: string; kind: SessionSummary["kind"]; sessions: number }[];
  /** Sessions of which no file is on the disk any more. */
  goneSessions: number;
  /** Most sessions first. */
  projects: readonly { project: ProjectAnswer; sessions: number }[];
  /** Of the roots, then of their files. */
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
  /** They are kept, and no longer on the disk. */
  isGone: boolean;
  files: number;
}
