import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromPlain } from "../../src/records/json/plain.ts";
import { isEqual } from "../../src/records/json/value.ts";
import { applyEdits, editsBetween } from "../../src/records/mapping/edits.ts";

describe("edits", () => {
  it("turn any value into any other", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [from, to] = [fromPlain(a), fromPlain(b)];
        expect(isEqual(applyEdits(from, editsBetween(from, to)), to)).toBe(true);
        expect(editsBetween(from, from)).toEqual([]);
      }),
    );
  });

  it("change only what differs", () => {
    const from = fromPlain({ a: { "x/y": 1, "m~n": 2 }, l: [1, { b: 2 }] });
    const to = fromPlain({ a: { "x/y": 1, "m~n": 3 }, l: [1, {}], c: null });
    expect(editsBetween(from, to)).toEqual([
      { op: "set", path: "/a/m~0n", value: 3 },
      { op: "remove", path: "/l/1/b" },
      { op: "set", path: "/c", value: null },
    ]);
  });

  it.each([{ op: "set", path: "/a/b", value: 1 }, { op: "set", path: "/l/7" }, { op: "set" }])(
    "%j is refused if it does not apply",
    (edit) => {
      expect(() => applyEdits(fromPlain({ a: 1, l: [] }), [fromPlain(edit)])).toThrow("edit");
    },
  );
});
