import { expect, onTestFinished, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { exports } from "../../src/exports/index.ts";
import { lines } from "../cli/run.ts";
import { madeHome } from "../sources/made-home.ts";
import { written } from "./written.ts";

const ID = "01a1e10a-359d-7023-870d-f5ff073ea6f9";
const at = "2026-11-15T10:00:00.000Z";
const AGENTS = ["claude-code", "codex"];

/** Two sessions with one id: Claude Code's has 110 tokens, Codex's 1,100. */
function twoWithOneId(): Library {
  const meta = { id: ID, timestamp: at, cwd: "/p", cli_version: "0.130.0" };
  const used = { input_tokens: 1000, cached_input_tokens: 0, output_tokens: 100 };
  const total = { ...used, reasoning_output_tokens: 0, total_tokens: 1100 };
  const info = { total_token_usage: total, last_token_usage: total };
  const rollout = [
    { timestamp: at, type: "session_meta", payload: meta },
    { timestamp: at, type: "turn_context", payload: { model: "gpt-5", cwd: "/p" } },
    { timestamp: at, type: "event_msg", payload: { type: "user_message", message: "Of codex" } },
    { timestamp: at, type: "event_msg", payload: { type: "agent_message", message: "Yes." } },
    { timestamp: at, type: "event_msg", payload: { type: "token_count", info } },
  ];
  const common = { isSidechain: false, sessionId: ID, cwd: "/p", version: "2.1.0", timestamp: at };
  const prompt = { role: "user", content: "Of claude" };
  const usage = { input_tokens: 100, output_tokens: 10 };
  const content = [{ type: "text", text: "Yes." }];
  const said = { role: "assistant", id: "msg_1", model: "claude-opus-4-5", usage, content };
  const answer = { ...said, stop_reason: "end_turn" };
  const home = madeHome({
    [`.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-${ID}.jsonl`]: lines(...rollout),
    [`.claude/projects/-p/${ID}.jsonl`]: lines(
      { ...common, type: "user", uuid: "u1", parentUuid: null, message: prompt },
      { ...common, type: "assistant", uuid: "u2", parentUuid: "u1", message: answer },
    ),
  });
  const library = open({ roots: [home] });
  onTestFinished(() => library.close());
  return library;
}

test("every export writes both of two sessions with the same id, and tells them apart", async () => {
  const library = twoWithOneId();
  for (const { name: to, subject, isBinary, extension } of exports) {
    const layout = subject === "session" ? "each" : "one";
    const files = await written(library, {}, { to, layout });
    const ids = files.flatMap(({ sessionIds }) => sessionIds);
    expect([to, ids.toSorted()]).toEqual([to, AGENTS.map((agent) => `${agent}:${ID}`)]);
    const texts = files.map(({ text }) => text).join("");
    // Edited files have no prompts.
    if (isBinary !== true && to !== "agent-trace") {
      expect([to, texts.includes("Of claude"), texts.includes("Of codex")]).toEqual([
        to,
        true,
        true,
      ]);
    }
    if (layout === "one") continue;
    const names = AGENTS.map((agent) => `2026-11-15-p-${agent}-01a1e10a.${extension}`);
    expect(files.map(({ name }) => name).toSorted()).toEqual(names);
  }
});

test("no two lines, traces or documents of them have the same id", async () => {
  const library = twoWithOneId();
  const idsOf = async (to: string, pattern: RegExp): Promise<string[]> => {
    const layout = to === "vcon" || to === "agent-trace" ? "each" : "one";
    const files = await written(library, {}, { to, layout });
    const all = files.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, id = ""]) => id));
    return [...new Set(all)];
  };
  expect(await idsOf("vcon", /^ {2}"uuid": "([^"]+)"/gm)).toHaveLength(2);
  expect(await idsOf("agent-trace", /^ {2}"id": "([^"]+)"/gm)).toHaveLength(2);
  expect(await idsOf("otel", /"traceId":"([^"]+)"/g)).toHaveLength(2);
  const [jsonl] = await written(library, {}, { to: "jsonl" });
  const lined = jsonl?.text.trim().split("\n") ?? [];
  const keys = lined.map((line) => JSON.parse(line) as { type: string; source?: string });
  expect(new Set(keys.map(({ source }) => source))).toEqual(new Set(AGENTS));
});

test("reports keep their sums apart", async () => {
  const library = twoWithOneId();
  const { rows } = await library.usage({ by: ["session"] });
  expect(Object.fromEntries(rows.map(({ key, tokens }) => [key, tokens.total]))).toEqual({
    [`claude-code:${ID}`]: 110,
    [`codex:${ID}`]: 1100,
  });
  const only = await library.usage({ by: ["session"], source: "codex" });
  expect(only.rows.map(({ key }) => key)).toEqual([ID]);
  const costs = await library.review.costs();
  const [claude, codex] = AGENTS.map((agent) => costs.get(`${agent}:${ID}`));
  expect([claude, codex]).toEqual([100 * 5 + 10 * 25, 1000 * 1.25 + 100 * 10]);
  expect(costs.has(ID)).toBe(false);
});
