import fc from "fast-check";
import { expect, test } from "vitest";
import { textOf } from "../../src/sources/decoding/text-of.ts";

const LENGTHS = [0, 511, 512, 700];

test("textOf decodes any text like Buffer.toString", () => {
  const unit = fc.constantFrom(
    "a",
    " ",
    "é",
    "\u00ff",
    "函",
    "\ufeff",
    "😀",
    "\ufffd",
    "\0",
    "\u2028",
  );
  const text = fc.array(unit, { minLength: 400, maxLength: 900 }).map((units) => units.join(""));
  fc.assert(
    fc.property(text, (said) => {
      const bytes = Buffer.from(said);
      expect(textOf(bytes)).toBe(said);
      expect(textOf(bytes.subarray(1))).toBe(bytes.subarray(1).toString("utf8"));
    }),
  );
});

test("textOf gives the same replacement characters for invalid bytes", () => {
  const bytes = fc.uint8Array({ minLength: 0, maxLength: 60 });
  fc.assert(
    fc.property(bytes, fc.constantFrom(...LENGTHS), (odd, length) => {
      const whole = Buffer.concat([Buffer.alloc(length, "x"), odd, Buffer.from("函")]);
      expect(textOf(whole)).toBe(whole.toString("utf8"));
    }),
    { numRuns: 500 },
  );
});
