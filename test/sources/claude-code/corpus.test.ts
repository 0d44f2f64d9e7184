import { describe, expect, test } from "vitest";
import { linkSessions } from "../../../src/core/session/links.ts";
import { rowsOf } from "../../../src/core/rows/rows-of.ts";
import type { Session } from "../../../src/core/session/session.ts";
import type { UsageFact } from "../../../src/core/usage/usage-fact.ts";
import { cacheWriteOf, sumSplits } from "../../../src/core/usage/usage-facts.ts";
import { costOf } from "../../../src/queries/prices/cost.ts";
import { PriceBook } from "../../../src/queries/prices/prices.ts";
import { claudeCode } from "../../../src/sources/claude-code/index.ts";
import { compareTree } from "../../corpora/compare.ts";
import { compareLive } from "../../corpora/live.ts";
import { readTree } from "../../corpora/read-tree.ts";
import type { CorpusTree } from "../../corpora/trees.ts";
import { corpusTrees, hasCompleteCorpus } from "../../corpora/trees.ts";
import { truthOf } from "../../corpora/truth.ts";
import { KNOWN } from "./known-differences.ts";

const trees = corpusTrees("claude-code");
const RECORDED = ["conversation", "subagent", "warmup"] as const;

describe.each(trees.map((tree) => [tree.name, tree] as const))("%s", (name, tree) => {
  const truth = truthOf(tree);
  const { sessions, diagnostics } = readTree(claudeCode, tree);

  test("prompts, answers, tokens and tools equal the API's books", () => {
    const difference = compareTree(truth, sessions, { roles: RECORDED });
    expect(difference).toEqual(KNOWN[name]?.differs ?? {});
  });

  test("sums equal those of the rule on these bytes", () => {
    expect(sumsOf(ownFacts(sessions))).toEqual(indexOf(tree).onDisk.largestOfId);
  });

  test("a count that is too low is marked as a lower bound", () => {
    const final = new Map(truth.requests.map(({ replyId, tokens }) => [replyId, tokens?.output]));
    const unmarked = ownFacts(sessions).filter(({ replyId, output, thoughts, isAtLeast }) => {
      const count = final.get(replyId);
      return count !== undefined && output + (thoughts ?? 0) !== count && isAtLeast !== true;
    });
    expect(unmarked).toEqual([]);
  });

  test("every reply is in the kind of session that requested it", () => {
    const roles = new Map(truth.requests.map(({ replyId, role }) => [replyId, role]));
    for (const { kind, replies } of sessions) {
      for (const { id, purpose } of replies) {
        const ours = kind === "main" ? "conversation" : "subagent";
        expect(purpose === "warm-up" ? "warmup" : ours).toBe(roles.get(id));
      }
    }
  });

  test("the live conversation equals what the program sent last", () => {
    const compared = compareLive(truth, sessions);
    // Up to 1.0.60 an answer with several calls is sent again with each of their results.
    if (compared) expect(compared.live).toEqual(compared.sent.filter(isNew));
    expect(liveCalls(sessions, tree)).toEqual(sentCalls(tree));
  });

  test("agents are linked to the calls that started them", () => {
    const agents = sessions.filter(({ kind, replies }) => {
      return kind === "subagent" && !replies.some(({ purpose }) => purpose === "warm-up");
    });
    const calls = sessions.flatMap(({ messages }) =>
      messages.flatMap((message) => message.toolCalls),
    );
    for (const agent of agents.filter(({ replies }) => replies.length > 0)) {
      const call = calls.find(({ id }) => id === agent.parentCallId);
      expect(call?.agentId, agent.id).toBe(agent.id);
    }
  });

  test("the files give no diagnostics", () => {
    expect(diagnostics.filter(({ code }) => code !== "empty-file")).toEqual([]);
  });

  test.each(["usage", "outline"] as const)("depth %s gives the same facts", (depth) => {
    const lighter = readTree(claudeCode, tree, depth).sessions;
    expect(ownFacts(lighter)).toEqual(ownFacts(sessions));
    expect(lighter.map(factsOfSession)).toEqual(sessions.map(factsOfSession));
  });
});

describe("the corpus as a whole", () => {
  test("an answer with searches costs what Claude Code itself computed", () => {
    const tree = trees.find(({ name }) => name === "2.1.325/websearch");
    const facts = tree ? ownFacts(readTree(claudeCode, tree, "usage").sessions) : [];
    const price = new PriceBook().priceOf({ model: "claude-opus-5-5", atMs: undefined });
    const used = sumSplits(facts);
    expect(used.webSearches).toBe(2);
    // Its `cost-state` says $0.0687146.
    const cost = price.kind === "priced" ? costOf(used, price.rates) : undefined;
    expect(cost).toEqual({ micro: 68_714, rest: 600_000 });
  });

  test.runIf(hasCompleteCorpus("claude-code"))("the rule is exact for the expected trees", () => {
    const exact = trees.filter((tree) => {
      const { books } = indexOf(tree);
      const sums = sumsOf(ownFacts(readTree(claudeCode, tree, "usage").sessions));
      return JSON.stringify(sums) === JSON.stringify(books);
    });
    expect(trees.length).toBe(143);
    expect(exact.length).toBe(122);
    const indexed = trees.filter((tree) => indexOf(tree).ruleExact);
    expect(exact.map(({ name }) => name)).toEqual(indexed.map(({ name }) => name));
  });

  test("every known difference has a reason and belongs to a tree", () => {
    const names = new Set(trees.map(({ name }) => name));
    for (const [name, { because }] of Object.entries(KNOWN)) {
      expect(because.length, name).toBeGreaterThan(0);
      if (hasCompleteCorpus("claude-code")) expect(names.has(name), name).toBe(true);
    }
  });
});

interface RecordedSums {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

interface Indexed {
  books: RecordedSums;
  onDisk: { largestOfId: RecordedSums };
  ruleExact: boolean;
}

function indexOf(tree: CorpusTree): Indexed {
  return tree.indexed() as Indexed;
}

/** Each reply once, in the session that owns it. */
function ownFacts(sessions: readonly Session[]): UsageFact[] {
  const rows = sessions.map((session) => rowsOf(session, () => []));
  return linkSessions(rows).sessions.flatMap(({ usage }) => usage);
}

function sumsOf(facts: readonly UsageFact[]): RecordedSums {
  const sums = {
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 0,
  };
  for (const fact of facts) {
    sums.input_tokens += fact.fresh;
    sums.cache_creation_input_tokens += cacheWriteOf(fact) ?? 0;
    sums.cache_read_input_tokens += fact.cached ?? 0;
    sums.output_tokens += fact.output + (fact.thoughts ?? 0);
  }
  return sums;
}

function isNew(text: string, at: number, all: readonly string[]): boolean {
  return text !== all[at - 1];
}

/** Facts of a session that sums by project, day or origin need. */
function factsOfSession(session: Session): unknown {
  const { id, kind, project, startedAt, updatedAt, origins, unrecorded, files, git } = session;
  return { id, kind, project, startedAt, updatedAt, origins, unrecorded, files, git };
}

interface Calls {
  calls: string[];
  results: string[];
}

/** Calls and results in the history sent by the last request. */
function sentCalls(tree: CorpusTree<"claude-code">): Calls | undefined {
  const sent = lastRequest(tree)?.sent.join("\n");
  if (sent === undefined) return undefined;
  const found = (pattern: RegExp): string[] => {
    return [...new Set([...sent.matchAll(pattern)].map((match) => match[1] ?? ""))].toSorted();
  };
  return {
    calls: found(/<tool_use \S+ (\S+)>/g),
    results: found(/<tool_result (\S+?)(?: error)?>/g),
  };
}

function lastRequest(tree: CorpusTree<"claude-code">): LastRequest | undefined {
  const requests = tree.truth().requests as unknown as LastRequest[];
  return requests.findLast(({ kind, usage }) => kind === "main" && usage !== undefined);
}

interface LastRequest {
  kind: string;
  messageId: string;
  usage?: unknown;
  sent: string[];
  answer: { toolCalls?: { id: string }[] };
}

/** The same for live messages, without calls of the answer to that request. */
function liveCalls(
  sessions: readonly Session[],
  tree: CorpusTree<"claude-code">,
): Calls | undefined {
  const last = lastRequest(tree);
  if (!last) return undefined;
  const holds = ({ kind, messages }: Session): boolean => {
    const isAnswer = messages.some(({ id, isInherited }) => id === last.messageId && !isInherited);
    return kind === "main" && isAnswer;
  };
  const session = sessions.findLast(holds);
  // The program deleted the session, or it is the only answer of 0.2 without a record.
  if (!session) return sentCalls(tree);
  const later = new Set(last.answer.toolCalls?.map(({ id }) => id));
  const live = session.messages.filter(({ standing }) => standing === "live");
  const known = (ids: readonly string[]): string[] => {
    return [...new Set(ids.filter((id) => !later.has(id)))].toSorted();
  };
  return {
    calls: known(live.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id))),
    results: known(live.flatMap(({ results }) => results.map(({ callId = "" }) => callId))),
  };
}
