import { expect, test } from "vitest";
import type { Message } from "../../src/core/session/message.ts";
import { turnsOf } from "../../src/core/session/turn.ts";

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

test("a turn is a prompt and the messages after it; messages before the first prompt are turn 0", () => {
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

test("the first prompt is turn 1 when no messages precede it", () => {
  expect(turnsOf([said("p", true)]).map(({ number }) => number)).toEqual([1]);
});
