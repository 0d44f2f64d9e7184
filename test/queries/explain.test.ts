import { describe, expect, test } from "vitest";
import { at, header, homeWith, jsonl, model, user } from "../samples/home.ts";

const tier = { input: 250_000, cached: 100_000, output: 10, thoughts: 5, tool: 0, total: 250_015 };

function sample() {
  return homeWith({
    "chats/session-a.jsonl": jsonl(
      header("aaaa-1"),
      user("u1", 0, "hi"),
      model("g1", 5, { text: "a", tokens: tier, model: "gemini-2.5-pro" }),
      model("g1", 5, { text: "a", tokens: tier, model: "gemini-2.5-pro" }),
      user("u2", 6, "never mind"),
      model("g2", 7, { text: "b", model: "my-model", tokens: { input: 5, output: 5, total: 12 } }),
      { $rewindTo: "u2" },
    ),
    "chats/session-1770000000000-bbbb.jsonl": jsonl(
      header("bbbb-2", { hasResumableContent: true }),
      model("g1", 5, { text: "a", tokens: tier, model: "gemini-2.5-pro" }),
      { ...model("g9", 9, "new"), timestamp: "2026-02-11T00:10:00Z" },
    ),
    "chats/aaaa-1/sub1.jsonl": jsonl(
      header("sub1", { kind: "subagent" }),
      model("g8", 8, { text: "c", model: "gemini-3.8-flash" }),
    ),
  });
}

describe("explain", () => {
  test("traces a request to file, line, price and tier", async () => {
    const { library, folder } = sample();
    const { requests, kind, notCounted } = await library.explain("g1");
    const chats = `${folder}/.gemini/tmp/ledger/chats`;
    expect(kind).toBe("message");
    expect(notCounted).toEqual([]);
    expect(requests).toEqual([
      {
        messageId: "g1",
        sessionId: "aaaa-1",
        source: "gemini-cli",
        project: "ledger",
        at: at(5),
        model: "gemini-2.5-pro",
        standing: "live",
        reason: null,
        purpose: null,
        tier: null,
        isAtLeast: false,
        recorded: { ...tier, shape: "cache-inside-input", reasoning: "beside-output" },
        tokens: { ...tier, fresh: 150_000, cacheWrite: null, cacheWrite1h: null },
        webSearches: null,
        remarks: [],
        price: {
          model: "gemini-2.5-pro",
          from: null,
          aboveTokens: 200_000,
          rates: {
            input: 2_500_000,
            cached: 250_000,
            cacheWrite5m: 2_500_000,
            cacheWrite1h: 5_000_000,
            output: 15_000_000,
            thoughts: 15_000_000,
            webSearches: null,
          },
        },
        unpriced: null,
        // 150,000 × 2.5 + 100,000 × 0.25 + 15 × 15
        costMicroUsd: 400_225,
        place: { file: `${chats}/session-a.jsonl`, line: 3 },
        repeatedAt: [{ file: `${chats}/session-a.jsonl`, line: 4 }],
      },
    ]);
  });

  test("explains inconsistent counts and a missing price", async () => {
    const { requests } = await sample().library.explain("g2");
    expect(requests[0]).toMatchObject({
      standing: "rewound",
      reason: "rewind",
      price: null,
      unpriced: "it is not in the price table",
      costMicroUsd: null,
      recorded: { input: 5, output: 5, total: 12 },
      tokens: { output: 7, total: 12 },
    });
    expect(requests[0]?.remarks).toHaveLength(1);
  });

  test("includes the subagents of a session", async () => {
    const { requests, kind, totals } = await sample().library.explain("aaaa");
    expect(kind).toBe("session");
    expect(requests.map(({ messageId }) => messageId).toSorted()).toEqual(["g1", "g2", "g8"]);
    expect(totals).toMatchObject({ requests: 3, unpricedRequests: 1 });
  });

  test("lists replies that an import only repeats", async () => {
    const { requests, notCounted } = await sample().library.explain("bbbb-2");
    expect(requests.map(({ messageId }) => messageId)).toEqual(["g9"]);
    expect(notCounted).toMatchObject([
      { messageId: "g1", why: "counted-in-other-session", recorded: tier, place: { line: 2 } },
    ]);
  });

  test("lists an early report of a request as not counted", async () => {
    const early = { input: 900, output: 1, cached: 0, thoughts: 0, tool: 0, total: 901 };
    const { library } = homeWith({
      "chats/session-2026-02-10T17-28-aaaa.json": JSON.stringify({
        ...header("s1"),
        messages: [
          { ...user("u1", 0, ""), content: "hi" },
          model("g1", 1, "look"),
          { id: "i1", timestamp: at(2), type: "info", content: "note" },
          model("g2", 3, { text: "", tokens: early, toolCalls: [{ id: "c1", name: "glob" }] }),
          model("g3", 4, { text: "done", tokens: { ...early, output: 9, total: 909 } }),
        ],
      }),
    });
    const { requests, notCounted } = await library.explain("s1");
    expect(requests.map(({ messageId }) => messageId)).toEqual(["g1", "g3"]);
    expect(notCounted).toMatchObject([{ messageId: "g2", why: "early-report" }]);
  });

  test.each([
    ["2026-02-10", "UTC", "day", 3],
    ["2026-02-11", "UTC", "day", 1],
    ["2026-02-10", "America/New_York", "day", 4],
    ["2026-02", "UTC", "month", 4],
    ["2026-W07", "UTC", "week", 4],
    ["2026-02-10T17", "UTC", "hour", 3],
    ["2026-02-12", "UTC", "day", 0],
  ])("explains %s in %s as a %s", async (key, timezone, kind, requests) => {
    const answer = await sample().library.explain(key, timezone);
    expect(answer.kind).toBe(kind);
    expect(answer.requests).toHaveLength(requests);
  });

  test("accepts a key in the format of other ledgers", async () => {
    const { requests } = await sample().library.explain("gemini:aaaa-1:g1");
    expect(requests).toHaveLength(1);
  });

  test("refuses unknown and ambiguous names", async () => {
    const { library } = sample();
    await expect(library.explain("nothing")).rejects.toThrow('matches "nothing"');
    await expect(library.explain("")).rejects.toThrow('matches ""');
    await expect(library.explain("g")).rejects.toThrow("matches the ids of 4 messages");
  });
});
