// @module-tag slow
import { describe, expect, test } from "vitest";
import type { AgentId } from "./trees.ts";
import { committedTrees, corpusTrees, hasCompleteCorpus } from "./trees.ts";
import type { TrueSums } from "./truth.ts";
import {
  answersOf,
  callsByName,
  lastLiveRequest,
  subagentRequests,
  sumsByModel,
  truthOf,
} from "./truth.ts";

/** All roles: sums of the API log are compared with the sums recorded beside it. */
const ALL = ["conversation", "subagent", "warmup", "compaction", "memory", "helper"] as const;

type Figures = Record<string, Record<string, number>>;

function figuresOf(
  sums: ReadonlyMap<string, TrueSums>,
  pick: (sum: TrueSums) => Record<string, number | null>,
): Figures {
  return Object.fromEntries([...sums].map(([model, sum]) => [model, pick(sum)])) as Figures;
}

/** The named figures of each model in the recorded sums. */
function only(recorded: Record<string, object>, names: readonly string[]): unknown {
  const pairs = Object.entries(recorded).map(([model, sums]) => {
    const known = sums as Record<string, number>;
    return [model, Object.fromEntries(names.map((name) => [name, known[name]]))];
  });
  return Object.fromEntries(pairs);
}

describe("the requests of a truth.json add up to its sums by model", () => {
  test.each(corpusTrees("claude-code"))("Claude Code $name", (tree) => {
    const ours = figuresOf(sumsByModel(truthOf(tree), ALL), (sum) => ({
      requests: sum.requests,
      input_tokens: sum.input - sum.cached - (sum.cacheWrite ?? 0),
      cache_creation_input_tokens: sum.cacheWrite,
      cache_read_input_tokens: sum.cached,
      output_tokens: sum.output,
      ephemeral_5m_input_tokens: sum.cacheWrite5m,
      ephemeral_1h_input_tokens: sum.cacheWrite1h,
    }));
    expect(ours).toEqual(tree.truth().usageByModel);
  });

  test.each(corpusTrees("codex"))("Codex $name", (tree) => {
    const ours = figuresOf(sumsByModel(truthOf(tree), ALL), (sum) => ({
      requests: sum.requests,
      input: sum.input,
      cached: sum.cached,
      output: sum.output + (sum.thoughts ?? 0),
      reasoning: sum.thoughts,
      total: sum.total,
    }));
    expect(ours).toEqual(tree.truth().usageByModel);
  });

  test.each(corpusTrees("qwen-code"))("Qwen Code $name", (tree) => {
    const names = ["requests", "prompt", "cached", "completion", "total"];
    const ours = figuresOf(sumsByModel(truthOf(tree), ALL), (sum) => ({
      requests: sum.requests,
      prompt: sum.input,
      cached: sum.cached,
      completion: sum.output + (sum.thoughts ?? 0),
      total: sum.total,
    }));
    expect(ours).toEqual(only(tree.truth().usageByModel, names));
  });

  test.each(corpusTrees("gemini-cli"))("Gemini CLI $name", (tree) => {
    const ours = figuresOf(sumsByModel(truthOf(tree), ALL), (sum) => ({
      requests: sum.requests,
      prompt: sum.input,
      cached: sum.cached,
      candidates: sum.output,
      thoughts: sum.thoughts,
      tool: sum.tool,
      total: sum.total,
    }));
    expect(ours).toEqual(tree.truth().usageByModel);
  });
});

describe("every tree", () => {
  const agents: AgentId[] = ["gemini-cli", "claude-code", "codex", "qwen-code"];

  test.each(agents)("of %s has a root, typed prompts and an index entry", (agent) => {
    const trees = corpusTrees(agent);
    expect(trees.length).toBeGreaterThan(0);
    for (const tree of trees) {
      expect(tree.roots, tree.name).not.toEqual([]);
      expect(truthOf(tree).typed, tree.name).not.toEqual([]);
      expect(tree.indexed(), tree.name).toMatchObject({ scenario: tree.scenario });
    }
  });

  test.each(agents)("of %s is committed unless the complete corpus is available", (agent) => {
    const committed = new Set(committedTrees(agent).map(({ name }) => name));
    const others = corpusTrees(agent).filter(({ name }) => !committed.has(name));
    expect(others.length > 0).toBe(hasCompleteCorpus(agent));
  });

  test("with answers has a last request with the last answer", () => {
    const ends = agents
      .flatMap((agent) => corpusTrees<AgentId>(agent))
      .map((tree) => ({ name: tree.name, truth: truthOf(tree) }))
      .map(({ name, truth }) => [
        name,
        lastLiveRequest(truth)?.texts.at(-1),
        answersOf(truth).at(-1),
      ]);
    const answered = ends.filter(([, last]) => last !== undefined);
    expect(answered.length).toBeGreaterThan(0);
    for (const [name, last, answer] of answered) expect(answer, name).toBe(last);
  });

  test("of the scenario 'subagent' has requests of subagents", () => {
    const trees = (["claude-code", "codex", "qwen-code"] as const)
      .flatMap((agent) => corpusTrees<AgentId>(agent))
      .filter(({ scenario }) => scenario === "subagent");
    expect(trees.length).toBeGreaterThan(0);
    for (const tree of trees)
      expect(subagentRequests(truthOf(tree)).size, tree.name).toBeGreaterThan(0);
  });

  test("of Gemini CLI has the recorded number of calls by tool", () => {
    const all = ["conversation", "subagent", "helper"] as const;
    for (const tree of corpusTrees("gemini-cli")) {
      const ours = callsByName(truthOf(tree), all);
      for (const [name, { sent }] of Object.entries(tree.truth().toolCalls))
        expect(ours.get(name)?.sent, `${tree.name} ${name}`).toBe(sent);
    }
  });
});
