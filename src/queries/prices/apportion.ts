/** A number as its whole part and its remainder; `rest` is only used for comparing. */
export interface Part {
  whole: number;
  rest: number;
}

/**
 * Rounds parts so that they add up to the rounded sum: each is rounded down or up, and those with
 * the largest remainders are rounded up.
 */
export function apportion(parts: readonly Part[], sum: number): number[] {
  const rounded = parts.map(({ whole }) => whole);
  const missing = sum - rounded.reduce((total, whole) => total + whole, 0);
  const order = parts.map((_part, index) => index);
  const restOf = (index: number): number => parts[index]?.rest ?? 0;
  const upwards = order.toSorted((a, b) => restOf(b) - restOf(a) || a - b).slice(0, missing);
  for (const index of upwards) rounded[index] = (rounded[index] ?? 0) + 1;
  return rounded;
}
