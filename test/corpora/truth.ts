import { readClaudeTruth } from "./claude-code.ts";
import type { RecordedTruth as ClaudeTruth } from "./claude-code.ts";
import { readCodexTruth } from "./codex.ts";
import type { RecordedTruth as CodexTruth } from "./codex.ts";
import { readGeminiTruth } from "./gemini-cli.ts";
import type { RecordedTruth as GeminiTruth } from "./gemini-cli.ts";
import { readQwenTruth } from "./qwen-code.ts";
import type { RecordedTruth as QwenTruth } from "./qwen-code.ts";
import type { CorpusTree } from "./trees.ts";

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

/** Reads the truth of a tree of any agent. */
export function truthOf(tree: CorpusTree): Truth {
  const recorded: unknown = tree.truth();
  switch (tree.agent) {
    case "claude-code":
      return readClaudeTruth(recorded as ClaudeTruth);
    case "codex":
      return readCodexTruth(recorded as CodexTruth);
    case "gemini-cli":
      return readGeminiTruth(recorded as GeminiTruth);
    case "qwen-code":
      return readQwenTruth(recorded as QwenTruth);
    default:
      return tree.agent satisfies never;
  }
}

export interface TrueSums extends TrueTokens {
  requests: number;
}

/** Sums of the completed requests of the given roles, by model. */
export function sumsByModel(
  truth: Truth,
  roles: readonly RequestRole[] = ["conversation", "subagent"],
): Map<string, TrueSums> {
  const sums = new Map<string, TrueSums>();
  for (const { role, model, tokens } of truth.requests) {
    if (!tokens || !roles.includes(role)) continue;
    const sum = sums.get(model);
    sums.set(model, sum ? plus(sum, tokens) : { requests: 1, ...tokens });
  }
  return sums;
}

function plus(sum: TrueSums, tokens: TrueTokens): TrueSums {
  return {
    requests: sum.requests + 1,
    input: sum.input + tokens.input,
    cached: sum.cached + tokens.cached,
    cacheWrite: known(sum.cacheWrite, tokens.cacheWrite),
    cacheWrite5m: known(sum.cacheWrite5m, tokens.cacheWrite5m),
    cacheWrite1h: known(sum.cacheWrite1h, tokens.cacheWrite1h),
    output: sum.output + tokens.output,
    thoughts: known(sum.thoughts, tokens.thoughts),
    tool: sum.tool + tokens.tool,
    total: sum.total + tokens.total,
  };
}

function known(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** The texts of completed answers of one role, in order, without empty ones. */
export function answersOf(truth: Truth, role: RequestRole = "conversation"): string[] {
  const complete = truth.requests.filter((request) => request.role === role && request.isComplete);
  return complete.flatMap(({ texts }) => texts.filter((text) => text.trim() !== ""));
}

export type TrueOutcomes = Record<"sent" | TrueOutcome, number>;

/** Calls by name and outcome. */
export function callsByName(
  truth: Truth,
  roles: readonly RequestRole[] = ["conversation", "subagent"],
): Map<string, TrueOutcomes> {
  const counted = new Map<string, TrueOutcomes>();
  for (const { name, role, outcome } of truth.toolCalls) {
    if (!roles.includes(role)) continue;
    const counts = counted.get(name) ?? { sent: 0, ok: 0, error: 0, cancelled: 0, none: 0 };
    counts.sent += 1;
    counts[outcome] += 1;
    counted.set(name, counts);
  }
  return counted;
}

/** The last completed request of the main conversation; its history and answer are live. */
export function lastLiveRequest(truth: Truth): TrueRequest | undefined {
  return truth.requests.findLast(({ role, isComplete }) => role === "conversation" && isComplete);
}

/** Requests of subagents, by thread id or the scripted API's name. */
export function subagentRequests(truth: Truth): Map<string, TrueRequest[]> {
  const byKind = new Map<string, TrueRequest[]>();
  for (const request of truth.requests) {
    if (request.role !== "subagent") continue;
    const key = request.threadId ?? request.kind;
    byKind.set(key, [...(byKind.get(key) ?? []), request]);
  }
  return byKind;
}
