import { describe, expect, it } from "vitest";
import { JsonFault } from "../../src/records/json/parse.ts";
import { asFile } from "./made.ts";

const canonical = (text: string): string =>
  Buffer.concat([...asFile(text).canonical()].map((chunk) => Buffer.from(chunk))).toString("utf8");

const record = {
  version: "3.0.0-draft",
  id: "r",
  session: {
    "x-native": { form: 1, files: [], acts: [{ value: 2 }, { file: 1 }] },
    "session-id": "s",
    entries: [{ type: "user", content: "é" }, { type: "assistant" }],
    "agent-meta": { "model-provider": "p", "model-id": "m" },
  },
};

describe("a record read piece by piece", () => {
  it("is canonicalised from any notation", () => {
    const wanted =
      '{"id":"r","session":{"agent-meta":{"model-id":"m","model-provider":"p"},' +
      '"entries":[{"content":"é","type":"user"},{"type":"assistant"}],"session-id":"s",' +
      '"x-native":{"acts":[{"value":2},{"file":1}],"files":[],"form":1}},"version":"3.0.0-draft"}';
    expect(canonical(JSON.stringify(record))).toBe(wanted);
    expect(canonical(JSON.stringify(record, null, 2))).toBe(wanted);
    expect(canonical(wanted)).toBe(wanted);
    expect(canonical(`${wanted}\n`)).toBe(wanted);
    expect(asFile(wanted).isCanonical).toBe(true);
    expect(asFile(`${wanted}\n`).isCanonical).toBe(true);
    expect(asFile(JSON.stringify(record)).isCanonical).toBe(false);
  });

  it.each([
    ["a space between entries", '{"session":{"entries":[1, 2]}}'],
    ["a space inside an entry", '{"session":{"entries":[{"a": 1}]}}'],
    ["keys of an entry out of order", '{"session":{"entries":[{"b":1,"a":1}]}}'],
    ["a number in another form", '{"session":{"entries":[1e3]}}'],
    ["an unnecessary escape", '{"session":{"entries":["\\u0041"]}}'],
    ["two line ends", '{"session":{"entries":[1]}}\n\n'],
    ["keys of the frame out of order", '{"session":{"entries":[1]},"id":"r"}'],
  ])("%s is not canonical", (_, text) => {
    expect(asFile(text).isCanonical).toBe(false);
    expect(asFile(canonical(text)).isCanonical).toBe(true);
  });

  it("returns elements by position", () => {
    const file = asFile(JSON.stringify(record));
    expect(file.count("session/entries")).toBe(2);
    expect(file.at("session/entries", 1)).toEqual({ type: "assistant" });
    expect(file.at("session/entries", 2)).toBeUndefined();
    expect([...file.elements("session/x-native/acts")]).toEqual([{ value: 2 }, { file: 1 }]);
  });

  it.each([
    ['{"id":1,"id":2}', "twice"],
    ['{"session":{"entries":[{"a":1,"a":2}]}}', "twice"],
    ['{"session":{"entries":[],"entries":[1]}}', "twice"],
    ['{"session":{"entries":[1]},"session":{}}', "twice"],
    ['{"session":{"entries":[1,]}}', "brackets"],
    ['{"session":{"entries":[1', "brackets"],
    ['{"session":{"entries":["\\ud800"]}}', "surrogate"],
    ['{"session":{"entries":[NaN]}}', "not JSON"],
    ["[]", "object"],
    ["", "not JSON"],
    ['{"a":1}{"b":2}', "not JSON"],
  ])("%s is refused", (text, reason) => {
    expect(() => asFile(text)).toThrow(JsonFault);
    expect(() => asFile(text)).toThrow(reason);
  });
});
