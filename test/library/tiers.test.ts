import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { open } from "../../src/library/library.ts";
import type { UsageReport } from "../../src/queries/usage/usage.ts";

const ID = "11111111-1111-4111-8111-111111111111";

function answer(number: number, more: object): string {
  const usage = { input_tokens: 100, output_tokens: 10, ...more };
  const message = { id: `msg_${number}`, role: "assistant", model: "claude-opus-4-5", usage };
  const at = `2026-11-01T00:00:0${number}.000Z`;
  const record = { type: "assistant", uuid: `u${number}`, sessionId: ID, timestamp: at, cwd: "/p" };
  const content = [{ type: "text", text: "x" }];
  return JSON.stringify({ ...record, message: { ...message, stop_reason: "end_turn", content } });
}

async function reportOf(answers: readonly object[]): Promise<UsageReport> {
  const home = mkdtempSync(join(tmpdir(), "pollux-tiers-"));
  const folder = join(home, ".claude", "projects", "-p");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${ID}.jsonl`),
    answers.map((more, at) => answer(at, more)).join("\n"),
  );
  const library = open({ roots: [home] });
  onTestFinished(async () => {
    await library.close();
    rmSync(home, { recursive: true, force: true });
  });
  return library.usage({ by: ["model"] });
}

test("each service tier without a price is reported by its name", async () => {
  const tiers = [{}, { service_tier: "batch" }, { service_tier: "priority" }, { speed: "fast" }];
  const { unpriced, totals } = await reportOf(tiers);
  expect(totals).toMatchObject({ requests: 4, unpricedRequests: 2 });
  expect(unpriced.map(({ why, requests }) => [/"(.*)"/.exec(why)?.[1], requests])).toEqual(
    expect.arrayContaining([
      ["priority", 1],
      ["fast", 1],
    ]),
  );
});

test("inference in one region costs a tenth more, unless the region is none", async () => {
  const places = [{}, { inference_geo: "" }, { inference_geo: "global" }, { inference_geo: "us" }];
  const { totals } = await reportOf(places);
  // 100 × $5 + 10 × $25 per million.
  expect(totals).toMatchObject({ unpricedRequests: 0, costMicroUsd: 3 * 750 + 825 });
});

test("web searches are counted, charged per search, and mentioned", async () => {
  const searched = { server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } };
  const { totals, notes } = await reportOf([{}, searched, { ...searched, speed: "standard" }]);
  expect(totals).toMatchObject({ webSearches: 4, costMicroUsd: 3 * 750 + 4 * 10_000 });
  expect(notes).toContain("4 web searches are charged per search, besides tokens.");
  const without = await reportOf([{}]);
  expect(without.totals.webSearches).toBeNull();
});
