import { describe, expect, test } from "vitest";
import type { Grouping } from "../../src/queries/usage/groupings.ts";
import { GROUPINGS } from "../../src/queries/usage/groupings.ts";
import { addNullable } from "../../src/core/usage/usage-facts.ts";
import type { Sums } from "../../src/queries/usage/tally.ts";
import type { UsageReport, UsageRow } from "../../src/queries/usage/usage.ts";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";

const SUB = "1111aaaa-0000-4000-8000-000000000000";

const MARCH = "2026-03-05T00:00:00.000Z";

const counts = (input: number): object => {
  return { input, output: 20, cached: 100, thoughts: 30, tool: 0, total: input + 50 };
};

/** Two sessions and a subagent: a rewound turn, several models, tools, MCP, an unknown price. */
function smallHome() {
  const shell = call("c1", "run_shell_command", { args: { command: "npm test" }, output: "ok" });
  const issue = call("c2", "mcp_github_list_issues", { output: "none" });
  const agent = call("c3", "invoke_agent", { output: "done", agentId: SUB, seconds: 2_000_015 });
  return homeWith({
    "chats/session-a.jsonl": jsonl(
      header("main-1"),
      user("u1", 0, "fix the tests"),
      model("g1", 10, { toolCalls: [shell, issue] }),
      model("g2", 20, { text: "done", model: "gemini-2.5-flash" }),
      user("u2", 30, "never mind"),
      model("g3", 40, "well"),
      { $rewindTo: "u2" },
    ),
    "chats/session-b.jsonl": jsonl(
      header("main-2", { startTime: MARCH, lastUpdated: MARCH }),
      user("u3", 2_000_000, "ask an agent"),
      model("g4", 2_000_010, { toolCalls: [agent], tokens: counts(500) }),
      model("g5", 2_000_020, { text: "there", model: "my-own-model", tokens: counts(600) }),
      {
        ...model("g6", 2_000_030, { text: "no time and no model", tokens: counts(550) }),
        timestamp: undefined,
        model: undefined,
      },
    ),
    [`chats/main-2/${SUB}.jsonl`]: jsonl(
      header(SUB, { kind: "subagent", startTime: MARCH, lastUpdated: MARCH }),
      user("u4", 2_000_011, "look around"),
      model("g7", 2_000_012, {
        text: "seen",
        model: "gemini-2.5-flash-lite",
        tokens: counts(700),
      }),
    ),
  });
}

/** A count that is unknown in every row is unknown in their sum. */
function sumOf(rows: readonly UsageRow[]): Omit<Sums, "sessions" | "isAtLeast"> {
  const sum = { requests: 0, tokens: {} as Record<string, number | null>, cost: 0, unpriced: 0 };
  const webSearches = rows.reduce<number | null>(
    (all, row) => addNullable(all, row.webSearches),
    null,
  );
  for (const row of rows) {
    sum.requests += row.requests;
    sum.cost += row.costMicroUsd ?? 0;
    sum.unpriced += row.unpricedRequests;
    for (const [name, count] of Object.entries(row.tokens)) {
      sum.tokens[name] = addNullable(sum.tokens[name] ?? null, count);
    }
  }
  const { requests, tokens, cost, unpriced } = sum;
  return {
    requests,
    webSearches,
    tokens: tokens as unknown as Sums["tokens"],
    costMicroUsd: cost,
    unpricedRequests: unpriced,
  };
}

/** Checks that every row adds up, and that rows add up to their parent. */
function expectToAddUp(report: UsageReport): void {
  const { sessions: _count, isAtLeast: _told, ...totals } = report.totals;
  const all = report.others ? [...report.rows, report.others] : report.rows;
  const tokens = all.length === 0 ? {} : totals.tokens;
  const webSearches = all.length === 0 ? null : totals.webSearches;
  expect(sumOf(all)).toEqual({
    ...totals,
    tokens,
    webSearches,
    costMicroUsd: totals.costMicroUsd ?? 0,
  });
  for (const row of [...report.rows, ...report.rows.flatMap(({ rows }) => rows ?? [])]) {
    const { input, fresh, cached, cacheWrite, output, thoughts, tool, total } = row.tokens;
    const cache = (cached ?? 0) + (cacheWrite ?? 0);
    expect(fresh + cache + output + (thoughts ?? 0)).toBe(total);
    expect(input - cache + (tool ?? 0)).toBe(fresh);
    if (!row.rows) continue;
    const below = sumOf(row.rows);
    expect(below).toMatchObject({ requests: row.requests, tokens: row.tokens });
    expect(below.costMicroUsd).toBe(row.costMicroUsd ?? 0);
  }
}

const keysOf = ({ rows }: UsageReport): string[] => rows.map(({ key }) => key);

describe("usage", () => {
  test("counts rewound replies and subagents", async () => {
    const { totals, takenBack, subagents } = await smallHome().library.usage();
    expect(totals).toMatchObject({ sessions: 3, requests: 7, unpricedRequests: 2 });
    expect(takenBack).toMatchObject({ requests: 1, tokens: 1090 });
    expect(subagents).toMatchObject({ mode: "separate", sessions: 1, requests: 1 });
  });

  test.each<[Grouping, string[]]>([
    ["day", ["2026-02-10", "2026-03-05"]],
    ["month", ["2026-02", "2026-03"]],
    ["week", ["2026-W07", "2026-W10"]],
    ["hour", ["2026-02-10T17", "2026-03-05T00", "2026-03-05T21"]],
    ["session", ["main-1", "main-2", SUB]],
    ["agent", ["gemini-cli"]],
    ["kind", ["main", "subagent"]],
    ["status", ["success"]],
    ["project", ["/home/ada/projects/ledger"]],
    [
      "model",
      [
        "gemini-3-pro-preview",
        "gemini-2.5-flash",
        "gemini-2.5-flash-lite",
        "my-own-model",
        "unknown",
      ],
    ],
    ["tool", ["no tool", "mcp_github_list_issues + run_shell_command", "invoke_agent"]],
    ["mcp", ["no MCP server", "github"]],
  ])("is grouped by %s", async (by, keys) => {
    const report = await smallHome().library.usage({ by: [by], timezone: "UTC" });
    expect(keysOf(report)).toEqual(keys);
    expect(report.by).toBe(by);
    expectToAddUp(report);
  });

  test("is grouped by root", async () => {
    const { library, folder } = smallHome();
    expect(keysOf(await library.usage({ by: ["root"] }))).toEqual([`${folder}/.gemini`]);
  });

  test("has the same totals for every grouping", async () => {
    const { library } = smallHome();
    const { totals } = await library.usage();
    for (const first of GROUPINGS) {
      for (const second of GROUPINGS) {
        if (first === second) continue;
        const report = await library.usage({ by: [first, second], limit: 2 });
        expect(report.totals).toEqual(totals);
        expectToAddUp(report);
      }
    }
  });

  test("rolls subagents up on request", async () => {
    const { library } = smallHome();
    const report = await library.usage({ by: ["session"], subagents: "rolled-up" });
    expect(report.rows.map(({ key, requests, sessions }) => [key, requests, sessions])).toEqual([
      ["main-1", 3, 1],
      ["main-2", 4, 1],
    ]);
    expect(report.totals.sessions).toBe(2);
    expect(report.subagents.mode).toBe("rolled-up");
  });

  test("shows models without a price with their tokens and an unknown cost", async () => {
    const { rows, unpriced, totals } = await smallHome().library.usage({ by: ["model"] });
    const own = rows.find(({ key }) => key === "my-own-model");
    expect(own).toMatchObject({ costMicroUsd: null, requests: 1, unpricedRequests: 1 });
    expect(own?.tokens.total).toBe(650);
    expect(unpriced.map((row) => [row.model, row.why])).toEqual([
      ["my-own-model", "it is not in the price table"],
      [null, "no model was recorded"],
    ]);
    expect(totals.costMicroUsd).toBeGreaterThan(0);
  });

  test.each([
    [{ project: "LEDGER" }, 7],
    [{ project: "other" }, 0],
    [{ model: "flash" }, 2],
    [{ model: "unknown" }, 1],
    [{ session: "main-2" }, 4],
    [{ session: "main-1" }, 3],
    [{ session: "latest" }, 4],
    [{ status: "success" }, 7],
    [{ status: "failure" }, 0],
    [{ source: "gemini-cli" }, 7],
    [{ source: "gemini" }, 7],
    [{ sinceMs: Date.UTC(2026, 2, 1) }, 4],
    [{ untilMs: Date.UTC(2026, 2, 1) }, 3],
    [{ sinceMs: Date.UTC(2026, 1, 10, 17, 28, 20), untilMs: Date.UTC(2026, 1, 10, 17, 28, 40) }, 1],
  ])("is filtered by %o", async (filter, requests) => {
    const report = await smallHome().library.usage({ by: ["model"], ...filter });
    expect(report.totals.requests).toBe(requests);
    expectToAddUp(report);
  });

  test("refuses an unknown agent instead of returning an empty answer", async () => {
    const { library } = smallHome();
    await expect(library.usage({ source: "other" })).rejects.toThrow('Unknown agent "other"');
  });

  test("is sorted and limited, with the rest in one row", async () => {
    const { library } = smallHome();
    const byKey = await library.usage({ by: ["model"], sort: "key", limit: 2 });
    expect(keysOf(byKey)).toEqual(["gemini-2.5-flash", "gemini-2.5-flash-lite"]);
    expect(byKey.others).toMatchObject({ groups: 3, requests: 5, label: "3 more" });
    const byRequests = await library.usage({ by: ["model"], sort: "requests", limit: 1 });
    expect(keysOf(byRequests)).toEqual(["gemini-3-pro-preview"]);
    const newest = await library.usage({ by: ["day"], limit: 1 });
    expect(keysOf(newest)).toEqual(["2026-03-05"]);
  });

  test("groups replies without a time as unknown, and notes that no period contains them", async () => {
    const { library } = homeWith({
      "chats/session-a.jsonl": jsonl(
        { sessionId: "s1", projectHash: "cafe" },
        { ...model("g1", 1, "hm"), timestamp: undefined },
        model("g2", 2, "hm"),
      ),
    });
    // The session's start is taken from the reply that has a time.
    expect(keysOf(await library.usage({ by: ["day"] }))).toEqual(["2026-02-10"]);
    const timeless = homeWith({
      "chats/session-a.jsonl": jsonl(
        { sessionId: "s1", projectHash: "cafe" },
        { ...model("g1", 1, "hm"), timestamp: undefined },
      ),
    }).library;
    const report = await timeless.usage({ by: ["month"] });
    expect(keysOf(report)).toEqual(["unknown"]);
    const period = await timeless.usage({ sinceMs: 0 });
    expect(period.totals.requests).toBe(0);
    expect(period.notes.join(" ")).toContain("1 requests have no time");
  });

  test("notes what is in no session file, and what old versions lost", async () => {
    const { notes } = await smallHome().library.usage();
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain("lower bound");
    const old = homeWith({
      "chats/session-2025-11-01T10-00-aaaa.json": JSON.stringify(
        { ...header("s1"), kind: undefined, messages: [model("g1", 1, "hm")] },
        undefined,
        2,
      ),
    }).library;
    expect((await old.usage()).notes[1]).toMatch(/^1 session written by versions up to 0\.31/);
  });

  test("begins days in the requested time zone", async () => {
    const { library } = homeWith({
      "chats/session-a.jsonl": jsonl(
        header("s1"),
        { ...model("g1", 1, "a"), timestamp: "2026-02-10T22:30:00Z" },
        { ...model("g2", 2, "b"), timestamp: "2026-02-10T23:30:00Z" },
      ),
    });
    const inZone = async (timezone: string) => keysOf(await library.usage({ timezone }));
    expect(await inZone("UTC")).toEqual(["2026-02-10"]);
    expect(await inZone("Europe/Berlin")).toEqual(["2026-02-10", "2026-02-11"]);
    await expect(inZone("Mars/Olympus")).rejects.toThrow("Mars/Olympus");
  });

  test("groups a model under one name, with or without the API's prefix", async () => {
    const { library } = homeWith({
      "chats/session-a.jsonl": jsonl(
        header("s1"),
        model("g1", 10, { text: "a", model: "gemini-2.5-pro" }),
        model("g2", 20, { text: "b", model: "models/gemini-2.5-pro", tokens: counts(500) }),
        model("g3", 30, { text: "c", model: "models/mine", tokens: counts(600) }),
        model("g4", 40, { text: "d", model: "mine", tokens: counts(700) }),
      ),
    });
    const { rows, unpriced } = await library.usage({ by: ["model"] });
    const actual = rows.map(({ key, requests, unpricedRequests }) => [
      key,
      requests,
      unpricedRequests,
    ]);
    expect(actual).toEqual([
      ["gemini-2.5-pro", 2, 0],
      ["mine", 2, 2],
    ]);
    expect(unpriced.map((row) => [row.model, row.requests])).toEqual([["mine", 2]]);
    const recorded = (await library.explain("g2")).requests.map((row) => row.model);
    expect(recorded).toEqual(["models/gemini-2.5-pro"]);
  });
});
