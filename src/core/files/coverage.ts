import type { Diagnostic } from "./diagnostic.ts";
import type { FileRole, FormatName } from "./session-file.ts";
import type { ProjectAnswer, SessionSummary } from "../rows/summary.ts";

/** Counts of what was read, how it was understood, and what was wrong with it. */
export interface StoredCoverage {
  /** Files that were read, grouped. Replaced contents are not counted. */
  files: readonly FileCount[];
  /** The part that files play in their sessions (`whole`, `copy`, `continuation`, `stub`). */
  parts: readonly { part: string; files: number }[];
  sessions: readonly { source: string; kind: SessionSummary["kind"]; sessions: number }[];
  /** Sessions with no file left on disk. */
  goneSessions: number;
  /** Sorted by number of sessions, descending. */
  projects: readonly { project: ProjectAnswer; sessions: number }[];
  /** Diagnostics of the roots, then of their files. */
  diagnostics: readonly Diagnostic[];
}

export interface FileCount {
  source: string;
  root: string;
  role: FileRole;
  format: FormatName;
  generation: string;
  /** Whether something was read from the files. */
  isRead: boolean;
  /** The files are in the store but no longer on disk. */
  isGone: boolean;
  files: number;
}
