import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCbor } from "../../src/records/cbor.ts";
import { encodeCbor } from "../../src/records/cbor.ts";
import type { Cbor } from "../../src/records/cbor.ts";
import { CborFault, CborFloat, CborTag } from "../../src/records/cbor.ts";

const decode = (hex: string): Cbor => decodeCbor(Buffer.from(hex, "hex"));

describe("CBOR", () => {
  /** Examples from RFC 8949, appendix A. */
  it.each<[string, Cbor]>([
    ["00", 0],
    ["17", 23],
    ["1818", 24],
    ["1903e8", 1000],
    ["1a000f4240", 1_000_000],
    ["1b000000e8d4a51000", 1_000_000_000_000],
    ["1bffffffffffffffff", 18446744073709551615n],
    ["20", -1],
    ["3863", -100],
    ["3bffffffffffffffff", -18446744073709551616n],
    ["f4", false],
    ["f5", true],
    ["f6", null],
    ["4401020304", Buffer.from([1, 2, 3, 4])],
    ["60", ""],
    ["62c3bc", "ü"],
    ["64f0908591", "𐅑"],
    ["8301820203820405", [1, [2, 3], [4, 5]]],
    ["a201020304", new Map([[1, 2], [3, 4]])], // prettier-ignore
    ["a26161016162820203", new Map<Cbor, Cbor>([["a", 1], ["b", [2, 3]]])], // prettier-ignore
    ["c074323031332d30332d32315432303a30343a30305a", new CborTag(0, "2013-03-21T20:04:00Z")],
    ["fb3ff199999999999a", new CborFloat(1.1)],
  ])("%s", (hex, value) => {
    expect(decode(hex)).toEqual(value);
    expect(encodeCbor(value).toString("hex")).toBe(hex);
  });

  it.each<[string, number]>([
    ["f90000", 0],
    ["f93c00", 1],
    ["f9c400", -4],
    ["f90001", 5.960464477539063e-8],
    ["f97c00", Infinity],
    ["fa47c35000", 100_000],
  ])("reads the short float %s", (hex, value) => {
    expect(decode(hex)).toEqual(new CborFloat(value));
  });

  it.each([
    ["", "cut off"],
    ["18", "cut off"],
    ["4401", "cut off"],
    ["8201", "cut off"],
    ["0000", "follow the item"],
    ["1801", "longer than it must be"],
    ["190001", "longer than it must be"],
    ["1a00000001", "longer than it must be"],
    ["1b0000000000000001", "longer than it must be"],
    ["5801aa", "longer than it must be"],
    ["5f41aaff", "not definite"],
    ["9f01ff", "not definite"],
    ["bf6161f6ff", "not definite"],
    ["1c", "not defined"],
    ["f818", "not defined"],
    ["ff", "not defined"],
    ["61ff", "not UTF-8"],
    ["a201020103", "twice"],
    ["a2616101616102", "twice"],
    ["5bffffffffffffffff", "too large"],
    ["db002000000000001500", "the number of a tag is too large"],
    ["81".repeat(200), "nested too deeply"],
  ])("refuses %s: %s", (hex) => {
    expect(() => decode(hex)).toThrow(CborFault);
  });

  it("decodes what it encodes", () => {
    const { value } = fc.letrec<{ value: Cbor }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array(),
        fc.array(tie("value")),
        fc
          .uniqueArray(fc.string())
          .chain((keys) =>
            fc
              .tuple(...keys.map(() => tie("value")))
              .map(
                (items) =>
                  new Map<Cbor, Cbor>(keys.map((key, index) => [key, items[index] ?? null])),
              ),
          ),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const bytes = encodeCbor(given);
        expect(encodeCbor(decodeCbor(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });

  it("never decodes the same value from two encodings", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        let value: Cbor;
        try {
          value = decodeCbor(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(CborFault);
          return;
        }
        const isFloat = /Float/.test(value?.constructor?.name ?? "");
        if (!isFloat && !hasFloat(value)) expect([...encodeCbor(value)]).toEqual([...bytes]);
      }),
      { numRuns: 3000 },
    );
  });
});

function hasFloat(value: Cbor): boolean {
  if (value instanceof CborFloat) return true;
  if (value instanceof CborTag) return hasFloat(value.value);
  if (Array.isArray(value)) return value.some(hasFloat);
  return value instanceof Map && [...value].flat().some(hasFloat);
}
