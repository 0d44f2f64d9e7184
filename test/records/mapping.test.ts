import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText } from "../../src/records/json/canonical.ts";
import { fromPlain } from "../../src/records/json/plain.ts";
import type { JsonObject } from "../../src/records/json/value.ts";
import { isEqual } from "../../src/records/json/value.ts";
import { applyEdits, editsBetween } from "../../src/records/mapping/edits.ts";
import { invertEntry } from "../../src/records/mapping/invert.ts";
import { losslessEntry } from "../../src/records/mapping/lossless.ts";
import { referenceEntry } from "../../src/records/mapping/reference.ts";
import { seedEntry } from "../../src/records/mapping/seed.ts";
import { sources } from "../../src/sources/index.ts";
import type { MessageForm } from "../../src/sources/native.ts";
import { asFile, schema } from "./made.ts";

const [source] = sources;
const form = source?.abilities.native as MessageForm;
type Mapping = (message: JsonObject, form: MessageForm) => JsonObject;
const map = (mapping: Mapping, message: object): unknown =>
  JSON.parse(canonicalText(mapping(fromPlain(message) as JsonObject, form)));
const lossless = (message: object): unknown => map(losslessEntry, message);

const AT = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-01T00:00:05.000Z";
const result = [{ functionResponse: { id: "c1", response: { output: "hi" } } }];

describe("the lossless mapping", () => {
  it("puts every known member into its field", () => {
    const message = {
      id: "g1",
      timestamp: AT,
      type: "gemini",
      content: "done",
      model: "gemini-3-pro-preview",
      tokens: { input: 5, output: 6, cached: 1, thoughts: 2, tool: 0, total: 13 },
      thoughts: [{ subject: "s", description: "d", timestamp: AT }],
      toolCalls: [
        {
          id: "c1",
          name: "read_file",
          args: { p: 1 },
          result,
          status: "success",
          timestamp: LATER,
        },
      ],
    };
    expect(lossless(message)).toEqual({
      type: "assistant",
      id: "g1",
      timestamp: AT,
      content: "done",
      "model-id": "gemini-3-pro-preview",
      "token-usage": { input: 5, output: 6, cached: 1, reasoning: 2, tool: 0, total: 13 },
      children: [
        { type: "reasoning", content: "d", subject: "s", timestamp: AT },
        {
          type: "tool-call",
          name: "read_file",
          input: { p: 1 },
          "call-id": "c1",
          timestamp: LATER,
        },
        {
          type: "tool-result",
          output: result,
          status: "success",
          "call-id": "c1",
          timestamp: LATER,
        },
      ],
    });
  });

  it.each(["info", "warning", "error", "something-new"])("maps %s to an event", (type) => {
    expect(lossless({ id: "i", timestamp: AT, type, content: "note", more: null })).toEqual({
      type: "system-event",
      "event-type": type,
      id: "i",
      timestamp: AT,
      data: { content: "note", more: null },
    });
  });

  it("keeps the status of a call without a result", () => {
    const call = { id: "c1", name: "write_file", args: {}, status: "cancelled", result: null };
    expect(lossless({ id: "g", type: "gemini", toolCalls: [call] })).toMatchObject({
      children: [{ type: "tool-call", status: "cancelled", result: null }],
    });
  });

  it("marks a failed result, and takes a missing time from the message", () => {
    const call = { id: "c1", name: "x", args: {}, result: [], status: "error", timestamp: null };
    expect(lossless({ id: "g", timestamp: AT, type: "gemini", toolCalls: [call] })).toMatchObject({
      children: [
        { type: "tool-call", timestamp: AT },
        { type: "tool-result", output: [], status: "error", "is-error": true, timestamp: AT },
      ],
    });
  });

  it("lets no recorded member replace a mapped one", () => {
    const message = {
      type: "gemini",
      model: "m",
      "model-id": "spoof",
      children: "spoof",
      "token-usage": "spoof",
      "x-standing": "spoof",
      displayContent: "kept",
    };
    expect(lossless(message)).toEqual({
      type: "assistant",
      "model-id": "m",
      displayContent: "kept",
    });
  });
});

it("a mapped count takes precedence over a recorded one of the same name", () => {
  for (const tokens of [
    { thoughts: 2, reasoning: 9 },
    { reasoning: 9, thoughts: 2 },
  ]) {
    expect(lossless({ type: "gemini", tokens })).toMatchObject({ "token-usage": { reasoning: 2 } });
  }
  const odd = { input: -1, output: 1.5, cached: "3", cost: "free", tool: "x" };
  expect(lossless({ type: "gemini", tokens: odd })).toEqual({
    type: "assistant",
    "token-usage": { tool: "x" },
  });
});

describe("any message", () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(AT, "gemini", "user", "info", null, 42, ""));
  const members =
    "id timestamp type content model displayContent children model-id x-standing data event-type " +
    "__proto__ status";
  const record = fc.record(Object.fromEntries(members.split(" ").map((name) => [name, odd])), {
    requiredKeys: [],
  });
  const call = fc.record(
    {
      id: odd,
      name: odd,
      args: odd,
      result: odd,
      status: fc.oneof(odd, fc.constantFrom("success", "error", "cancelled")),
      timestamp: odd,
      resultDisplay: odd,
      output: odd,
    },
    { requiredKeys: [] },
  );
  const thought = fc.record(
    { description: odd, subject: odd, timestamp: odd, content: odd },
    { requiredKeys: [] },
  );
  const tokens = fc.record(
    { input: odd, thoughts: odd, reasoning: odd, total: fc.nat(), cost: odd, tool: odd },
    { requiredKeys: [] },
  );
  const message = fc
    .tuple(
      record,
      fc.record(
        {
          thoughts: fc.oneof(fc.array(thought), odd),
          toolCalls: fc.oneof(fc.array(call), odd),
          tokens: fc.oneof(tokens, odd),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([one, two]) => fromPlain(JSON.parse(JSON.stringify({ ...one, ...two }))) as JsonObject);

  it("becomes an entry that fits the schema, and is restored from it by its edits", () => {
    fc.assert(
      fc.property(message, (native) => {
        const entry = losslessEntry(native, form);
        const agent = { "model-id": "m", "model-provider": "p" };
        const session = { "session-id": "s", "agent-meta": agent, entries: [entry] };
        const whole = fromPlain({ version: "1", id: "r", session });
        expect(schema.checkRecord(asFile(canonicalText(whole)))).toBeUndefined();
        const inverted = invertEntry(entry, form);
        const back = applyEdits(inverted, editsBetween(inverted, native));
        expect(isEqual(back, native)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("is not modified by mapping", () => {
    fc.assert(
      fc.property(message, (native) => {
        const before = canonicalText(native);
        for (const mapping of [losslessEntry, referenceEntry, seedEntry]) mapping(native, form);
        expect(canonicalText(native)).toBe(before);
      }),
    );
  });
});
