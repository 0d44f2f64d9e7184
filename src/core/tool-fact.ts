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
  /** Of a shell call: the command line as given. */
  shellLine?: string;
  /** Files it touched; none when it failed or was cancelled. */
  files: TouchedFile[];
}
