import type { Cbor } from "./value.ts";
import { CborFloat, CborSimple, CborTag } from "./value.ts";

/**
 * One value as bytes: lengths definite, integers as short as can be. Members of a map are written
 * in the order they have, so the same map gives the same bytes.
 *
 *     Map {1 → -7} → a1 01 26
 */
export function encodeCbor(value: Cbor): Buffer {
  const pieces: Uint8Array[] = [];
  write(value, pieces);
  return Buffer.concat(pieces);
}

/** The first byte(s) of an item: its kind, and its length or number. */
export function encodeHead(major: number, argument: number | bigint): Buffer {
  const kind = major << 5;
  if (argument < 24) return Buffer.of(kind | Number(argument));
  if (argument < 0x100) return Buffer.of(kind | 24, Number(argument));
  const head = Buffer.alloc(9);
  if (argument < 0x10000) {
    head[0] = kind | 25;
    head.writeUInt16BE(Number(argument), 1);
    return head.subarray(0, 3);
  }
  if (argument < 0x1_0000_0000) {
    head[0] = kind | 26;
    head.writeUInt32BE(Number(argument), 1);
    return head.subarray(0, 5);
  }
  head[0] = kind | 27;
  head.writeBigUInt64BE(BigInt(argument), 1);
  return head;
}

function write(value: Cbor, pieces: Uint8Array[]): void {
  if (typeof value === "number" || typeof value === "bigint") pieces.push(integer(value));
  else if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    pieces.push(encodeHead(3, bytes.length), bytes);
  } else if (value instanceof Uint8Array) pieces.push(encodeHead(2, value.length), value);
  else if (value === false) pieces.push(Buffer.of(0xf4));
  else if (value === true) pieces.push(Buffer.of(0xf5));
  else if (value === null) pieces.push(Buffer.of(0xf6));
  else writeCompound(value, pieces);
}

function writeCompound(
  value: CborFloat | CborSimple | CborTag | Cbor[] | Map<Cbor, Cbor>,
  pieces: Uint8Array[],
): void {
  if (value instanceof CborTag) {
    pieces.push(encodeHead(6, value.tag));
    write(value.value, pieces);
  } else if (value instanceof CborFloat) {
    const bytes = Buffer.alloc(9, 0xfb);
    bytes.writeDoubleBE(value.value, 1);
    pieces.push(bytes);
  } else if (value instanceof CborSimple) pieces.push(encodeHead(7, value.number));
  else if (Array.isArray(value)) {
    pieces.push(encodeHead(4, value.length));
    for (const item of value) write(item, pieces);
  } else {
    pieces.push(encodeHead(5, value.size));
    for (const [key, item] of value) {
      write(key, pieces);
      write(item, pieces);
    }
  }
}

function integer(value: number | bigint): Buffer {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RangeError("a plain number must be whole; fractions are CborFloat");
  }
  return value < 0 ? encodeHead(1, -1n - BigInt(value)) : encodeHead(0, value);
}
