import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalBytes,
  canonicalText,
  compareCodePoints,
} from "../../src/records/json/canonical.ts";
import { doubleText, numberOf } from "../../src/records/json/number.ts";
import { JsonFault, parseExact, parseExactBytes } from "../../src/records/json/parse.ts";
import { fromPlain } from "../../src/records/json/plain.ts";
import { ExactNumber, isEqual } from "../../src/records/json/value.ts";

const canonical = (text: string): string => canonicalText(parseExact(text));

describe("the canonical text", () => {
  it.each([
    [' { "b" : 1 , "a" : [ true , false , null ] } ', '{"a":[true,false,null],"b":1}'],
    ['{"z":{},"y":[],"x":""}', '{"x":"","y":[],"z":{}}'],
    ['"\\u00e9\\u4e16\\ud83d\\ude00\\u2028\\u007f\\/"', '"é世😀\u2028\u007f/"'],
    ['"\\b\\f\\n\\r\\t\\u0000\\u001F\\"\\\\"', '"\\b\\f\\n\\r\\t\\u0000\\u001f\\"\\\\"'],
    ['{"__proto__":1,"constructor":2}', '{"__proto__":1,"constructor":2}'],
    ['{"10":1,"9":2,"a":3}', '{"10":1,"9":2,"a":3}'],
  ])("%s", (text, wanted) => {
    expect(canonical(text)).toBe(wanted);
  });

  it("orders keys by code points, not by code units", () => {
    const text = '{"\\ud83d\\ude00":1,"\\uffee":2,"\\ue000":3,"\\ud7ff":4,"z":5,"":6}';
    expect(canonical(text)).toBe('{"":6,"z":5,"\ud7ff":4,"\ue000":3,"\uffee":2,"😀":1}');
    const words = fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(words, (list) => {
        const ours = list.toSorted(compareCodePoints);
        const points = (word: string): number[] => Array.from(word, (c) => c.codePointAt(0) ?? 0);
        const theirs = list.toSorted((a, b) => {
          const [x, y] = [points(a), points(b)];
          const at = x.findIndex((point, index) => point !== y[index]);
          if (at === -1) return x.length - y.length;
          return (x[at] ?? 0) - (y[at] ?? -1);
        });
        expect(ours).toEqual(theirs);
      }),
    );
  });

  /** Output of the draft's reference implementation (Python). */
  it.each([
    ["0", "0"],
    ["-0", "0"],
    ["-0.0", "-0.0"],
    ["0.0", "0.0"],
    ["1.0", "1.0"],
    ["100.0", "100.0"],
    ["1.50", "1.5"],
    ["-2.5e0", "-2.5"],
    ["1e3", "1000.0"],
    ["1E-4", "0.0001"],
    ["0.00001", "1e-05"],
    ["1.5e-7", "1.5e-07"],
    ["123456789012345.6", "123456789012345.6"],
    ["9999999999999998.0", "9999999999999998.0"],
    ["1e16", "1e+16"],
    ["1.25e16", "1.25e+16"],
    ["1e100", "1e+100"],
    ["5e-324", "5e-324"],
    ["1.7976931348623157e308", "1.7976931348623157e+308"],
    ["9007199254740991", "9007199254740991"],
    ["9007199254740993", "9007199254740993"],
    ["-123456789012345678901234567890", "-123456789012345678901234567890"],
  ])("writes %s as %s", (text, wanted) => {
    expect(canonical(text)).toBe(wanted);
  });

  it("parses back to every double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const text = doubleText(double);
        expect(Object.is(Number(text), double)).toBe(true);
        expect(text).toMatch(/[.e]/);
        expect(canonical(text)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("is a fixed point and has the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (plain) => {
        const value = fromPlain(plain);
        const text = canonicalText(value);
        expect(canonical(text)).toBe(text);
        expect(isEqual(parseExact(text), value)).toBe(true);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(plain)));
      }),
    );
  });

  it("keeps 1 and 1.0 apart", () => {
    expect(isEqual(parseExact("1"), parseExact("1.0"))).toBe(false);
    expect(canonical("[1,1.0]")).toBe("[1,1.0]");
    expect(numberOf("1.0")).toBeInstanceOf(ExactNumber);
  });
});

describe("the parser refuses", () => {
  it.each([
    ['{"a":1,"a":2}', "duplicate-key"],
    ['{"a":1,"\\u0061":2}', "duplicate-key"],
    ['{"__proto__":1,"__proto__":2}', "duplicate-key"],
    ['"\\ud83d"', "lone-surrogate"],
    ['"\\ude00\\ud83d"', "lone-surrogate"],
    ['{"\\ud800":1}', "lone-surrogate"],
    ["1e400", "number-out-of-range"],
    ["-1e400", "number-out-of-range"],
    ["9".repeat(5000), "number-out-of-range"],
    [`${"[".repeat(2000)}${"]".repeat(2000)}`, "too-deep"],
    ["NaN", "syntax"],
    ["Infinity", "syntax"],
    ["01", "syntax"],
    ["1.", "syntax"],
    [".5", "syntax"],
    ["+1", "syntax"],
    ["[1,]", "syntax"],
    ['{"a":1,}', "syntax"],
    ["{'a':1}", "syntax"],
    ['"a\nb"', "syntax"],
    ['"\\x41"', "syntax"],
    ['"a', "syntax"],
    ["1 2", "syntax"],
    ["\ufeff1", "syntax"],
    ["", "syntax"],
    ["tru", "syntax"],
    ["[1}", "syntax"],
  ])("%j as %s", (text, kind) => {
    const fault = faultOf(() => parseExact(text));
    expect(fault.kind).toBe(kind);
  });

  it("bytes that are not UTF-8", () => {
    expect(faultOf(() => parseExactBytes(Buffer.from([0x22, 0xff, 0x22]))).kind).toBe("not-utf8");
    const cut = Buffer.from('"é"').subarray(0, 2);
    expect(faultOf(() => parseExactBytes(cut)).kind).toBe("not-utf8");
  });

  it("a lone surrogate when writing", () => {
    expect(faultOf(() => canonicalText("\ud800")).kind).toBe("lone-surrogate");
  });
});

function faultOf(act: () => unknown): JsonFault {
  try {
    act();
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

it("canonical bytes and canonical text agree", () => {
  expect(canonicalBytes(parseExact('{"é":"世"}')).toString("utf8")).toBe('{"é":"世"}');
});
