import { encodeCbor } from "./encode.ts";
import type { Cbor, CborMap } from "./value.ts";
import { CborFault, CborFloat, CborSimple, CborTag } from "./value.ts";

const MAX_DEPTH = 64;

/**
 * Reads exactly one item, strictly: nothing may follow it, lengths must be definite, integers and
 * lengths as short as can be, texts UTF-8, keys of a map different. What is signed must not be
 * writable in two ways.
 */
export function decodeCbor(bytes: Uint8Array): Cbor {
  const decoder = new Decoder(bytes);
  const value = decoder.item(0);
  decoder.mustEnd();
  return value;
}

class Decoder {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  mustEnd(): void {
    const left = this.#bytes.length - this.#at;
    if (left > 0) throw new CborFault(this.#at, `${left} byte(s) follow the item`);
  }

  item(depth: number): Cbor {
    if (depth > MAX_DEPTH) throw new CborFault(this.#at, "items are nested too deeply");
    const at = this.#at;
    const first = this.#take(1)[0] as number;
    const major = first >> 5;
    if (major === 7) return this.#simple(first & 31, at);
    const argument = this.#argument(first & 31, at);
    if (major === 0) return narrow(argument);
    if (major === 1) return narrow(-1n - argument);
    if (major === 6) return new CborTag(this.#length(argument, at), this.item(depth + 1));
    const length = this.#length(argument, at);
    if (major === 2) return Buffer.from(this.#take(length));
    if (major === 3) return this.#text(length);
    return major === 4 ? this.#list(length, depth) : this.#map(length, depth);
  }

  #argument(short: number, at: number): bigint {
    if (short < 24) return BigInt(short);
    if (short > 27) {
      throw new CborFault(at, short === 31 ? "a length is not definite" : "a head is not defined");
    }
    const size = 1 << (short - 24);
    const value = this.#take(size).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    const least = size === 1 ? 24n : 1n << BigInt(size * 4);
    if (value < least) throw new CborFault(at, "a number is longer than it must be");
    return value;
  }

  #length(argument: bigint, at: number): number {
    if (argument > BigInt(Number.MAX_SAFE_INTEGER))
      throw new CborFault(at, "a length is too large");
    return Number(argument);
  }

  #text(length: number): string {
    const at = this.#at;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.#take(length));
    } catch (error) {
      if (error instanceof CborFault) throw error;
      throw new CborFault(at, "a text is not UTF-8");
    }
  }

  #list(length: number, depth: number): Cbor[] {
    const list: Cbor[] = [];
    for (let index = 0; index < length; index += 1) list.push(this.item(depth + 1));
    return list;
  }

  #map(length: number, depth: number): CborMap {
    const map: CborMap = new Map();
    const seen = new Set<string>();
    for (let index = 0; index < length; index += 1) {
      const at = this.#at;
      const key = this.item(depth + 1);
      const name = encodeCbor(key).toString("latin1");
      if (seen.has(name)) throw new CborFault(at, "a key stands twice in one map");
      seen.add(name);
      map.set(key, this.item(depth + 1));
    }
    return map;
  }

  #simple(short: number, at: number): Cbor {
    if (short === 20) return false;
    if (short === 21) return true;
    if (short === 22) return null;
    if (short === 25) return new CborFloat(halfFloat(this.#take(2).readUInt16BE()));
    if (short === 26) return new CborFloat(this.#take(4).readFloatBE());
    if (short === 27) return new CborFloat(this.#take(8).readDoubleBE());
    if (short < 24) return new CborSimple(short);
    const number = short === 24 ? this.#take(1)[0] : undefined;
    if (number === undefined || number < 32)
      throw new CborFault(at, "a simple value is not defined");
    return new CborSimple(number);
  }

  #take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new CborFault(this.#bytes.length, "the item is cut off");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** 1 bit sign, 5 bits exponent, 10 bits fraction. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
