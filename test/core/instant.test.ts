import fc from "fast-check";
import { expect, test } from "vitest";
import { instantOf } from "../../src/core/instant.ts";

const two = (value: number): string => String(value).padStart(2, "0");

test("instantOf equals Date.parse for every day from 1968 to 2110", () => {
  for (let year = 1968; year <= 2110; year += 1) {
    for (let month = 1; month <= 12; month += 1) {
      for (let day = 1; day <= 31; day += 1) {
        const text = `${year}-${two(month)}-${two(day)}T13:07:59.001Z`;
        expect(instantOf(text)).toBe(Date.parse(text));
      }
    }
  }
});

test("instantOf equals Date.parse for any time and for damaged times", () => {
  const field = (most: number): fc.Arbitrary<number> => fc.nat(most + 3);
  const cut = fc.record({ at: fc.nat(24), put: fc.constantFrom("", "x", "-", "0", " ", "é", "+") });
  const times = fc.tuple(fc.nat(9999), field(12), field(31), field(24), field(60), field(60));
  const cases = fc.property(times, fc.nat(999), fc.option(cut), (parts, ms, change) => {
    const [year, month, day, hour, minute, second] = parts;
    const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
    const time = `${two(hour)}:${two(minute)}:${two(second)}.${String(ms).padStart(3, "0")}Z`;
    let text = `${date}T${time}`;
    if (change) text = text.slice(0, change.at) + change.put + text.slice(change.at + 1);
    expect(instantOf(text)).toBe(Date.parse(text));
  });
  fc.assert(cases, { numRuns: 5000 });
});
