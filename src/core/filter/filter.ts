import type { ToolOutcome } from "../session/tool-call.ts";

/** Selects tool calls that match all given fields. */
export interface CallFilter {
  /** A tool's name, label or canonical name; case-insensitive. */
  tool?: string;
  /** The name of an MCP server. */
  server?: string;
  /** The name of a command in a shell line. */
  command?: string;
  outcome?: ToolOutcome;
  /** A file that the call touched: its path, or the end of its path starting at any folder. */
  path?: string;
}

/** Selects sessions that match all given fields. Call fields must all match the same call. */
export interface SessionFilter extends CallFilter {
  /** Part of the title or of the project's name, or the beginning of the id. */
  name?: string;
  /** Part of a project's name or path, or its hash. */
  project?: string;
  /** The project's directory, or a directory that holds it. */
  folder?: string;
  /** Last active at or after `sinceMs`, and begun before `untilMs` (epoch milliseconds). */
  sinceMs?: number;
  untilMs?: number;
  /** Part of a model's name. */
  model?: string;
  status?: string;
  /** One of KINDS. */
  kind?: string;
  /** The id of a source. */
  source?: string;
  /** A tag that the user added; `star` selects starred sessions. */
  tag?: string;
  star?: "starred";
  /** Maximum length of each list; the newest entries are returned. */
  limit?: number;
  /** Pagination cursor: the `next` of the previous page. */
  after?: string;
}

/** Values of `SessionFilter.kind`: both kinds of session, and other records of conversations. */
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

/** Selects paid replies (and tool calls) that match all given fields. */
export interface LedgerFilter {
  /** Part of a project's name or path, or its hash. */
  project?: string;
  /** The project's directory, or a directory that holds it. */
  folder?: string;
  /** Part of a model's name. */
  model?: string;
  /** A session's id or the beginning of it; its subsessions are included. */
  session?: string;
  status?: string;
  source?: string;
  tag?: string;
  star?: "starred";
  /** Made at or after `sinceMs`, and before `untilMs` (epoch milliseconds). */
  sinceMs?: number;
  untilMs?: number;
}
