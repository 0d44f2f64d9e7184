import { createHash } from "node:crypto";

/** Pseudo-random numbers and ids, the same in every run. */
export class Chance {
  #state;
  #seed;
  #ids = 0;

  constructor(seed) {
    this.#seed = seed;
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** mulberry32: small, and the same on every machine. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(low, high) {
    return Math.floor(low + this.next() * (high - low + 1));
  }

  /** Letters and digits, like the ids of old subagents. */
  letters(count) {
    return BigInt(`0x${this.#hex("letters")}`)
      .toString(36)
      .slice(0, count);
  }

  hex(count) {
    return this.#hex("hex").slice(0, count);
  }

  uuid() {
    const hex = this.#hex("uuid");
    const variant = "89ab"[parseInt(hex[16], 16) % 4];
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join("-");
  }

  #hex(kind) {
    this.#ids += 1;
    return createHash("sha256").update(`${this.#seed}:${kind}:${this.#ids}`).digest("hex");
  }
}

export function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}
