import type { Standing } from "./message.ts";
import type { ToolCategory, ToolOutcome } from "./tool-call.ts";
import type { TouchedFile } from "./touched-file.ts";

/** One tool call, with what reports about tools need of it. */
export interface ToolFact {
  sessionId: string;
  messageId: string;
  callId: string;
  name: string;
  label: string;
  canonical: string;
  category: ToolCategory;
  mcp?: { server: string; tool: string };
  outcome?: ToolOutcome;
  at?: string;
  standing: Standing;
  /** From the reply that asked for it to its completion, where both times are recorded. */
  durationMs?: number;
  /** Of a shell call: the names of the commands inside its line. */
  commands?: readonly string[];
  /** Files it touched; none when it failed or was cancelled. */
  files: TouchedFile[];
}

/** How often something was called, and what became of it. */
export interface CallCounts {
  calls: number;
  success: number;
  error: number;
  cancelled: number;
  /** Of the calls whose beginning and end are recorded; `null` when none is. */
  time: { calls: number; totalMs: number; longestMs: number } | null;
}

export interface ToolBucket extends CallCounts {
  name: string;
  label: string;
  canonical: string;
  category: ToolCategory;
  mcp: { server: string; tool: string } | null;
}

/** A file that tools touched. Lines are `null` where no record tells them. */
export interface TouchedFileBucket {
  path: string;
  project: string;
  reads: number;
  writes: number;
  edits: number;
  addedLines: number | null;
  removedLines: number | null;
}

/** Tool calls, grouped; a call that stands in several sessions counts in one of them. */
export interface ToolBuckets {
  tools: ToolBucket[];
  /** Commands inside the lines that were given to shells. */
  shell: { command: string; calls: number }[];
  files: TouchedFileBucket[];
}
