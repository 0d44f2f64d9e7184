import { describe, expect, test } from "vitest";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";

const DAY = 86_400;
const NOW = Date.UTC(2026, 1, 20, 12);

/** Replies 0, 3, 12 and 40 days before 20 February. */
function sample() {
  const ago = (days: number): number => 10 * DAY - days * DAY;
  const shell = call("c1", "run_shell_command", { args: { command: "npm test" }, output: "x" });
  return homeWith({
    "chats/session-a.jsonl": jsonl(
      header("s1"),
      user("u1", ago(40), "hi"),
      { ...model("g0", ago(40), { text: "old", tokens: counts(100) }) },
      model("g1", ago(12), { text: "b", tokens: counts(200), model: "gemini-2.5-flash" }),
      model("g2", ago(3), { tokens: counts(300), toolCalls: [shell] }),
      model("g3", ago(0), { text: "d", tokens: counts(400) }),
    ),
  }).library;
}

const counts = (input: number): object => {
  return { input, output: 0, cached: 0, thoughts: 0, tool: 0, total: input };
};

describe("the overview", () => {
  test("contains periods that end today", async () => {
    const { periods } = await sample().overview(NOW, "UTC");
    const actual = Object.entries(periods).map(([name, { requests, tokens, since }]) => {
      return [name, requests, tokens.total, since];
    });
    expect(actual).toEqual([
      ["today", 1, 400, "2026-02-20"],
      ["last7Days", 2, 700, "2026-02-14"],
      ["last30Days", 3, 900, "2026-01-22"],
      ["thisMonth", 3, 900, "2026-02-01"],
      ["all", 4, 1000, null],
    ]);
  });

  test("contains thirty days, including empty ones, that add up to the period", async () => {
    const { days, periods } = await sample().overview(NOW, "UTC");
    expect(days).toHaveLength(30);
    expect(days[0]?.key).toBe("2026-01-22");
    expect(days.at(-1)).toMatchObject({ key: "2026-02-20", requests: 1 });
    const total = days.reduce((sum, { tokens }) => sum + tokens.total, 0);
    expect(total).toBe(periods.last30Days.tokens.total);
  });

  test("ranks by cost in the last 30 days", async () => {
    const { models, projects, tools, shell, topPeriod } = await sample().overview(NOW, "UTC");
    expect(topPeriod).toBe("last30Days");
    expect(models.map(({ key, requests }) => [key, requests])).toEqual([
      ["gemini-3-pro-preview", 2],
      ["gemini-2.5-flash", 1],
    ]);
    expect(projects).toMatchObject([{ label: "ledger", requests: 3 }]);
    expect(tools).toMatchObject([{ name: "Bash", calls: 1 }]);
    expect(shell).toEqual([{ command: "npm", calls: 1 }]);
  });

  test("ranks over all time if nothing happened in the last 30 days", async () => {
    const { topPeriod, models, periods } = await sample().overview(Date.UTC(2027, 0), "UTC");
    expect(topPeriod).toBe("all");
    expect(models[0]?.requests).toBe(3);
    expect(periods.last30Days).toMatchObject({ requests: 0, costMicroUsd: 0 });
  });

  test("warns of sessions that will be deleted", async () => {
    const { atRisk } = await sample().overview(NOW + 30 * DAY * 1000, "UTC");
    expect(atRisk).toMatchObject([{ sessionId: "s1", why: "age" }]);
  });
});
