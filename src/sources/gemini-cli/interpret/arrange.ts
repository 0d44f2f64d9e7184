/**
 * Inserts new items into a list. Given items in a new order, each unknown item goes before the next
 * known item; unknown items after the last known one go to the end.
 */
export class Arrangement<T> {
  readonly #before = new Map<T, T[]>();
  #waiting: T[] = [];

  /** The next item in the new order is not in the list. */
  add(item: T): void {
    this.#waiting.push(item);
  }

  /** The next item in the new order is in the list. */
  meet(known: T): void {
    if (this.#waiting.length === 0) return;
    this.#before.set(known, [...(this.#before.get(known) ?? []), ...this.#waiting]);
    this.#waiting = [];
  }

  /** Copies the list only if something must be inserted before a known item. */
  into(list: T[]): T[] {
    const arranged = this.#before.size === 0 ? list : this.#between(list);
    for (const item of this.#waiting) arranged.push(item);
    return arranged;
  }

  #between(list: readonly T[]): T[] {
    const arranged: T[] = [];
    for (const item of list) {
      for (const earlier of this.#before.get(item) ?? []) arranged.push(earlier);
      arranged.push(item);
    }
    return arranged;
  }
}

interface Timed {
  at?: string | undefined;
}

/**
 * Merges two lists by time, preserving the order of each. Items without a time stay after the item
 * that they follow.
 */
export function mergeByTime<T extends Timed>(first: readonly T[], second: readonly T[]): T[] {
  const merged: T[] = [];
  let taken = 0;
  const take = (upTo: string): void => {
    for (; taken < second.length; taken += 1) {
      const item = second[taken];
      if (item === undefined || (item.at !== undefined && item.at >= upTo)) return;
      merged.push(item);
    }
  };
  for (const item of first) {
    if (item.at !== undefined) take(item.at);
    merged.push(item);
  }
  for (const item of second.slice(taken)) merged.push(item);
  return merged;
}
