import type { RequestRole, TrueOutcome, TrueRequest, TrueTokens, Truth } from "./known-run.ts";
import { readClaudeTruth } from "./claude-code.ts";
import type { RecordedTruth as ClaudeTruth } from "./claude-code.ts";
import { readCodexTruth } from "./codex.ts";
import type { RecordedTruth as CodexTruth } from "./codex.ts";
import { readGeminiTruth } from "./gemini-cli.ts";
import type { RecordedTruth as GeminiTruth } from "./gemini-cli.ts";
import { readQwenTruth } from "./qwen-code.ts";
import type { RecordedTruth as QwenTruth } from "./qwen-code.ts";
import type { CorpusTree } from "./trees.ts";

export type * from "./known-run.ts";

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
