import { readClaudeTruth } from "./claude-code.ts";
import type { RecordedTruth as ClaudeTruth } from "./claude-code.ts";
import { readCodexTruth } from "./codex.ts";
import type { RecordedTruth as CodexTruth } from "./codex.ts";
import { readGeminiTruth } from "./gemini-cli.ts";
import type { RecordedTruth as GeminiTruth } from "./gemini-cli.ts";
import { readQwenTruth } from "./qwen-code.ts";
import type { RecordedTruth as QwenTruth } from "./qwen-code.ts";
import type { CorpusTree } from "./trees.ts";

/** What really happened in a tree, in one form for all agents and in the product's words. */
export interface Truth {
  version: string;
  scenario: string;
  description: string;
  /** The working folder of the first run. */
  project: string;
  /** Everything that was typed, slash commands and shell lines included. */
  typed: string[];
  /** What was typed for the model: no slash commands, no shell lines. */
  prompts: string[];
  /** Every request that the API saw, in order; helpers and failures included. */
  requests: TrueRequest[];
  /** Every tool call that the API sent, in order. */
  toolCalls: TrueCall[];
  /** Files of the tree, relative to its folder. */
  files: { path: string; bytes: number }[];
  notes: string[];
}

/**
 * Whose request it was. `conversation` is the main conversation, `compaction` the request that
 * wrote a summary, `memory` a background keeper of notes, `helper` everything else that no session
 * file records (titles, topics, suggestions, judges, quota checks).
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
  /** The scripted API's own word for it: `main`, `sub1`, `example_files`, … */
  kind: string;
  /** The model that answered, which may differ from the one that was asked. */
  model: string;
  /** Absent where the books have no time. */
  at?: string;
  /** The id of the reply: `msg_…`, `resp_…`; absent where the API gives none. */
  replyId?: string;
  /** The thread that asked; Codex only. */
  threadId?: string;
  isComplete: boolean;
  /** Absent for requests that failed or broke off. */
  tokens?: TrueTokens;
  /**
   * Of an answer that broke off: for Claude Code what the API had said until then, for Codex what
   * the whole answer would have cost.
   */
  brokenOffTokens?: TrueTokens;
  /** A digest of the history that was sent, oldest first; long texts are cut with `…`. */
  sent: string[];
  /** The words of the answer, one for each of its text blocks. */
  texts: string[];
  thoughts: string[];
}

/** As in the public JSON: `input` is the whole prompt, `output` the visible answer. */
export interface TrueTokens {
  input: number;
  cached: number;
  /** `null` where the API knows no such thing. */
  cacheWrite: number | null;
  cacheWrite5m: number | null;
  cacheWrite1h: number | null;
  output: number;
  /** `null` where the API counts them inside the output and not apart. */
  thoughts: number | null;
  tool: number;
  total: number;
}

/** `none`: no result ever came back (killed, broken off). */
export type TrueOutcome = "ok" | "error" | "cancelled" | "none";

export interface TrueCall {
  id: string;
  name: string;
  /** Where the API groups tools: `mcp__abacus__`, `collaboration`; Codex only. */
  namespace?: string;
  /** The tool that the script of an `exec` call uses; Codex only. */
  inner?: string;
  /** The request whose answer held the call. */
  seq: number;
  role: RequestRole;
  outcome: TrueOutcome;
  /** The result as the API got it, cut where it is long; absent when none came back. */
  result?: string;
}

/** The truth of a tree of any agent. */
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

/** Sums over the completed requests of some roles, by model. */
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

/** The texts of completed answers of one role, in order; answers without text are left out. */
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

/** The last completed request of the main conversation: its history and its answer are live. */
export function lastLiveRequest(truth: Truth): TrueRequest | undefined {
  return truth.requests.findLast(({ role, isComplete }) => role === "conversation" && isComplete);
}

/** Requests of subagents, by the word that the scripted API had for each of them. */
export function subagentRequests(truth: Truth): Map<string, TrueRequest[]> {
  const byKind = new Map<string, TrueRequest[]>();
  for (const request of truth.requests) {
    if (request.role !== "subagent") continue;
    const key = request.threadId ?? request.kind;
    byKind.set(key, [...(byKind.get(key) ?? []), request]);
  }
  return byKind;
}
