import type { Attachment } from "./attachment.ts";
import type { TouchedFile } from "./touched-file.ts";

/** What a tool was asked, and what became of it. */
export interface ToolCall {
  id: string;
  name: string;
  /** The short label of the tool's family (`Read`, `Bash`, …); the name itself when unknown. */
  label: string;
  /** The source-independent name (`file_read`, `shell_exec`, …); the name itself when unknown. */
  canonical: string;
  category: ToolCategory;
  /** Of a tool that an MCP server offers. */
  mcp?: { server: string; tool: string };
  args: unknown;
  /** Of a shell call: the command line. */
  shellLine?: string;
  /** Files that it touches when it succeeds. */
  files?: TouchedFile[];
  outcome?: ToolOutcome;
  /** The status word as recorded. */
  status?: string;
  /** When the model asked for it, where the record tells. */
  askedAt?: string;
  /** When it was done. */
  at?: string;
  /** What the model was given back, as text. */
  output?: string;
  /** Pictures and files that came back with it. */
  attachments?: Attachment[];
  /** What the person was shown. */
  display?: ToolDisplay;
  displayName?: string;
  description?: string;
  /** The session of the agent that this call started. */
  agentId?: string;
  /** The file that holds the whole output, when the recorded one was cut or masked. */
  spill?: SpilledOutput;
  /** True when the output in the record is a preview of a longer text. */
  isCut?: boolean;
}

export const TOOL_CATEGORIES = [
  "Read",
  "Edit",
  "Execute",
  "Search",
  "Fetch",
  "Think",
  "Plan",
  "Agent",
  "Ask",
  "Mcp",
  "Other",
] as const;
export type ToolCategory = (typeof TOOL_CATEGORIES)[number];

export const TOOL_OUTCOMES = ["success", "error", "cancelled"] as const;
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

export interface SpilledOutput {
  path: string;
  sizeBytes?: number;
  isFound: boolean;
}

/** The shapes in which results were shown to the person, told apart. */
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
