// @module-tag slow
import { expect, test } from "vitest";
import type { Comparison } from "../../src/queries/compare.ts";
import type { InsightsAnswer } from "../../src/queries/insights/insights.ts";
import type { UsageReport } from "../../src/queries/usage/usage.ts";
import { run } from "./run.ts";

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await run([...args, "--demo", "--json"])).out) as T;
}

test("compare gives the usage of each model, with filters", async () => {
  const { sides, delta } = await json<Comparison>("compare", "flash", "pro", "--what", "models");
  const flash = await json<UsageReport>("usage", "--by", "model", "--model", "flash");
  expect(sides[0].totals).toEqual(flash.totals);
  expect(delta.requests).toBe(sides[1].totals.requests - sides[0].totals.requests);
  const narrow = ["--since", "2026-10-20", "--until", "2026-11-10", "--agent", "gemini"];
  const part = await json<Comparison>("compare", "flash", "pro", "--what", "models", ...narrow);
  const ofPart = await json<UsageReport>("usage", "--by", "model", "--model", "flash", ...narrow);
  expect(part.sides[0].totals).toEqual(ofPart.totals);
  expect(part.sides[0].totals.requests).toBeLessThan(sides[0].totals.requests);
  const { out } = await run(["compare", "flash", "pro", "--what", "models", "--demo"]);
  expect(out).toMatch(/^ +flash +pro +difference\n/);
  const wrong = await run(["compare", "soon", "later", "--what", "periods", "--demo"]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("is not a period")]);
});

test("usage reports a budget from the option or the environment", async () => {
  const { out } = await run(["usage", "--budget", "200", "--demo"]);
  expect(out).toMatch(/Budget \d{4}-\d\d: .* of \$200/);
  const env = { POLLUX_BUDGET: "50" };
  const kept = await run(["usage", "--demo", "--json"], { env });
  expect(JSON.parse(kept.out)).toMatchObject({ budget: { budgetMicroUsd: 50_000_000 } });
  expect((await run(["usage", "--budget", "much", "--demo"])).code).toBe(2);
});

test("insights of the demo add up, and every finding has evidence or a count of 0", async () => {
  const answer = await json<InsightsAnswer>("insights");
  const requests = answer.kinds.reduce((sum, kind) => sum + kind.requests, 0);
  expect(requests).toBe(answer.totals.requests);
  expect(answer.sessions.read).toBe(answer.sessions.meant);
  for (const { id, count, evidence } of answer.findings) {
    expect(evidence.length > 0, id).toBe(count > 0);
  }
  const { out } = await run(["insights", "--demo"]);
  expect(out).toContain("asking");
});
