import type { Standing } from "./message.ts";
import type { ToolCategory, ToolOutcome } from "./tool-call.ts";

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
  /** Of a shell call: the command line as given. */
  shellLine?: string;
  /** Files it touched, with the lines it changed where the record tells. */
  files: TouchedFile[];
}

export interface TouchedFile {
  path: string;
  how: "read" | "written" | "edited";
  addedLines?: number;
  removedLines?: number;
}
