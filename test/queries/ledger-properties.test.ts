// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GROUPINGS } from "../../src/queries/usage/groupings.ts";
import type { UsageReport } from "../../src/queries/usage/usage.ts";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";

/**
 * A reply is counted once, however often and wherever it is recorded. Each test writes the same
 * replies in another way and expects the same sums.
 */

const MODELS = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-3-pro-preview", "no-such-model"];
const TOOLS = ["read_file", "run_shell_command", "mcp_github_list_issues"];

interface Reply {
  model: string;
  tokens: Record<string, number>;
  tools: string[];
  isAnswered: boolean;
}

const count = fc.nat({ max: 300_000 });
const replies: fc.Arbitrary<Reply[]> = fc.array(
  fc.record({
    model: fc.constantFrom(...MODELS),
    tokens: fc
      .record({ input: count, cached: count, output: count, thoughts: count, tool: count })
      .map(({ input, cached, output, thoughts, tool }) => {
        // No two requests have the same prompt: equal ones look like two reports of one request.
        const total = input + output + thoughts + tool;
        return { input, cached: Math.min(cached, input), output, thoughts, tool, total };
      }),
    tools: fc.subarray(TOOLS),
    isAnswered: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

/** The records of one session: prompts, replies, and replies again after their tool calls. */
function recordsOf(recorded: readonly Reply[]): object[] {
  return recorded.flatMap((reply, at) => {
    const seconds = at * 10;
    const text = reply.isAnswered ? `answer ${at}` : "";
    const tokens = { ...reply.tokens, input: (reply.tokens["input"] ?? 0) + at + 1 };
    const total = { ...tokens, total: (reply.tokens["total"] ?? 0) + at + 1 };
    const first = model(`g${at}`, seconds + 1, { text, model: reply.model, tokens: total });
    const calls = reply.tools.map((name, index) =>
      call(`c${at}-${index}`, name, { args: { command: "ls" }, output: "x", seconds: seconds + 2 }),
    );
    const prompt = user(`u${at}`, seconds, `prompt ${at}`);
    return calls.length === 0 ? [prompt, first] : [prompt, first, { ...first, toolCalls: calls }];
  });
}

type Files = Record<string, string>;

/** The sums that must not change: requests, tokens and cost, by model. */
async function sumsOf(files: Files): Promise<unknown> {
  const report = await homeWith(files).library.usage({ by: ["model"] });
  const { requests, tokens, costMicroUsd, unpricedRequests } = report.totals;
  const rows = report.rows.map(({ key, sessions: _sessions, ...row }) => [key, row]);
  return { requests, tokens, costMicroUsd, unpricedRequests, rows };
}

const MAIN = "chats/session-2026-02-10T17-28-aaaa.jsonl";
const plain = (recorded: readonly Reply[]): Files => ({
  [MAIN]: jsonl(header("s1"), ...recordsOf(recorded)),
});

const RUNS = { numRuns: 25 };

describe("sums do not change", () => {
  test("when a session continues in another file", async () => {
    const property = fc.asyncProperty(replies, fc.nat(), async (recorded, cut) => {
      const records = recordsOf(recorded);
      const at = cut % (records.length + 1);
      expect(
        await sumsOf({
          [MAIN]: jsonl(header("s1"), ...records.slice(0, at)),
          "chats/session-2026-02-10T18-00-aaaa.jsonl": jsonl(header("s1"), ...records.slice(at)),
        }),
      ).toEqual(await sumsOf(plain(recorded)));
    });
    await fc.assert(property, RUNS);
  });

  test("when lines are repeated later", async () => {
    const property = fc.asyncProperty(replies, fc.array(fc.nat()), async (recorded, picks) => {
      const records = recordsOf(recorded);
      const again = picks.map((pick) => records[pick % records.length] ?? {});
      expect(await sumsOf({ [MAIN]: jsonl(header("s1"), ...records, ...again) })).toEqual(
        await sumsOf(plain(recorded)),
      );
    });
    await fc.assert(property, RUNS);
  });

  test("when messages are listed again without counts, or rewound", async () => {
    const property = fc.asyncProperty(replies, fc.nat(), async (recorded, pick) => {
      const records = recordsOf(recorded);
      const listed = records.map((record) => {
        return { ...record, tokens: undefined, model: undefined, toolCalls: undefined };
      });
      const rewind = { $rewindTo: `u${pick % recorded.length}` };
      const kept = listed.slice(0, pick % listed.length);
      expect(
        await sumsOf({ [MAIN]: jsonl(header("s1"), ...records, { $set: { messages: kept } }) }),
      ).toEqual(await sumsOf(plain(recorded)));
      expect(await sumsOf({ [MAIN]: jsonl(header("s1"), ...records, rewind) })).toEqual(
        await sumsOf(plain(recorded)),
      );
    });
    await fc.assert(property, RUNS);
  });

  test("when folders are copied, and a document has a twin", async () => {
    const property = fc.asyncProperty(replies, fc.nat(), async (recorded, cut) => {
      const records = recordsOf(recorded);
      const messages = records.slice(0, cut % (records.length + 1));
      const legacy = { ...header("s1"), messages };
      expect(
        await sumsOf({
          ...plain(recorded),
          "../ledger-1/chats/session-2026-02-10T17-28-aaaa.jsonl": jsonl(header("s1"), ...records),
          "../cafe/chats/session-2026-02-10T17-28-aaaa.json": JSON.stringify(legacy, null, 2),
        }),
      ).toEqual(await sumsOf(plain(recorded)));
    });
    await fc.assert(property, RUNS);
  });

  test("when sessions are imported, and imports are imported", async () => {
    const property = fc.asyncProperty(replies, fc.boolean(), async (recorded, isTwice) => {
      const records = recordsOf(recorded);
      const imported = (id: string): string =>
        jsonl(
          header(id, { startTime: "2026-02-09T00:00:00Z", hasResumableContent: true }),
          { id: "import-1", type: "info", content: "Imported session from x", timestamp: "" },
          ...records,
        );
      expect(
        await sumsOf({
          ...plain(recorded),
          "chats/session-1770000000000-bbbb.jsonl": imported("s2"),
          ...(isTwice ? { "chats/session-1770000000001-cccc.jsonl": imported("s3") } : {}),
        }),
      ).toEqual(await sumsOf(plain(recorded)));
    });
    await fc.assert(property, RUNS);
  });
});

describe("grouping", () => {
  test("gives the same totals and rows that add up to them, for any keys", async () => {
    const groupings = fc.subarray([...GROUPINGS], { minLength: 1, maxLength: 2 });
    const property = fc.asyncProperty(replies, groupings, async (recorded, [first, second]) => {
      if (!first) return;
      const { library } = homeWith(plain(recorded));
      const by = second ? ([first, second] as const) : ([first] as const);
      const whole = await library.usage();
      const report = await library.usage({ by, limit: 1 + (recorded.length % 4) });
      expect(report.totals).toEqual(whole.totals);
      expectRowsToAddUp(report);
    });
    await fc.assert(property, RUNS);
  });

  test("agrees with explain and with call records", async () => {
    const property = fc.asyncProperty(replies, async (recorded) => {
      const { library } = homeWith(plain(recorded));
      const { totals } = await library.usage();
      const explained = await library.explain("s1");
      const { sessions: _sessions, ...sums } = totals;
      expect(explained.totals).toMatchObject(sums);
      const costs = explained.requests.map(({ costMicroUsd }) => costMicroUsd ?? 0);
      expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(totals.costMicroUsd ?? 0);
      let tokens = 0;
      for await (const record of library.calls()) {
        tokens += record.input_tokens + (record.cached_input_tokens ?? 0) + record.output_tokens;
      }
      expect(tokens).toBe(totals.tokens.total);
    });
    await fc.assert(property, RUNS);
  });
});

function expectRowsToAddUp({ rows, others, totals }: UsageReport): void {
  const all = others ? [...rows, others] : rows;
  const sum = (of: (row: (typeof all)[number]) => number): number =>
    all.reduce((total, row) => total + of(row), 0);
  expect(sum(({ requests }) => requests)).toBe(totals.requests);
  expect(sum(({ tokens }) => tokens.total)).toBe(totals.tokens.total);
  expect(sum(({ tokens }) => tokens.fresh)).toBe(totals.tokens.fresh);
  expect(sum(({ costMicroUsd }) => costMicroUsd ?? 0)).toBe(totals.costMicroUsd ?? 0);
}
