import { expect, test } from "vitest";
import { answer, chain, prompt, readLines, textBlock } from "./read-files.ts";

test.each(["full", "usage"] as const)("requests inside of an answer count: %s", (depth) => {
  const step = { type: "message", input_tokens: 4, output_tokens: 40 };
  const advice = { type: "advisor_message", input_tokens: 900, output_tokens: 300 };
  const iterations = [
    step,
    { ...advice, model: "claude-fable-5-1", cache_read_input_tokens: 7 },
    { type: "compaction", input_tokens: 5000, output_tokens: 600 },
    { ...step, type: "fallback_message", output_tokens: 2 },
  ];
  const usage = { input_tokens: 8, output_tokens: 80, iterations };
  const first = { message: { stop_reason: null, usage: { ...usage, iterations: [step] } } };
  const lines = [
    answer("msg_1", [textBlock("a")], first),
    answer("msg_1", [textBlock("b")], { message: { usage } }),
  ];
  const { sessions } = readLines(chain(prompt("hello"), ...lines), depth);
  expect(sessions[0]?.replies).toMatchObject([
    { id: "msg_1", model: "claude-opus-5-5", counts: { input: 8, output: 80 } },
    {
      id: "msg_1:advice-0",
      model: "claude-fable-5-1",
      counts: { input: 900, cached: 7, output: 300 },
      purpose: "other",
    },
    { id: "msg_1:compaction-1", model: "claude-opus-5-5", purpose: "compression" },
  ]);
  expect(sessions[0]?.messages.at(-1)?.usage?.output).toBe(depth === "full" ? 80 : undefined);
});
