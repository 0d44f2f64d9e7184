import { describe, expect, it } from "vitest";
import { canonicalText } from "../../src/records/json/canonical.ts";
import { fromPlain } from "../../src/records/json/plain.ts";
import type { JsonObject } from "../../src/records/json/value.ts";
import { referenceEntry } from "../../src/records/mapping/reference.ts";
import { seedEntry } from "../../src/records/mapping/seed.ts";
import { sources } from "../../src/sources/index.ts";
import type { MessageForm } from "../../src/sources/native.ts";

const [source] = sources;
const form = source?.abilities.native as MessageForm;
type Mapping = (message: JsonObject, form: MessageForm) => JsonObject;
const map = (mapping: Mapping, message: object): unknown =>
  JSON.parse(canonicalText(mapping(fromPlain(message) as JsonObject, form)));

const AT = "2026-01-01T00:00:00.000Z";
const result = [{ functionResponse: { id: "c1", response: { output: "hi" } } }];

describe("the mapping of the draft's scripts", () => {
  const reference = (message: object): unknown => map(referenceEntry, message);

  it("treats notices as the model's text, and drops null members", () => {
    expect(
      reference({ id: "i", timestamp: null, type: "info", content: "note", foo: null }),
    ).toEqual({
      type: "assistant",
      content: "note",
      id: "i",
    });
    expect(reference({ type: "human" })).toEqual({ type: "user", content: "" });
    expect(reference({ content: null })).toEqual({ type: "user" });
  });

  it("lets recorded members replace mapped ones", () => {
    const message = { type: "gemini", content: "", model: "m", "model-id": "spoof" };
    expect(reference(message)).toEqual({ type: "assistant", content: "", "model-id": "spoof" });
  });

  it("loses the status of a call without a result, and a null time", () => {
    const call = { id: "c", name: null, args: null, status: "cancelled", timestamp: null, x: 1 };
    expect(reference({ type: "gemini", timestamp: AT, toolCalls: [call] })).toMatchObject({
      children: [{ type: "tool-call", "call-id": "c", x: 1 }],
    });
  });

  it("renames only counts that no agent writes", () => {
    const tokens = { inputTokens: 5, outputTokens: 6, thoughts: 2, cached: null };
    expect(reference({ type: "gemini", tokens })).toMatchObject({
      "token-usage": { input: 5, output: 6, thoughts: 2 },
    });
    expect(reference({ type: "user", tokens })).toEqual({ type: "user", content: "" });
    expect(reference({ type: "gemini", tokens: 42 })).toMatchObject({ tokens: 42 });
  });
});

describe('the mapping of profile "seed"', () => {
  it("has no result for a call that recorded none", () => {
    const call = { id: "c", name: "n", args: {}, result: null, status: "cancelled" };
    expect(map(seedEntry, { type: "gemini", content: "", toolCalls: [call] })).toEqual({
      type: "assistant",
      content: "",
      children: [{ type: "tool-call", name: "n", input: {}, "call-id": "c", status: "cancelled" }],
    });
  });

  it("drops tokens, times of thoughts, and displays of calls", () => {
    const message = {
      id: "g",
      type: "gemini",
      content: "",
      tokens: { input: 1 },
      thoughts: [{ subject: "s", description: "d", timestamp: AT }],
      toolCalls: [
        {
          id: "c",
          name: "n",
          args: {},
          result,
          status: "success",
          timestamp: AT,
          resultDisplay: "x",
          displayName: "N",
          description: "long",
          renderOutputAsMarkdown: true,
          agentId: "a",
        },
      ],
    };
    expect(map(seedEntry, message)).toEqual({
      type: "assistant",
      id: "g",
      content: "",
      children: [
        { type: "reasoning", content: "d", subject: "s" },
        { type: "tool-call", name: "n", input: {}, "call-id": "c", timestamp: AT, agentId: "a" },
        { type: "tool-result", output: result, status: "success", "call-id": "c", timestamp: AT },
      ],
    });
  });
});
