import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { open } from "../../src/library/library.ts";

const ID = "11111111-1111-4111-8111-111111111111";

function answer(number: number, more: object): string {
  const usage = { input_tokens: 100, output_tokens: 10, ...more };
  const message = { id: `msg_${number}`, role: "assistant", model: "claude-opus-4-5", usage };
  const at = `2026-11-01T00:00:0${number}.000Z`;
  const record = { type: "assistant", uuid: `u${number}`, sessionId: ID, timestamp: at, cwd: "/p" };
  const content = [{ type: "text", text: "x" }];
  return JSON.stringify({ ...record, message: { ...message, stop_reason: "end_turn", content } });
}

test("each service tier without a price is reported by its name", async () => {
  const home = mkdtempSync(join(tmpdir(), "pollux-tiers-"));
  const folder = join(home, ".claude", "projects", "-p");
  mkdirSync(folder, { recursive: true });
  const tiers = [{}, { service_tier: "batch" }, { service_tier: "priority" }, { speed: "fast" }];
  writeFileSync(join(folder, `${ID}.jsonl`), tiers.map((tier, at) => answer(at, tier)).join("\n"));
  const library = open({ roots: [home] });
  onTestFinished(async () => {
    await library.close();
    rmSync(home, { recursive: true, force: true });
  });
  const { unpriced, totals } = await library.usage({ by: ["model"] });
  expect(totals).toMatchObject({ requests: 4, unpricedRequests: 2 });
  expect(unpriced.map(({ why, requests }) => [/"(.*)"/.exec(why)?.[1], requests])).toEqual(
    expect.arrayContaining([
      ["priority", 1],
      ["fast", 1],
    ]),
  );
});
