import { doubled } from "./unit-table.ts";

/** Numbers one after the other, in a list that grows. */
export class NumberList {
  items: Uint32Array = new Uint32Array(1 << 16);
  length = 0;

  add(items: Uint32Array): void {
    const { length } = items;
    while (this.length + length > this.items.length) this.grow();
    // A few are sooner put one by one.
    if (length > 24) this.items.set(items, this.length);
    else for (let at = 0; at < length; at += 1) this.items[this.length + at] = items[at] ?? 0;
    this.length += length;
  }

  push(item: number): void {
    if (this.length === this.items.length) this.grow();
    this.items[this.length] = item;
    this.length += 1;
  }

  /** Makes room for more. */
  protected grow(): void {
    this.items = doubled(this.items);
  }
}
