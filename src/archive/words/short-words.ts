/**
 * Words of at most ten ASCII letters and digits, each of them six bits: two numbers of 30 bits are
 * the whole word, and two words are the same when both are. Nearly all words are that short.
 */
export class ShortWords {
  /** Four numbers to a slot: both halves, the word's number + 1, and nothing. */
  #slots = new Int32Array(FIRST_SLOTS * 4);
  /** Slots begin at multiples of four. */
  #mask = FIRST_SLOTS * 4 - 4;
  #count = 0;

  /** The number of a word; -1 when it is new. */
  find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let at = hashOf(high, low) & mask;
    for (;;) {
      const number = (slots[at + 2] ?? 0) - 1;
      if (slots[at + 1] === low && slots[at] === high) return number;
      if (number < 0) return -1;
      at = (at + 4) & mask;
    }
  }

  add(high: number, low: number, number: number): void {
    if (this.#count * 8 >= this.#slots.length) this.#grow();
    this.#put(high, low, number);
    this.#count += 1;
  }

  #put(high: number, low: number, number: number): void {
    let at = hashOf(high, low) & this.#mask;
    while (this.#slots[at + 2] !== 0) at = (at + 4) & this.#mask;
    this.#slots.set([high, low, number + 1], at);
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#mask = this.#slots.length - 4;
    for (let at = 0; at < old.length; at += 4) {
      const [high = 0, low = 0, number = 0] = old.subarray(at, at + 3);
      if (number > 0) this.#put(high, low, number - 1);
    }
  }
}

const FIRST_SLOTS = 1 << 13;
export const SHORT = 10;

function hashOf(high: number, low: number): number {
  const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
