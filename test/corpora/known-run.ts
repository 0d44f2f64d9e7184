/** The content of a `truth.json` in the same form for all agents, in the product's terms. */
export interface Truth {
  version: string;
  scenario: string;
  description: string;
  /** The working folder of the first run. */
  project: string;
  /** All typed lines, including slash commands and shell lines. */
  typed: string[];
  /** Prompts for the model, without slash commands and shell lines. */
  prompts: string[];
  /** Every request to the API in order, including helpers and failures. */
  requests: TrueRequest[];
  /** Every tool call that the API sent, in order. */
  toolCalls: TrueCall[];
  /** Files of the tree, relative to its folder. */
  files: { path: string; bytes: number }[];
  notes: string[];
}

/**
 * The purpose of a request: `conversation` is the main conversation, `compaction` writes a summary,
 * `memory` keeps notes in the background, `helper` is everything else that no session file records
 * (titles, topics, suggestions, judges, quota checks).
 */
export type RequestRole =
  | "conversation"
  | "subagent"
  | "warmup"
  | "compaction"
  | "memory"
  | "helper";

export interface TrueRequest {
  seq: number;
  role: RequestRole;
  /** The scripted API's name for it: `main`, `sub1`, `example_files`, … */
  kind: string;
  /** The model that answered, which may differ from the requested one. */
  model: string;
  /** Absent if the API log has no time. */
  at?: string;
  /** The id of the reply: `msg_…`, `resp_…`; absent if the API gives none. */
  replyId?: string;
  /** The requesting thread; Codex only. */
  threadId?: string;
  isComplete: boolean;
  /** Absent for requests that failed or were interrupted. */
  tokens?: TrueTokens;
  /**
   * For interrupted answers: for Claude Code the usage sent until then, for Codex the usage of the
   * whole answer.
   */
  brokenOffTokens?: TrueTokens;
  /** Summary of the sent history, oldest first; long texts are cut with `…`. */
  sent: string[];
  /** The text blocks of the answer. */
  texts: string[];
  thoughts: string[];
}

/** As in the public JSON: `input` is the whole prompt, `output` the visible answer. */
export interface TrueTokens {
  input: number;
  cached: number;
  /** `null` if the API has no such count. */
  cacheWrite: number | null;
  cacheWrite5m: number | null;
  cacheWrite1h: number | null;
  output: number;
  /** `null` if the API counts them only as part of the output. */
  thoughts: number | null;
  tool: number;
  total: number;
}

/** `none`: there was no result (killed, interrupted). */
export type TrueOutcome = "ok" | "error" | "cancelled" | "none";

export interface TrueCall {
  id: string;
  name: string;
  /** The namespace of the tool: `mcp__abacus__`, `collaboration`; Codex only. */
  namespace?: string;
  /** The tool that the script of an `exec` call uses; Codex only. */
  inner?: string;
  /** The request whose answer contains the call. */
  seq: number;
  role: RequestRole;
  outcome: TrueOutcome;
  /** The result as sent to the API, cut if it is long; absent if there was none. */
  result?: string;
}
