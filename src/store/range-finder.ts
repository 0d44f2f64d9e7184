import type { TimeRange } from "./store.ts";

/** The numbers of all ranges that hold a time. Replies of one hour lie in the same ones, mostly. */
export function rangeFinder(
  ranges: readonly TimeRange[],
): (atMs: number | undefined) => readonly number[] {
  const holding = (isIn: (range: (typeof ranges)[number]) => boolean): number[] =>
    ranges.flatMap((range, number) => (isIn(range) ? [number] : []));
  const timeless = holding((range) => range === "timeless");
  const borders = ranges.flatMap((range) => (range === "timeless" ? [] : [range.from, range.to]));
  let last = { from: 0, to: 0, numbers: timeless };
  return (atMs) => {
    if (atMs === undefined) return timeless;
    if (atMs >= last.from && atMs < last.to) return last.numbers;
    const numbers = holding((range) => {
      return range !== "timeless" && atMs >= range.from && atMs < range.to;
    });
    // Between two borders nothing changes.
    const from = borders.reduce(
      (known, at) => (at <= atMs ? Math.max(known, at) : known),
      -Infinity,
    );
    const to = borders.reduce((known, at) => (at > atMs ? Math.min(known, at) : known), Infinity);
    last = { from, to, numbers };
    return numbers;
  };
}
