// @module-tag slow
import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import { factsOf, sumFacts } from "../../../src/core/usage/usage-facts.ts";
import { qwenCode } from "../../../src/sources/qwen-code/index.ts";
import type { TreeDifference } from "../../corpora/compare.ts";
import { compareTree } from "../../corpora/compare.ts";
import { compareLive } from "../../corpora/live.ts";
import { readTree } from "../../corpora/read-tree.ts";
import { corpusTrees } from "../../corpora/trees.ts";
import type { CorpusTree } from "../../corpora/trees.ts";
import { sumsByModel, truthOf } from "../../corpora/truth.ts";

/** Roles of requests in the telemetry; it lacks those of guesses and judgements. */
const RECORDED = ["conversation", "subagent", "compaction", "memory"] as const;

const SILENT = "up to 0.3 neither answers without text nor tool calls were recorded";
const PARTIAL = "what there was of a cancelled answer is recorded; the books have no answer";
const UNANSWERED = "the result of the cancelled call was recorded, but never sent";
const NO_WRITES = "cache writes of the Anthropic dialect are in no count of their own";

/** Trees that cannot be read as they happened, and why. */
const KNOWN: Record<string, { why: string; difference: TreeDifference }> = {
  "0.1.3/kill": {
    why: SILENT,
    difference: { tools: { run_shell_command: "0/0/0/0 instead of 1/0/0/0" } },
  },
  "0.1.3/subagent": {
    why: `${SILENT}; agents wrote into the same file, with nothing that tells them apart`,
    difference: {
      prompts: {
        missing: [],
        extra: [
          "FAKE-SUBAGENT-MARK one: read notes.md and report the total.",
          "FAKE-SUBAGENT-MARK two: check A.",
          "FAKE-SUBAGENT-MARK three: check B.",
        ],
      },
      answers: {
        missing: [],
        extra: [
          "The notes say that the total is 42.",
          "One check is fine.",
          "The other check is fine.",
        ],
      },
      tokens: {
        "qwen3-coder-plus": "requests -3, input -40111, cached -2110, written -232, total -40343",
      },
      tools: { read_file: "0/0/0/0 instead of 2/1/1/0", task: "0/0/0/0 instead of 3/3/0/0" },
    },
  },
  "0.1.3/thinking": {
    why: SILENT,
    difference: { tools: { read_file: "0/0/0/0 instead of 1/1/0/0" } },
  },
  "0.1.3/toolerror": {
    why: SILENT,
    difference: {
      tokens: {
        "qwen3-coder-plus": "requests -5, input -66179, cached -3376, written -380, total -66559",
      },
      tools: {
        no_such_tool: "0/0/0/0 instead of 1/0/1/0",
        read_file: "0/0/0/0 instead of 1/0/1/0",
        run_shell_command: "0/0/0/0 instead of 2/0/2/0",
        write_file: "0/0/0/0 instead of 1/0/1/0",
      },
    },
  },
  "0.1.3/tools": {
    why: SILENT,
    difference: {
      tokens: {
        "qwen3-coder-plus": "requests -4, input -54154, cached -2954, written -316, total -54470",
      },
      tools: {
        edit: "0/0/0/0 instead of 1/1/0/0",
        list_directory: "0/0/0/0 instead of 1/1/0/0",
        read_file: "0/0/0/0 instead of 1/1/0/0",
        run_shell_command: "0/0/0/0 instead of 1/1/0/0",
        write_file: "0/0/0/0 instead of 1/1/0/0",
      },
    },
  },
  "0.1.3/tui-compress": {
    why: `${SILENT}; nor was the request that wrote the summary`,
    difference: {
      tokens: {
        "qwen3-coder-plus": "requests -1, input -14043, cached -844, written -84, total -14127",
      },
      tools: { run_shell_command: "0/0/0/0 instead of 1/1/0/0" },
    },
  },
  "0.1.3/usage": {
    why: SILENT,
    difference: {
      tools: {
        read_file: "0/0/0/0 instead of 2/2/0/0",
        run_shell_command: "0/0/0/0 instead of 2/2/0/0",
      },
    },
  },
  "0.15.10/gemini": {
    why: "the API gives calls no ids, so its books cannot tell which result is whose",
    difference: { tools: { read_file: "1/1/0/0 instead of 1/0/0/0" } },
  },
  "0.15.10/kill": {
    why: PARTIAL,
    difference: { answers: { missing: [], extra: ["This answer neith"] } },
  },
  "0.21.2/anthropic": {
    why: NO_WRITES,
    difference: { tokens: { "claude-sonnet-fake": "cacheWrite -570" } },
  },
  "0.21.2/tui-cancel": {
    why: UNANSWERED,
    difference: { tools: { run_shell_command: "1/0/0/1 instead of 1/0/0/0" } },
  },
  "0.24.4/anthropic": {
    why: NO_WRITES,
    difference: { tokens: { "claude-sonnet-fake": "cacheWrite -570" } },
  },
  "0.24.4/dirs": {
    why: "one session was not recorded on purpose; only the program's totals tell of it",
    difference: {
      prompts: { missing: ["Without recording."], extra: [] },
      answers: { missing: ["Here."], extra: [] },
      tokens: {
        "qwen3-coder-plus": "requests -2, input -35149, cached -3165, written -238, total -35387",
      },
    },
  },
  "0.24.4/errors": {
    why: "an answer whose stream was cut is recorded as one with the second attempt",
    difference: {
      answers: { missing: ["After a cut."], extra: ["This stream is cut inAfter a cut."] },
    },
  },
  "0.24.4/tui-cancel": {
    why: `${PARTIAL}; ${UNANSWERED}`,
    difference: {
      answers: { missing: [], extra: ["This is a slow answer"] },
      tools: { run_shell_command: "1/0/0/1 instead of 1/0/0/0" },
    },
  },
};

/** A resume in this version loses the prompt that made the conversation too long. */
const FORGETFUL = "0.10.1/autocompress";

const trees = corpusTrees("qwen-code");

describe.each(trees)("$name", (tree) => {
  const truth = truthOf(tree);
  const { sessions, diagnostics } = readTree(qwenCode, tree);

  test("has the prompts, answers, tokens and calls of the API's books", () => {
    const difference = compareTree(truth, sessions, { roles: RECORDED });
    expect(difference).toEqual(KNOWN[tree.name]?.difference ?? {});
  });

  test("has as live what the program sent last", () => {
    const comparison = compareLive(truth, sessions);
    if (!comparison) return expect(truth.requests.at(-1)?.sent ?? []).toEqual([]);
    const { live, sent } = comparison;
    expect(live).toEqual(
      tree.name === FORGETFUL ? sent.filter((text) => text !== "And on.") : sent,
    );
  });

  test("finds requests without a record in the program's totals", () => {
    const { requests, total } = unrecordedOf(sessions);
    expect({ requests, total }).toEqual(missingFrom(tree, sessions));
  });

  test("is read without diagnostics", () => {
    expect(diagnostics).toEqual([]);
  });
});

function unrecordedOf(sessions: readonly Session[]): { requests: number; total: number } {
  const usage = sessions.flatMap(({ unrecorded }) => unrecorded ?? []);
  return {
    requests: usage.reduce((sum, { requests }) => sum + (requests ?? 0), 0),
    total: usage.reduce((sum, { counts }) => sum + (counts.total ?? 0), 0),
  };
}

/** What the API charged minus what was read; zero without totals. */
function missingFrom(
  tree: CorpusTree<"qwen-code">,
  sessions: readonly Session[],
): { requests: number; total: number } {
  const hasTotals = truthOf(tree).files.some(({ path }) => path.endsWith("usage_record.jsonl"));
  if (!hasTotals) return { requests: 0, total: 0 };
  const facts = sessions.flatMap((session) => factsOf(session));
  const own = [...new Map(facts.map((fact) => [fact.replyId, fact])).values()];
  const all = [...sumsByModel(truthOf(tree), [...RECORDED, "helper"]).values()];
  return {
    requests: all.reduce((sum, { requests }) => sum + requests, 0) - own.length,
    total: all.reduce((sum, { total }) => sum + total, 0) - (sumFacts(own).total ?? 0),
  };
}

test("every known difference belongs to a tree of the corpus", () => {
  const names = new Set(trees.map(({ name }) => name));
  expect(Object.keys(KNOWN).filter((name) => names.has(name)).length).toBeGreaterThan(0);
});
