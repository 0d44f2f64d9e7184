import { expect, test } from "vitest";
import type { Depth } from "../../../src/sources/source.ts";
import {
  answer,
  callBlock,
  chain,
  prompt,
  readLines,
  resultRecord,
  textBlock,
} from "./read-files.ts";

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

function countsOf(lines: readonly unknown[], depth: Depth): unknown[] {
  const { sessions } = readLines(lines, depth);
  return sessions.flatMap(({ replies }) =>
    replies.map(({ counts }) => [counts.input, counts.output]),
  );
}

test.each(["full", "outline", "usage"] as const)(
  "answers with no id, or the same id for all, are told apart by their prompts: %s",
  (depth) => {
    for (const id of [undefined, "", "relay"]) {
      const part = (block: object, input_tokens: number): Record<string, unknown> => {
        const usage = { input_tokens, output_tokens: 5 };
        return answer("", [block], { message: { id, usage }, requestId: undefined });
      };
      const lines = chain(
        prompt("hello"),
        part(textBlock("a"), 100),
        part(callBlock("c1", "Bash", { command: "ls" }), 100),
        resultRecord("c1", "x"),
        part(textBlock("b"), 200),
        prompt("more"),
        part(textBlock("c"), 300),
      );
      expect(countsOf(lines, depth)).toEqual([
        [100, 5],
        [200, 5],
        [300, 5],
      ]);
    }
  },
);

test.each(["full", "usage"] as const)(
  "the final counts of a prompt replace earlier ones: %s",
  (depth) => {
    const part = (stop_reason: string | null, usage: object): Record<string, unknown> => {
      return answer("msg_1", [textBlock("a")], { message: { stop_reason, usage } });
    };
    const early = part(null, { input_tokens: 1000, output_tokens: 1 });
    const final = part("end_turn", {
      input_tokens: 200,
      cache_read_input_tokens: 800,
      output_tokens: 50,
    });
    const none = part("end_turn", { input_tokens: 0, output_tokens: 0 });
    expect(countsOf(chain(prompt("hello"), early, final), depth)).toEqual([[200, 50]]);
    expect(countsOf(chain(prompt("hello"), final, early), depth)).toEqual([[200, 50]]);
    expect(countsOf(chain(prompt("hello"), early, none), depth)).toEqual([[1000, 1]]);
  },
);
