/**
 * Lists of any length. A function takes some hundred thousand arguments at most: a longer list that
 * is spread into a call (`push(...list)`, `Math.max(...list)`) throws, and sessions are as long as
 * their agents, or whoever else wrote them, made them.
 */

/** Adds all items to the end of a list. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The largest of some values, and no less than `least`. */
export function largest(
  values: Iterable<number>,
  least: number = Number.NEGATIVE_INFINITY,
): number {
  let found = least;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** The smallest of some values, and no more than `most`. */
export function smallest(
  values: Iterable<number>,
  most: number = Number.POSITIVE_INFINITY,
): number {
  let found = most;
  for (const value of values) found = Math.min(found, value);
  return found;
}
