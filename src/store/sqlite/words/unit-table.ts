const FIRST_SLOTS = 1 << 14;
const FIRST_UNITS = 1 << 16;

/** Short texts and their numbers, asked for as UTF-16 units: no string is made to look one up. */
export class UnitTable {
  count = 0;
  /** Number + 1 of the text at a slot; 0 where there is none. */
  #slots = new Int32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS / 2);
  /** Where the units of a text end; they begin where the ones before end. */
  #ends = new Uint32Array(FIRST_SLOTS / 2);
  #units = new Uint16Array(FIRST_UNITS);

  /** The number of the text `[start, end)`; a new one gets the next. */
  // oxlint-disable-next-line max-params -- asked for every word of every text: no object for it
  numberOf(units: Uint16Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    // The lower bits of the hash alone would crowd together.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) break;
      if (this.#hashes[number] === hash && this.#isSame(number, units, start, end)) return number;
      slot = (slot + 1) & mask;
    }
    return this.#add(units.subarray(start, end), { slot, hash });
  }

  // oxlint-disable-next-line max-params -- as above
  #isSame(number: number, units: Uint16Array, start: number, end: number): boolean {
    const own = this.#units;
    let from = number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
    if ((this.#ends[number] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at += 1, from += 1) if (own[from] !== units[at]) return false;
    return true;
  }

  #add(text: Uint16Array, { slot, hash }: { slot: number; hash: number }): number {
    const number = this.count;
    const from = number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
    while (from + text.length > this.#units.length) this.#units = doubled(this.#units);
    this.#units.set(text, from);
    this.#ends[number] = from + text.length;
    this.#hashes[number] = hash;
    this.#slots[slot] = number + 1;
    this.count += 1;
    if (this.count === this.#hashes.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.#hashes = doubled(this.#hashes);
    this.#ends = doubled(this.#ends);
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number += 1) {
      const hash = this.#hashes[number] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

/** The same numbers in a list of twice the length. */
export function doubled<T extends Int32Array | Uint32Array | Uint16Array>(list: T): T {
  const Longer = list.constructor as new (length: number) => T;
  const longer = new Longer(list.length * 2);
  longer.set(list);
  return longer;
}

/** The hash of a text is made unit by unit. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}
