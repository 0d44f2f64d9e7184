import { describe, expect, test } from "vitest";
import type { Dialect } from "../../scripts/prove-handover/rules.mjs";
import { refusedBy } from "../../scripts/prove-handover/rules.mjs";

/** One call in the format of each API: prompt, call, result, answer. */
const HISTORIES: Record<Dialect, { list: string; items: object[] }> = {
  anthropic: {
    list: "messages",
    items: [
      { role: "user", content: "read it" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "A" }] },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
    ],
  },
  responses: {
    list: "input",
    items: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "read it" }] },
      { type: "function_call", call_id: "a", name: "read", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "A" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] },
    ],
  },
  gemini: {
    list: "contents",
    items: [
      { role: "user", parts: [{ text: "read it" }] },
      { role: "model", parts: [{ functionCall: { id: "a", name: "read", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { id: "a", name: "read", response: {} } }] },
      { role: "model", parts: [{ text: "Done." }] },
    ],
  },
  chat: {
    list: "messages",
    items: [
      { role: "user", content: "read it" },
      { role: "assistant", content: null, tool_calls: [{ id: "a", function: { name: "read" } }] },
      { role: "tool", tool_call_id: "a", content: "A" },
      { role: "assistant", content: "Done." },
    ],
  },
};
const dialects = Object.keys(HISTORIES) as Dialect[];

describe.each(dialects)("the rules of %s", (dialect) => {
  const { list, items } = HISTORIES[dialect];
  const judge = (...given: (object | undefined)[]): string | undefined => {
    return refusedBy(dialect, { [list]: given.filter((item) => item !== undefined) });
  };
  const [asked, called, answered, said] = items;
  /** The same item with another id or name. */
  const changed = (item: object | undefined, from: string, to: string): object => {
    return JSON.parse(JSON.stringify(item).replaceAll(`"${from}"`, `"${to}"`)) as object;
  };

  test("accept a call with its result", () => {
    expect(judge(...items)).toBeUndefined();
    expect(judge(asked, said)).toBeUndefined();
  });

  test("refuse a call or a result without its counterpart, or in the wrong order", () => {
    expect(judge(asked, called, said)).toMatch(/no result for a/);
    expect(judge(asked, answered, said)).toMatch(/no call for a/);
    expect(judge(asked, answered, called, said)).toBeDefined();
    expect(judge(...items, answered)).toBeDefined();
  });

  test("refuse invalid ids, invalid names and duplicate ids", () => {
    const odd = items.map((item) => changed(item, "a", "../a"));
    expect(judge(...odd)).toMatch(/id \.\.\/a/);
    const named = items.map((item) => changed(changed(item, "read", "re/ad"), "Read", "re/ad"));
    expect(judge(...named)).toMatch(/name re\/ad/);
    expect(judge(...items, ...items)).toMatch(/id a twice/);
  });
});

test("roles must alternate where the vendor requires it", () => {
  const [asked, called, answered, said] = HISTORIES.gemini.items;
  const contents = [asked, asked, called, answered, said];
  expect(refusedBy("gemini", { contents })).toMatch(/two turns of user/);
  expect(refusedBy("gemini", { contents: [said, asked] })).toMatch(/begins with an answer/);
  const [, , , answer] = HISTORIES.anthropic.items;
  expect(refusedBy("anthropic", { messages: [answer] })).toMatch(/begins with an answer/);
  const late = { role: "user", content: [{ type: "text", text: "x" }] };
  const [first, use, result] = HISTORIES.anthropic.items;
  const behind = { messages: [first, use, late, result, answer] };
  expect(refusedBy("anthropic", behind)).toMatch(/stands behind other words/);
});
