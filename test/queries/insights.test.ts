import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/core/session/message.ts";
import type { Session } from "../../src/core/session/session.ts";
import type { ToolCall, ToolCategory } from "../../src/core/session/tool-call.ts";
import type { WorkReply } from "../../src/core/rows/session-work.ts";
import type { UsageFact } from "../../src/core/usage/usage-fact.ts";
import { WorkReader } from "../../src/ingest/session-work.ts";
import type { Finding, InsightsAnswer } from "../../src/queries/insights/insights.ts";
import { Insights, workedSession } from "../../src/queries/insights/insights.ts";
import { rules } from "../../src/queries/insights/index.ts";
import { PriceBook } from "../../src/queries/prices/prices.ts";
import { fileEditsOf } from "../../src/sources/decoding/file-edits.ts";
import { fact } from "../contracts/store-samples.ts";

const PRICES = new PriceBook();
const NEAR = { file: "/s.jsonl", line: 1, start: 0, end: 1 };

interface Step {
  author?: Message["author"];
  calls?: Partial<ToolCall>[];
  usage?: Partial<UsageFact>;
  more?: Partial<Message>;
}

/** Applies all rules to a session of these steps. */
function look(
  steps: readonly Step[],
  { compressions = [] }: Partial<Pick<Session, "compressions">> = {},
): InsightsAnswer {
  const id = "s1";
  const messages = steps.map(({ author = "model", calls = [], more }, at): Message => ({
    id: `m${at}`,
    author,
    text: "said",
    isPrompt: author === "user",
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: calls.map((call, number) => callOf(call, `c${at}-${number}`)),
    results: [],
    attachments: [],
    hasRecordedCalls: true,
    form: "text",
    signature: `m${at}`,
    partSignatures: [],
    place: NEAR,
    places: [NEAR],
    standing: "live",
    ...more,
  }));
  const usage = steps.flatMap((step, at): UsageFact[] => {
    if (!step.usage) return [];
    const when = new Date(Date.UTC(2026, 4, 1, 10, at)).toISOString();
    const own = { model: "claude-sonnet-4-5-20250929", at: when, ...step.usage };
    return [fact(id, `m${at}`, own)];
  });
  const work = new WorkReader(fileEditsOf);
  for (const message of messages) work.add(message);
  const row = { source: "agent", id, projectPath: null, startedMs: null };
  const worked = { ...row, replies: usage.map(replyOf) };
  const insights = new Insights();
  insights.add(workedSession(worked, work.end(usage, compressions), PRICES));
  return insights.answer({ period: { since: null, until: null }, meant: 1, prices: PRICES });
}

function replyOf(paid: UsageFact, position: number): WorkReply {
  const { at = "", model = null, purpose = null, tier = null } = paid;
  return { ...paid, position, atMs: Date.parse(at), model, purpose, tier };
}

function callOf(call: Partial<ToolCall>, id: string): ToolCall {
  const label = call.label ?? "Bash";
  const category: ToolCategory = call.category ?? "Execute";
  return {
    id,
    name: label,
    label,
    canonical: label,
    category,
    args: {},
    outcome: "success",
    ...call,
  };
}

function finding(answer: InsightsAnswer, id: string): Finding {
  const found = answer.findings.find((each) => each.id === id);
  if (!found) throw new RangeError(`No rule ${id}.`);
  return found;
}

const PROMPT: Step = { author: "user" };
const edit = (before: string, after: string): Partial<ToolCall> => ({
  label: "Edit",
  category: "Edit",
  args: { file_path: "/a.ts", old_string: before, new_string: after },
  files: [{ path: "/a.ts", how: "edited" }],
});
const FAILED: Partial<ToolCall> = { outcome: "error" };

describe("insights", () => {
  test("the guide explains every rule with its thresholds", () => {
    const page = readFileSync("docs/guide/insights.md", "utf8");
    for (const { id, threshold } of rules) {
      const section = page.split(`\n## \`${id}\`\n`)[1]?.split("\n## ")[0] ?? "";
      expect(section, id).not.toBe("");
      for (const number of Object.values(threshold).filter((each) => each > 1)) {
        expect(section, id).toContain(number.toLocaleString("en"));
      }
    }
  });

  test("kinds of work: every turn has one kind, and all spending is attributed", () => {
    const read: Partial<ToolCall> = { label: "Read", category: "Read" };
    const answer = look([
      PROMPT,
      { usage: {} },
      PROMPT,
      { usage: {}, calls: [read] },
      PROMPT,
      { usage: {}, calls: [read, edit("a", "b")] },
      PROMPT,
      { usage: {}, calls: [FAILED] },
      PROMPT,
      { usage: {}, calls: [edit("b", "c")] },
      { usage: { messageId: "beside" } },
    ]);
    const kinds = answer.kinds.map(({ kind, turns, requests }) => [kind, turns, requests]);
    expect(kinds).toEqual([
      ["asking", 1, 1],
      ["exploring", 1, 1],
      ["editing", 1, 1],
      ["running", 1, 1],
      ["fixing", 1, 1],
      ["other", 0, 1],
    ]);
    expect(answer.kinds.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(answer.totals.tokens);
  });

  test("cache-misses: names the likely cause, and counts replies without cache data", () => {
    const large = { input: 20_000, cached: 0 };
    const answer = look([
      { usage: large },
      { usage: { input: 20_000, cached: 19_000 } },
      { usage: large },
      { usage: { ...large, model: "claude-haiku-4-5-20251001" } },
      { usage: { ...large, model: "claude-haiku-4-5-20251001", at: "2026-05-01T12:00:00.000Z" } },
      { usage: { ...large, model: "claude-haiku-4-5-20251001", at: "2026-05-04T13:00:00.000Z" } },
      { usage: { input: 20_000, cached: null } },
      { usage: { input: 9_000, cached: 0 } },
    ]);
    const { count, evidence, undecided } = finding(answer, "cache-misses");
    expect(count).toBe(4);
    expect(evidence.map(({ messageId, what }) => `${messageId} ${what}`)).toEqual([
      "m2 changed context",
      "m3 model switch from claude-sonnet-4-5-20250929",
      "m4 pause of 117 minutes",
      "m5 pause of 3 days",
    ]);
    expect(undecided?.count).toBe(1);
  });

  test("context-growth: counts requests after the prompt became large", () => {
    const grown = look([
      { usage: { input: 10_000 } },
      { usage: { input: 99_999 } },
      { usage: { input: 100_000 } },
      { usage: { input: 150_000 } },
    ]);
    const found = finding(grown, "context-growth");
    expect([found.count, found.spent?.requests]).toEqual([1, 2]);
    expect(found.evidence[0]).toMatchObject({
      messageId: "m2",
      what: "from 10000 to 150000 tokens",
    });
    const large = look([{ usage: { input: 90_000 } }, { usage: { input: 120_000 } }]);
    expect(finding(large, "context-growth").count).toBe(0);
  });

  test("rewound-work and compressed-work: report their cost", () => {
    const answer = look(
      [{ usage: {} }, { usage: { standing: "rewound" } }, { usage: { purpose: "compression" } }],
      { compressions: [{ how: "summary", messageId: "m2" }, { how: "notice" }] },
    );
    const rewound = finding(answer, "rewound-work");
    expect([rewound.count, rewound.share, rewound.evidence[0]?.messageId]).toEqual([
      1,
      0.333,
      "m1",
    ]);
    const compressed = finding(answer, "compressed-work");
    expect([compressed.count, compressed.spent?.requests]).toEqual([2, 1]);
    expect(compressed.undecided?.count).toBe(1);
  });

  test("failed-calls: only tools that are used often and fail often", () => {
    const calls = [FAILED, {}, {}, {}, {}];
    expect(finding(look([{ calls }]), "failed-calls")).toMatchObject({ count: 1, spent: null });
    expect(finding(look([{ calls: [...calls, {}] }]), "failed-calls").count).toBe(0);
    expect(finding(look([{ calls: [FAILED, FAILED] }]), "failed-calls").count).toBe(0);
  });

  test("repeated-calls: identical calls without an edit in between", () => {
    const same = { args: { command: "npm test" } };
    expect(finding(look([{ calls: [same, same, same] }]), "repeated-calls").count).toBe(2);
    const between = look([{ calls: [same, same, edit("a", "b"), same] }]);
    expect(finding(between, "repeated-calls").count).toBe(0);
  });

  test("undone-edits: an edit that was reverted", () => {
    const back = look([{ calls: [edit("a", "b")] }, { calls: [edit("b", "a")] }]);
    expect(finding(back, "undone-edits")).toMatchObject({
      count: 1,
      evidence: [{ messageId: "m0", what: "/a.ts was changed and changed back" }],
    });
    const on = look([{ calls: [edit("a", "b")] }, { calls: [edit("b", "c")] }]);
    expect(finding(on, "undone-edits").count).toBe(0);
  });

  test("costly-files: by the characters passed to the model", () => {
    const read = (output?: string): Partial<ToolCall> => ({
      label: "Read",
      category: "Read",
      files: [{ path: "/big.ts", how: "read" }],
      ...(output === undefined ? {} : { output }),
    });
    const text = "x".repeat(25_000);
    const answer = look([{ calls: [read(text), read(text), read()] }]);
    const { count, evidence, undecided } = finding(answer, "costly-files");
    expect([count, evidence[0]?.what]).toEqual([1, "/big.ts: 3 times, 50000 characters"]);
    expect(undecided?.count).toBe(1);
    expect(finding(look([{ calls: [read(text), read(text)] }]), "costly-files").count).toBe(0);
  });
});
