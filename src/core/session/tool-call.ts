import type { Attachment } from "./attachment.ts";
import type { TouchedFile } from "../rows/touched-file.ts";

/** A tool call and its result. */
export interface ToolCall {
  id: string;
  name: string;
  /** The short label of the tool's family (`Read`, `Bash`, …); the tool's name if unknown. */
  label: string;
  /** The agent-independent name (`file_read`, `shell_exec`, …); the tool's name if unknown. */
  canonical: string;
  category: ToolCategory;
  /** Set for tools of an MCP server. */
  mcp?: { server: string; tool: string };
  args: unknown;
  /** For a shell call: the command line. */
  shellLine?: string;
  /** Files that the call touches if it succeeds. */
  files?: TouchedFile[];
  outcome?: ToolOutcome;
  /** The status word as recorded. */
  status?: string;
  /** When the model requested the call, if recorded. */
  askedAt?: string;
  /** When the call was completed. */
  at?: string;
  /** The result as returned to the model, as text. */
  output?: string;
  /** What a failed call said, if its output begins with other lines. */
  error?: string;
  /** Images and files in the result. */
  attachments?: Attachment[];
  /** The result as shown to the user. */
  display?: ToolDisplay;
  displayName?: string;
  description?: string;
  /** Id of the subagent session that this call started. */
  agentId?: string;
  /** The file with the full output, if the recorded output was cut or masked. */
  spill?: SpilledOutput;
  /** The recorded output is a preview of a longer text. */
  isCut?: boolean;
}

export type ToolCategory =
  | "Read"
  | "Edit"
  | "Execute"
  | "Search"
  | "Fetch"
  | "Think"
  | "Plan"
  | "Agent"
  | "Ask"
  | "Mcp"
  | "Other";

export const TOOL_OUTCOMES = ["success", "error", "cancelled"] as const;
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

export interface SpilledOutput {
  path: string;
  sizeBytes?: number;
  isFound: boolean;
}

/** The forms in which results are shown to the user. */
export type ToolDisplay =
  | { kind: "text"; text: string }
  | { kind: "diff"; file: string; diff: string; isNewFile: boolean; stat?: DiffStat }
  | { kind: "todos"; todos: { description: string; status: string }[] }
  | { kind: "terminal"; text: string }
  | { kind: "agent"; name: string; state?: string; result?: string; activity: number }
  | { kind: "summary"; summary: string; items: number }
  | { kind: "unknown"; keys: string[] };

export interface DiffStat {
  addedLines: number;
  removedLines: number;
  byUser: { addedLines: number; removedLines: number };
}

export function countOutcomes(calls: Iterable<Pick<ToolCall, "outcome">>): OutcomeCounts {
  const counts: OutcomeCounts = { total: 0, success: 0, error: 0, cancelled: 0 };
  for (const call of calls) {
    counts.total += 1;
    if (call.outcome !== undefined) counts[call.outcome] += 1;
  }
  return counts;
}

export interface OutcomeCounts {
  total: number;
  success: number;
  error: number;
  cancelled: number;
}
