import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeBlock, safeLine } from "../../src/cli/print/safe.ts";

const UNWANTED = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200c\u200e\u200f\u2028-\u202e]/u;
const UNWANTED_TOO = /[\u{34f}\u2060-\u206f\ufeff\u{ad}\u115f\u3164\u{e0000}-\u{e0fff}\p{Cs}]/u;

describe("safeBlock", () => {
  it.each([
    ["colours", "\x1b[31mred\x1b[0m", "red"],
    ["a one-character introducer", "\x9b31mred\x9b0m", "red"],
    ["a window title", "a\x1b]0;owned\x07b", "ab"],
    ["a clipboard write", "a\x1b]52;c;ZXZpbA==\x1b\\b", "ab"],
    ["a hidden link", "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"],
    ["a device string", "a\x1bPq#0\x1b\\b", "ab"],
    ["a sequence without an end", "a\x1b]0;half\nnext", "a0;half\nnext"],
    ["a bare escape", "a\x1b", "a"],
    ["a sequence inside a sequence", "\x1b\x1b[31m[31mx", "[31mx"],
    ["controls", "a\x00b\x07c\x08d\x7fe\x84f", "abcdef"],
    ["carriage returns", "one\r\ntwo\rthree", "one\ntwo\nthree"],
    ["odd line ends", "a\u2028b\u2029c\x85d\fe", "a\nb\nc\nd\ne"],
    ["tabs", "a\tb", "a    b"],
    ["bidi overrides and isolates", "a\u202eb\u202cc\u2066d\u2069e\u200ff\u061cg", "abcdefg"],
    ["zero-width characters", "a\u200bb\u200cc\u2060d\ufeffe\u00adf\u180eg", "abcdefg"],
    ["fillers", "a\u115fb\u3164c\uffa0d\u034fe", "abcde"],
    ["tags and selectors that carry data", "a\u{e0041}\u{e0100}\ufe01b", "ab"],
    ["a joiner between letters", "a\u200db", "ab"],
    ["a lone surrogate", "a\ud800b", "a\ufffdb"],
    ["too many marks", `a${"\u0301".repeat(50)}b`, `a${"\u0301".repeat(6)}b`],
  ])("removes %s", (_name, text, expected) => {
    expect(safeBlock(text)).toBe(expected);
  });

  it.each([
    ["ASCII", "plain text, 100 % of it\nand a second line"],
    ["a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
    ["a joined emoji with a selector", "\u2764\ufe0f\u200d\u{1f525}"],
    ["a joined emoji with a skin tone", "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}"],
    ["a flag", "\u{1f1e7}\u{1f1f7}"],
    ["a keycap", "1\ufe0f\u20e3"],
    ["accents", "Meu Projeto \u00e9 e\u0301"],
    [
      "other scripts",
      "\u65e5\u672c\u8a9e \u0627\u0644\u0639\u0631 \u0939\u093f\u0928\u094d\u0926\u0940",
    ],
    ["an Arabic sign that has a shape", "\u06dd"],
  ])("keeps %s", (_name, text) => {
    expect(safeBlock(text)).toBe(text);
  });

  it("removes all control and invisible characters", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\x1b[",
        "\x1b]",
        "\x9b",
        "\x07",
        "\x1b\\",
        "\u202e",
        "\u200d",
        "\ud800",
        "m",
      ),
    );
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const safe = safeBlock(parts.join(""));
        expect(safe).not.toMatch(UNWANTED);
        expect(safe).not.toMatch(UNWANTED_TOO);
      }),
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const safe = safeBlock(text);
        expect(safeBlock(safe)).toBe(safe);
      }),
    );
  });

  it("removes 200,000 repeated escape introducers and joiners", () => {
    const text = "\x1b]".repeat(200_000) + "\x1b[".repeat(200_000) + "\u200d".repeat(200_000);
    expect(safeBlock(text)).toBe("");
  });
});

describe("safeLine", () => {
  it("returns a single line", () => {
    expect(safeLine(" one\n\n  two\tthree\r\nfour ")).toBe("one   two    three four");
  });
});
