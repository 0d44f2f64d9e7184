import fc from "fast-check";
import { expect, test } from "vitest";
import { byPlace } from "../../src/ingest/archived-home.ts";

/** Name by name, as a walk goes. */
function byNames(a: { path: string }, b: { path: string }): number {
  const [left, right] = [a.path.split(/[\\/]/), b.path.split(/[\\/]/)];
  for (const [at, name] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (name !== other) return name < other ? -1 : 1;
  }
  return left.length - right.length;
}

test("files stand in the order of a walk over the disk", () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "b", "-", ".", "é", "~", " "),
    maxLength: 3,
  });
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => ({
    path: names.join("/"),
  }));
  fc.assert(
    fc.property(path, path, (a, b) => {
      expect(Math.sign(byPlace(a, b))).toBe(Math.sign(byNames(a, b)));
    }),
    { numRuns: 2000 },
  );
});
