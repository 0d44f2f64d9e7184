import type { TimeRange } from "./store.ts";

/** Returns a function that finds the indexes of all ranges that contain a time. */
export function rangeFinder(
  ranges: readonly TimeRange[],
): (atMs: number | undefined) => readonly number[] {
  const holding = (isIn: (range: TimeRange) => boolean): number[] => {
    const numbers: number[] = [];
    for (let number = 0; number < ranges.length; number += 1) {
      const range = ranges[number];
      if (range !== undefined && isIn(range)) numbers.push(number);
    }
    return numbers;
  };
  const timeless = holding((range) => range === "timeless");
  const borders = new Float64Array(
    ranges.flatMap((range) => (range === "timeless" ? [] : [range.from, range.to])),
  ).toSorted();
  // The result is the same for all times between two borders, so it is computed once for each.
  const known: (readonly number[] | undefined)[] = [];
  return (atMs) => {
    if (atMs === undefined) return timeless;
    return (known[passed(borders, atMs)] ??= holding((range) => {
      return range !== "timeless" && atMs >= range.from && atMs < range.to;
    }));
  };
}

/** Binary search: the number of sorted borders that are not later than a time. */
function passed(borders: Float64Array, atMs: number): number {
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((borders[middle] ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
