import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { widthOf } from "../../src/cli/print/width.ts";
import { barOf, chartOf, endsOf, firstShown, rowOf } from "../../src/tui/draw.ts";
import { keyOf, withoutLast } from "../../src/tui/keys.ts";
import { shortKey, spanOf } from "../../src/tui/periods.ts";

describe("lines", () => {
  test("have exactly the requested width for any text", () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 30 })
      .filter((item) => !/\p{C}/u.test(item));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        (texts, width) => {
          expect(
            widthOf(
              rowOf(
                width,
                texts.map((item) => [item] as const),
              ),
            ),
          ).toBe(width);
        },
      ),
    );
  });

  test("keep their right-hand text when cut", () => {
    expect(endsOf(10, [["a long beginning"]], [["end"]])).toBe("a long…end");
    expect(endsOf(2, [["left"]], [["right"]])).toBe("r…");
  });

  test("scroll so that the selected item is visible", () => {
    expect(firstShown(0, 100, 10)).toBe(0);
    expect(firstShown(50, 100, 10)).toBe(45);
    expect(firstShown(99, 100, 10)).toBe(90);
    expect(firstShown(2, 3, 10)).toBe(0);
  });
});

describe("bars", () => {
  test("have the length of their share, and any share above zero is visible", () => {
    expect(barOf(1, 4)).toBe("████");
    expect(barOf(0.5, 4)).toBe("██");
    expect(barOf(0.0001, 4)).toBe("▏");
    expect(barOf(0, 4)).toBe("");
  });

  test("of a chart rise from the bottom", () => {
    expect(chartOf([0, 1, 2], { rows: 2, columnWidth: 1 })).toEqual(["  █", "·██"]);
    expect(chartOf([1, 4], { rows: 1, columnWidth: 3 })).toEqual(["▂▂ ██ "]);
    expect(chartOf([], { rows: 1, columnWidth: 1 })).toEqual([""]);
  });
});

describe("periods", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");

  test("end now and are compared with the same part of the previous period", () => {
    const today = spanOf("today", now, "UTC");
    expect(today.sinceMs).toBe(Date.parse("2026-11-15T00:00:00Z"));
    expect(today.before).toMatchObject({
      sinceMs: Date.parse("2026-11-14T00:00:00Z"),
      untilMs: Date.parse("2026-11-14T12:00:00Z"),
    });
    const days = spanOf("30 days", now, "UTC");
    expect([days.keys.length, days.keys[0], days.keys.at(-1)]).toEqual([
      30,
      "2026-10-17",
      "2026-11-15",
    ]);
    const month = spanOf("month", now, "UTC");
    expect(month.before?.sinceMs).toBe(Date.parse("2026-10-01T00:00:00Z"));
    expect(month.before?.untilMs).toBe(Date.parse("2026-10-15T12:00:00Z"));
    expect(spanOf("year", now, "UTC").keys).toHaveLength(11);
    expect(spanOf("all", now, "UTC").sinceMs).toBeUndefined();
  });

  test("never overlap with the period they are compared with", () => {
    const march = spanOf("month", Date.parse("2026-03-31T12:00:00Z"), "UTC");
    expect(march.before?.untilMs).toBeLessThanOrEqual(march.sinceMs ?? 0);
  });

  test("have labels and time ranges for their bars", () => {
    expect(["2026-11-15T09", "2026-11-05", "2026-11", "unknown"].map(shortKey)).toEqual([
      "09:00",
      "Nov 5",
      "Nov 2026",
      "unknown",
    ]);
    expect(spanOf("year", now, "UTC").rangeOf("2026-02")).toMatchObject({
      from: Date.parse("2026-02-01T00:00:00Z"),
      to: Date.parse("2026-03-01T00:00:00Z"),
    });
  });
});

describe("keys", () => {
  test("give text for printable characters and a name for control keys", () => {
    const raw = { ctrl: false, meta: false, shift: false };
    expect(keyOf("ü", { ...raw, sequence: "ü" })).toEqual({ name: "ü", text: "ü" });
    expect(keyOf("\r", { ...raw, name: "return", sequence: "\r" })).toEqual({
      name: "enter",
      text: "",
    });
    expect(keyOf("\x03", { ...raw, ctrl: true, name: "c" })).toEqual({ name: "ctrl-c", text: "" });
    expect(keyOf(undefined, { ...raw, name: "tab", shift: true })).toEqual({
      name: "backtab",
      text: "",
    });
    expect(keyOf("x", { ...raw, meta: true, name: "x" })).toEqual({ name: "x", text: "" });
  });

  test("Backspace removes one grapheme", () => {
    expect(withoutLast("abc")).toBe("ab");
    expect(withoutLast("ae\u0301")).toBe("a");
    expect(withoutLast("a😀")).toBe("a");
    expect(withoutLast("")).toBe("");
  });
});
