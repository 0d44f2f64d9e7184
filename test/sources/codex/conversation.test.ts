import { describe, expect, test } from "vitest";
import { linkSessions } from "../../../src/core/session/links.ts";
import { rowsOf } from "../../../src/core/rows/rows-of.ts";
import type { Session } from "../../../src/core/session/session.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import type { TreeDifference } from "../../corpora/compare.ts";
import { compareTree } from "../../corpora/compare.ts";
import { readTree } from "../../corpora/read-tree.ts";
import type { CorpusTree } from "../../corpora/trees.ts";
import { corpusTrees } from "../../corpora/trees.ts";
import { subagentRequests, truthOf } from "../../corpora/truth.ts";
import { itemsOf } from "./items.ts";

/** Trees whose reading differs from what the API saw, and why. Usage has its own table. */
const KNOWN: readonly { trees: RegExp; why: string; difference: TreeDifference | "findings" }[] = [
  {
    trees: /^0\.8\.0\/basic$/,
    why: "0.8 does not record the last answer of a run",
    difference: { answers: { missing: ["Hello, Ada. The ledger is ready."], extra: [] } },
  },
  {
    trees: /^0\.8\.0\/unicode$/,
    why: "0.8 does not record the last answer of a run",
    difference: { answers: { missing: ["Fertig — “done”."], extra: [] } },
  },
  {
    trees: /^0\.8\.0\/mcp$/,
    why: "the record of a failed MCP call does not say that it failed",
    difference: { tools: { abacus__burst: "1/1/0/0 instead of 1/0/1/0" } },
  },
  {
    trees: /^0\.130\.0\/mcp$/,
    why: "the event says that the MCP call failed; what the API got does not",
    difference: { tools: { burst: "1/0/1/0 instead of 1/1/0/0" } },
  },
  {
    trees: /^0\.20\.0\/image$/,
    why: "0.20 sends a picture as a turn of its own and never sends the words",
    difference: { prompts: { missing: ["What is in this picture?"], extra: [""] } },
  },
  {
    trees: /^0\.50\.0\/image$/,
    why: "0.50 sends a picture as a turn of its own",
    difference: { prompts: { missing: [], extra: [""] } },
  },
  {
    trees: /^0\.50\.0\/tui-shell$/,
    why: "in 0.50 a line that begins with an exclamation mark is an ordinary prompt",
    difference: { prompts: { missing: [], extra: ["!echo from the user"] } },
  },
  {
    trees: /^0\.20\.0\/nousage$/,
    why: "an answer that ended incomplete is not recorded",
    difference: { answers: { missing: ["Cut by the limit"], extra: [] } },
  },
  {
    trees: /^0\.36\.0\/kill$/,
    why: "0.36 records a call when it is done: the killed one is not on disk",
    difference: { tools: { shell: "1/1/0/0 instead of 2/1/0/0" } },
  },
  {
    trees: /^0\.50\.0\/search$/,
    why: "the books have the final part of the answer only, the record has the commentary, too",
    difference: {
      answers: {
        missing: ["Every entry has two sides."],
        extra: ["I look it up.\n\nEvery entry has two sides."],
      },
    },
  },
  {
    trees: /^0\.80\.0\/search$/,
    why: "the same, and from 0.80 on searches by the API are recorded as calls",
    difference: {
      answers: {
        missing: ["Every entry has two sides."],
        extra: ["I look it up.\n\nEvery entry has two sides."],
      },
      tools: { web_search: "1/1/0/0 instead of 0/0/0/0" },
    },
  },
  {
    trees: /^0\.80\.0\/tui-interrupt$/,
    why: "the program asked once more than it recorded",
    difference: { answers: { missing: ["After the interrupts."], extra: [] } },
  },
  {
    trees: /^0\.147\.0\/autocompact-local$/,
    why: "a summary that the program asks for itself is a recorded answer",
    difference: { answers: { missing: [], extra: ["SUMMARY: steps one and two are done."] } },
  },
  {
    trees: /\/review$/,
    why: "the reviewer's answer is in its own session; the asking one has it in words",
    difference: "findings",
  },
];

const trees = corpusTrees("codex");
const ROLES = ["conversation", "subagent", "compaction"] as const;

describe("prompts, answers and tool calls equal the API's books", () => {
  test.each(trees)("$name", (tree) => {
    const { sessions, diagnostics } = readTree(codex, tree);
    const { tokens: _elsewhere, ...found } = compareTree(truthOf(tree), sessions, { roles: ROLES });
    const known = KNOWN.find((entry) => entry.trees.test(tree.name));
    if (known?.difference === "findings") {
      expect(found.answers?.missing).toEqual([expect.stringContaining('{"findings"')]);
      expect(found.answers?.extra).toEqual([expect.stringContaining("Review comment")]);
    } else expect(found, known?.why).toEqual(known?.difference ?? {});
    expect(diagnostics).toEqual([]);
  });

  test("every known difference belongs to a tree", () => {
    const idle = KNOWN.filter((entry) => !trees.some(({ name }) => entry.trees.test(name)));
    const there = new Set(trees.map(({ name }) => name));
    // Some trees are missing if only the committed part is present.
    expect(idle.filter((entry) => there.has(entry.trees.source))).toEqual([]);
  });
});

/** Trees in which the program records the parts of one response in the order of arrival. */
const REORDERED = /^0\.(8\.0\/parallel|80\.0\/chat)$/;

describe("the live conversation ends like what the program sent last", () => {
  const all = trees.filter(({ name }) => !REORDERED.test(name));

  test.each(all)("$name", (tree) => {
    const { sessions } = readTree(codex, tree);
    for (const session of sessions) {
      const last = lastRequest(tree, session);
      if (!last) continue;
      const items = itemsOf(session).before(last).flatMap(comparable);
      const sent = last.sent.flatMap(comparable);
      expect(sent.length).toBeGreaterThan(0);
      expect(items.slice(-sent.length)).toEqual(sent);
    }
  });
});

interface Request {
  kind: string;
  complete: boolean;
  headers: Record<string, string>;
  sent: string[];
  callsSent?: { id: string }[];
}

function lastRequest(tree: CorpusTree<"codex">, { id, messages }: Session): Request | undefined {
  // A reviewer's requests have the id of the thread that asked for the review.
  if (messages.length === 0 || tree.scenario === "review") return undefined;
  const requests = tree.truth().requests as unknown as Request[];
  return requests.findLast(({ kind, complete, headers }) => {
    const threadId = headers["thread-id"] ?? headers["thread_id"] ?? headers["session_id"];
    return complete && threadId === id && kind !== "title" && kind !== "compact";
  });
}

const NOT_COMPARED = /^(…|reasoning|compaction|configuration_update|additional_tools)$/;

/** One line per item of the history, without items that are in no file or have no text. */
function comparable(item: string): string[] {
  if (NOT_COMPARED.test(item)) return [];
  if (/^(agent_message|user: Message Type: )/.test(item)) return ["agent message"];
  const text = item
    .replace(/^developer: /, "user: ")
    .replace(/<image[^>]*>|<\/image>|\[image\]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  // Up to 0.31 the context before the first prompt is not recorded; 0.50 puts its summary into a
  // text
  // of its own.
  if (/^user: <(environment_context> Current|user_instructions> # House)/.test(text)) return [];
  if (/^user: (You were originally given|SUMMARY: )/.test(text)) return ["summary"];
  return [text.slice(0, 60)];
}

describe("agents", () => {
  const withAgents = trees.filter((tree) => subagentRequests(truthOf(tree)).size > 0);

  test.each(withAgents)("$name: each is a session, linked to the call that started it", (tree) => {
    const { sessions } = readTree(codex, tree);
    const linked = linkSessions(sessions.map((session) => rowsOf(session, () => []))).sessions;
    const agents = linked.filter(({ summary }) => summary.kind === "subagent");
    const truth = truthOf(tree);
    const threads = [...subagentRequests(truth).keys()];
    expect(agents.map(({ summary }) => summary.id).toSorted()).toEqual(threads.toSorted());
    const spawned = truth.toolCalls.filter(({ name }) => name === "spawn_agent");
    const calls = agents.map(({ summary }) => summary.parentCallId ?? "");
    expect(calls.toSorted()).toEqual(spawned.map(({ id }) => id).toSorted());
    for (const { summary } of agents) {
      expect(summary.prompts).toBe(0);
      expect(summary.parentId).toBe(
        linked.find((entry) => entry.summary.kind === "main")?.summary.id,
      );
    }
  });
});

describe('depth "outline" gives the same rows', () => {
  test.each(trees)("$name", (tree) => {
    const rowsAt = (depth: "full" | "outline") => {
      return readTree(codex, tree, depth).sessions.map((session) => rowsOf(session, commandsIn));
    };
    expect(rowsAt("outline")).toEqual(rowsAt("full"));
  });
});

function commandsIn(line: string): string[] {
  return line.split(/\s+/);
}
