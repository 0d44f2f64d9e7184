/**
 * Puts new items into a list, each before the known item that it precedes in the order in which
 * they were told; what precedes nothing known comes at the end.
 */
export class Arrangement<T> {
  readonly #before = new Map<T, T[]>();
  #waiting: T[] = [];

  /** Next in the told order comes an item that the list does not have. */
  add(item: T): void {
    this.#waiting.push(item);
  }

  /** Next in the told order comes an item that the list has. */
  meet(known: T): void {
    if (this.#waiting.length === 0) return;
    this.#before.set(known, [...(this.#before.get(known) ?? []), ...this.#waiting]);
    this.#waiting = [];
  }

  /** Makes the list anew only when something stands before a known item. */
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

/** Two lists as one, each in its order; what has no time stays behind what it follows. */
export function inTime<T extends Timed>(first: readonly T[], second: readonly T[]): T[] {
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
