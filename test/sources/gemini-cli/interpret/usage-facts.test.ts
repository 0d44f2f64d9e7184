import { describe, expect, test } from "vitest";
import { call, header, homeWith, jsonl, model, user } from "../../../samples/home.ts";

async function usageOf(...records: object[]) {
  return homeWith({ "chats/session-a.jsonl": jsonl(header("s1"), ...records) }).library.usage({
    by: ["model"],
  });
}

describe("invalid token counts", () => {
  test.each([
    ["negative", { input: -5, output: 10, cached: 0, thoughts: 0, tool: 0, total: 1000 }],
    ["text", { input: "many", output: 10, cached: 0, thoughts: 0, tool: 0, total: 1000 }],
    ["huge", { input: 1e15, output: 10, cached: 0, thoughts: 0, tool: 0, total: 1000 }],
    ["broken", { input: 1.5, output: 10, cached: 0, thoughts: 0, tool: 0, total: 1000 }],
  ])("are reported and derived from the total: %s", async (_what, tokens) => {
    const report = await usageOf(model("g1", 1, { text: "hi", tokens }));
    expect(report.totals.tokens).toMatchObject({ input: 990, output: 10, total: 1000 });
    const codes = report.coverage.diagnostics.map(({ code }) => code);
    expect(codes).toContain("bad-tokens");
    expect(codes).toContain("odd-tokens");
    expect(report.coverage).toMatchObject({ requests: 1, rejected: 1, oddRequests: 1 });
  });

  test("are never counted as output", async () => {
    const tokens = { input: "100", cached: 0, thoughts: 0, tool: 0, total: 105 };
    const report = await usageOf(model("g1", 1, { text: "hi", tokens }));
    expect(report.totals.tokens).toMatchObject({ input: 105, output: 0, total: 105 });
    expect(report.coverage.rejected).toBe(1);
  });

  test("do not make a request if nothing is left", async () => {
    const report = await usageOf(model("g1", 1, { tokens: { input: "x", total: null } }));
    expect(report.totals.requests).toBe(0);
    expect(report.coverage.rejected).toBe(1);
  });
});

describe("the tokens of a session", () => {
  const odd = [
    { input: 100, cached: 200, output: 50, thoughts: 20, tool: 0, total: 150 },
    { input: "7", cached: 0, output: 5, thoughts: 0, tool: 0, total: 105 },
    { input: 100, cached: 0, output: 5, thoughts: 0, tool: 0, total: 0 },
    { input: 100, cached: 0, output: 0, thoughts: 0, tool: 0, total: 190 },
  ];

  test("are the same in lists and reports, even for inconsistent counts", async () => {
    const replies = odd.map((tokens, n) => model(`g${n}`, n, { text: "x", tokens }));
    const { library } = homeWith({ "chats/session-a.jsonl": jsonl(header("s1"), ...replies) });
    const { totals } = await library.usage({ by: ["session"] });
    const { fresh: _new, cacheWrite1h: _part, ...sums } = totals.tokens;
    expect((await library.sessions()).sessions[0]?.tokens).toEqual(sums);
    expect(sums).toEqual({
      input: 400,
      cached: 100,
      cacheWrite: null,
      output: 130,
      thoughts: 20,
      tool: 0,
      total: 550,
    });
  });

  test("are unknown if no reply recorded them", async () => {
    const reply = model("g1", 1, { text: "x", tokens: { input: 5, output: 2, total: 7 } });
    const { library } = homeWith({ "chats/session-a.jsonl": jsonl(header("s1"), reply) });
    const known = { input: 5, output: 2, total: 7 };
    const unknown = { cached: null, cacheWrite: null, thoughts: null, tool: null };
    expect((await library.sessions()).sessions[0]?.tokens).toEqual({ ...known, ...unknown });
  });
});

describe("facts", () => {
  test("have the place of the counts, not of a copy without them", async () => {
    const { library, folder } = homeWith({
      "chats/session-a.jsonl": jsonl(
        header("s1"),
        user("u1", 0, "hi"),
        model("g1", 1, { text: "", tokens: null }),
        model("g1", 1, "done"),
        { $set: { messages: [{ id: "g1", type: "gemini", content: [{ text: "done" }] }] } },
      ),
    });
    const { requests } = await library.explain("g1");
    expect(requests).toHaveLength(1);
    expect(requests[0]?.place).toEqual({
      file: `${folder}/.gemini/tmp/ledger/chats/session-a.jsonl`,
      line: 4,
    });
    expect(requests[0]?.repeatedAt.map(({ line }) => line)).toEqual([3, 5]);
  });

  test("identify a reply without an id by its time, model and counts", async () => {
    const reply = { ...model("x", 5, "hello"), id: undefined };
    const twice = jsonl(header("s1"), user("u1", 0, "hi"), reply, user("u2", 9, "again"), reply);
    const { library } = homeWith({ "chats/session-a.jsonl": twice });
    const keys: string[] = [];
    for await (const record of library.calls()) keys.push(record.dedup_key);
    expect(keys).toEqual([
      "gemini:s1:2026-02-10T17:28:05.000Z:gemini-3-pro-preview:1005:600:20:30:0:1055",
    ]);
  });

  test("have the duration of a tool call if its start is known", async () => {
    const merged = [
      call("c1", "read_file", { args: { file_path: "a" }, output: "x", seconds: 3 }),
      call("c2", "glob", { args: { pattern: "b" }, output: "x", seconds: 9 }),
    ];
    const { library } = homeWith({
      "chats/session-a.jsonl": jsonl(header("s1"), model("g1", 1, { toolCalls: merged })),
    });
    const { tools } = await library.tools();
    expect(tools.map(({ name, time }) => [name, time])).toEqual([
      ["glob", null],
      ["read_file", { calls: 1, totalMs: 2000, longestMs: 2000 }],
    ]);
  });
});
