// @module-tag slow
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Expected } from "../../src/conformance/answer.ts";
import { sources } from "../../src/sources/index.ts";
import type { TreeDifference } from "../corpora/compare.ts";
import { compareTree } from "../corpora/compare.ts";
import { readTree } from "../corpora/read-tree.ts";
import type { AgentId, CorpusTree } from "../corpora/trees.ts";
import { committedTrees } from "../corpora/trees.ts";
import type { RequestRole, Truth } from "../corpora/truth.ts";
import { callsByName, sumsByModel, truthOf } from "../corpora/truth.ts";

/** Roles of the requests that each agent records. */
const RECORDED: Record<AgentId, readonly RequestRole[]> = {
  "gemini-cli": ["conversation", "subagent"],
  "claude-code": ["conversation", "subagent", "warmup"],
  codex: ["conversation", "subagent", "compaction"],
  "qwen-code": ["conversation", "subagent", "compaction", "memory"],
};

/** The environment variable by which a scenario moved a folder. */
const MOVED: Readonly<Record<string, string>> = {
  ".config/claude-work": "CLAUDE_CONFIG_DIR",
  "codex-work": "CODEX_HOME",
  qhome: "QWEN_HOME",
  qrun: "QWEN_RUNTIME_DIR",
};

/**
 * The log of the scripted API in the form of a reader's answer. Values that the agent does not
 * record on disk are left out, because no reader can know them; the tests of the agent's source
 * name each of them with the reason.
 */
describe.each(Object.keys(RECORDED) as AgentId[])("expected.json of %s", (agent) => {
  test("equals the scripted API's log", async () => {
    const trees = committedTrees(agent);
    expect(trees.length).toBeGreaterThan(50);
    const cases = Object.fromEntries(trees.map((tree) => [tree.name, caseOf(tree)]));
    const file = join(import.meta.dirname, "../fixtures/corpora", agent, "expected.json");
    await expect(`${JSON.stringify({ cases }, null, 1)}\n`).toMatchFileSnapshot(file);
  });
});

function caseOf(tree: CorpusTree): object {
  const truth = truthOf(tree);
  const source = sources.find(({ id }) => id === tree.agent);
  if (!source) throw new Error(`No source of ${tree.agent}.`);
  const roles = RECORDED[tree.agent];
  const differs = compareTree(truth, readTree(source, tree).sessions, { roles });
  const moved = tree.roots.flatMap((root) => {
    const at = root.slice(tree.folder.length + 1).replaceAll("\\", "/");
    const variable = MOVED[at];
    return variable === undefined ? [] : [[variable, at] as const];
  });
  return {
    about: truth.description,
    ...(moved.length > 0 ? { environment: Object.fromEntries(moved) } : {}),
    expected: expectedOf(truth, roles, differs),
  };
}

function expectedOf(
  truth: Truth,
  roles: readonly RequestRole[],
  differs: TreeDifference,
): Expected {
  return {
    ...(differs.prompts ? {} : { prompts: truth.prompts }),
    ...(differs.tokens ? {} : { tokens: tokensOf(truth, roles) }),
    ...(differs.tools ? {} : { tools: toolsOf(truth, roles) }),
  };
}

function tokensOf(truth: Truth, roles: readonly RequestRole[]): NonNullable<Expected["tokens"]> {
  const sums = [...sumsByModel(truth, roles)];
  return Object.fromEntries(
    sums.map(([model, { requests, input, cached, cacheWrite, output, thoughts, total }]) => {
      const written = output + (thoughts ?? 0);
      const writes = cacheWrite === null ? {} : { cacheWrite };
      return [model, { replies: requests, input, cached, ...writes, written, total }];
    }),
  );
}

function toolsOf(truth: Truth, roles: readonly RequestRole[]): NonNullable<Expected["tools"]> {
  return Object.fromEntries(
    [...callsByName(truth, roles)].map(([name, { sent, ok, error, cancelled }]) => {
      return [name, { calls: sent, success: ok, error, cancelled }];
    }),
  );
}
