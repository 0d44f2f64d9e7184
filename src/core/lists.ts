/**
 * Functions for lists of any length. A call takes some hundred thousand arguments at most, so
 * spreading a longer list into a call (`push(...list)`, `Math.max(...list)`) throws, and the length
 * of sessions is not under our control.
 */

/** Appends all items to a list. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** Returns the largest value, but at least `least`. */
export function largest(
  values: Iterable<number>,
  least: number = Number.NEGATIVE_INFINITY,
): number {
  let found = least;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** Returns the smallest value; infinity if there is none. */
export function smallest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const value of values) found = Math.min(found, value);
  return found;
}

/** Compares texts by their UTF-16 units, for an order that is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
