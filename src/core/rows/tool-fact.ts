import { compareTexts } from "../lists.ts";
import type { ToolCategory, ToolOutcome } from "../session/tool-call.ts";
import type { TouchedFile } from "./touched-file.ts";

/** One tool call, reduced to what reports about tools need. */
export interface ToolFact {
  messageId: string;
  callId: string;
  name: string;
  label: string;
  canonical: string;
  category: ToolCategory;
  mcp?: { server: string; tool: string };
  outcome?: ToolOutcome;
  at?: string;
  /** Time from the reply that requested the call to its completion, if both are recorded. */
  durationMs?: number;
  /** For a shell call: the names of the commands in its line. */
  commands?: readonly string[];
  /** Files that the call touched; empty if it failed or was cancelled. */
  files: TouchedFile[];
}

/** Number of calls by outcome. */
export interface CallCounts {
  calls: number;
  success: number;
  error: number;
  cancelled: number;
  /** Over calls whose start and end are recorded; `null` if there are none. */
  time: { calls: number; totalMs: number; longestMs: number } | null;
}

export interface ToolBucket extends CallCounts {
  name: string;
  label: string;
  canonical: string;
  category: ToolCategory;
  mcp: { server: string; tool: string } | null;
}

/** A file that tools touched. Line counts are `null` if not recorded. */
export interface TouchedFileBucket {
  path: string;
  project: string;
  reads: number;
  writes: number;
  edits: number;
  addedLines: number | null;
  removedLines: number | null;
}

/** Grouped tool calls. A call that occurs in several sessions is counted in one of them. */
export interface ToolBuckets {
  tools: ToolBucket[];
  /** Commands in shell lines. */
  shell: { command: string; calls: number }[];
  files: TouchedFileBucket[];
}

/** Orders rows: most calls first, then by name. */
export function byCalls<T extends { calls: number }>(
  rows: readonly T[],
  nameOf: (row: T) => string,
): T[] {
  return rows.toSorted((a, b) => b.calls - a.calls || compareTexts(nameOf(a), nameOf(b)));
}

/** Orders files: most touches first, then by path. */
export function byTouches(files: Iterable<TouchedFileBucket>): TouchedFileBucket[] {
  const touches = ({ reads, writes, edits }: TouchedFileBucket): number => reads + writes + edits;
  return [...files].toSorted((a, b) => touches(b) - touches(a) || compareTexts(a.path, b.path));
}
