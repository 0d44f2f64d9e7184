import { expect, test } from "vitest";
import type { Message } from "../../src/core/message.ts";
import { turnsOf } from "../../src/core/turn.ts";

function said(id: string, isPrompt: boolean): Message {
  const place = { file: "f", line: 1, start: 0, end: 0 };
  return {
    id,
    author: isPrompt ? "user" : "model",
    text: id,
    isPrompt,
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
    hasRecordedCalls: false,
    form: "text",
    signature: id,
    partSignatures: [],
    place,
    standing: "live",
    places: [place],
  };
}

test("a turn is a prompt and all that follows it; what comes before the first has none", () => {
  const messages = [said("a", false), said("p1", true), said("b", false), said("p2", true)];
  const turns = turnsOf(messages).map(({ number, prompt, messages: held }) => {
    return [number, prompt?.id, held.map(({ id }) => id).join(" ")];
  });
  expect(turns).toEqual([
    [0, undefined, "a"],
    [1, "p1", "p1 b"],
    [2, "p2", "p2"],
  ]);
});

test("without a beginning, the first prompt is the first turn", () => {
  expect(turnsOf([said("p", true)]).map(({ number }) => number)).toEqual([1]);
});
