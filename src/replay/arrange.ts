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

  into(list: readonly T[]): T[] {
    const arranged = list.flatMap((item) => [...(this.#before.get(item) ?? []), item]);
    return [...arranged, ...this.#waiting];
  }
}
