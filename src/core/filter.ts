import type { ToolOutcome } from "./tool-call.ts";

/** A tool call for which all that is given holds. */
export interface CallFilter {
  /** A tool's name, its label or its canonical name, in any case. */
  tool?: string;
  /** The name of an MCP server. */
  server?: string;
  /** The name of a command in a shell's line. */
  command?: string;
  outcome?: ToolOutcome;
  /** A file that it touched: its path, or the end of it from any folder on. */
  path?: string;
}

/** Which sessions are meant. All that is given must hold; of calls, for one of them. */
export interface SessionFilter extends CallFilter {
  /** Part of its title or of its project's name, or the beginning of its id. */
  name?: string;
  /** Part of a project's name or path, or its hash. */
  project?: string;
  /** The project's directory, or a directory that holds it. */
  folder?: string;
  /** Last active at or after this instant, and begun before that one (epoch milliseconds). */
  sinceMs?: number;
  untilMs?: number;
  /** Part of a model's name. */
  model?: string;
  status?: string;
  /** One of KINDS. */
  kind?: string;
  /** The id of a source. */
  source?: string;
  /** Has this tag of one's own; is starred. */
  tag?: string;
  star?: "starred";
  /** At most so many of each list, the newest. */
  limit?: number;
  /** Go on behind a page: what the list before gave as `next`. */
  after?: string;
}

/** What a list may be asked for: sessions of both kinds, and what else tells of conversations. */
export const KINDS = ["main", "subagent", "saved-chat", "prompt-log"] as const;

export const SESSION_SORTS = [
  "newest",
  "started",
  "tokens",
  "prompts",
  "title",
  "project",
  "status",
] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

/** Which paid replies (and tool calls) are meant. All that is given must hold. */
export interface LedgerFilter {
  /** Part of a project's name or path, or its hash. */
  project?: string;
  /** The project's directory, or a directory that holds it. */
  folder?: string;
  /** Part of a model's name. */
  model?: string;
  /** A session's id, or its beginning; its subsessions are meant, too. */
  session?: string;
  status?: string;
  source?: string;
  tag?: string;
  star?: "starred";
  /** Made at or after this instant, and before that one (epoch milliseconds). */
  sinceMs?: number;
  untilMs?: number;
}
