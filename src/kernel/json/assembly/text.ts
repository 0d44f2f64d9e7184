import { BAD } from "./layout";

const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const LETTER_N: u8 = 0x6e;
const EVERY_SECOND_BIT: i32 = 0xaaaa_aaaa;

/** Returns one bit per input byte (32 in total): whether it equals `byte`. */
function bitsWith(low: v128, high: v128, byte: u8): i32 {
  const wanted = i8x16.splat(byte);
  const bits = i8x16.bitmask(i8x16.eq(high, wanted)) << 16;
  return bits | i8x16.bitmask(i8x16.eq(low, wanted));
}

function bitsBelowSpace(low: v128, high: v128): i32 {
  const space = i8x16.splat(SPACE);
  return (i8x16.bitmask(i8x16.lt_u(high, space)) << 16) | i8x16.bitmask(i8x16.lt_u(low, space));
}

/**
 * Returns the offset after a string whose opening quote is before `at`. Scans 32 bytes at a time,
 * without a branch for each escape: in a row of backslashes, the first escapes the second, the
 * third escapes the fourth.
 *
 *     bytes    say \"s\n\\" …       escaping backslashes are found with a subtraction, whose
 *     escaped  .....1..1.1.         carry runs through consecutive backslashes
 *     end      ...........1         the first quote that is not escaped
 */
export function text(at: i32): i32 {
  let carried = 0;
  while (true) {
    const low = v128.load(at);
    const high = v128.load(at, 16);
    const quotes = bitsWith(low, high, QUOTE);
    const slashes = bitsWith(low, high, BACKSLASH);
    // Backslashes that may escape; the first byte may be escaped by the previous block.
    let starts = slashes & ~carried;
    let escaped = (((starts << 1) | EVERY_SECOND_BIT) - starts) ^ EVERY_SECOND_BIT;
    starts = escaped & slashes;
    escaped ^= slashes | carried;
    carried = starts >>> 31;
    const end = quotes & ~escaped;
    // All bits below the lowest bit of `end`; all bits if `end` is zero.
    const inside = (end & -end) - 1;
    if (v128.any_true(i8x16.lt_u(i8x16.min_u(low, high), i8x16.splat(SPACE)))) {
      if (inside & bitsBelowSpace(low, high)) return BAD;
    }
    // Skips the check for the most common escapes: line breaks, quotes and backslashes.
    escaped &= inside & ~(quotes | slashes | bitsWith(low, high, LETTER_N));
    if (escaped && !mayEscape(at, escaped)) return BAD;
    if (end) return at + ctz(end) + 1;
    at += 32;
  }
}

/** Whether the bytes at all set bits may follow a backslash. */
function mayEscape(from: i32, bits: i32): bool {
  do {
    const at = from + ctz(bits);
    const byte = load<u8>(at);
    if (byte == 0x75) {
      for (let digit = 1; digit <= 4; digit += 1)
        if (hexValue(load<u8>(at + digit)) < 0) return false;
    } else if (escapedByte(byte) == 0) return false;
    bits &= bits - 1;
  } while (bits);
  return true;
}

/** Returns the byte that an escape stands for; 0 if the letter is not a valid escape. */
function escapedByte(letter: u8): u8 {
  switch (letter) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // slash
      return letter;
    case 0x62: // b
      return 8;
    case 0x66: // f
      return 12;
    case LETTER_N:
      return 10;
    case 0x72: // r
      return 13;
    case 0x74: // t
      return 9;
    default:
      return 0;
  }
}

function hexValue(byte: u8): i32 {
  const digit = (byte as i32) - 0x30;
  if ((digit as u32) < 10) return digit;
  const letter = ((byte as i32) | 0x20) - 0x61;
  return (letter as u32) < 6 ? letter + 10 : -1;
}

/**
 * Copies a string (from after its opening quote to its closing quote) to `to` without its escapes.
 * Returns its length, or -1 if it is longer than `room` or escapes a non-ASCII character: then it
 * cannot be a wanted key. The escapes must have been validated before.
 */
export function decode(at: i32, to: i32, room: i32): i32 {
  let length = 0;
  for (let byte = load<u8>(at); byte != QUOTE; byte = load<u8>(at)) {
    at += 1;
    if (byte == BACKSLASH) {
      const letter = load<u8>(at);
      at += 1;
      byte = escapedByte(letter);
      if (letter == 0x75) {
        if (load<u8>(at) != 0x30 || load<u8>(at + 1) != 0x30) return -1;
        const code = (hexValue(load<u8>(at + 2)) << 4) | hexValue(load<u8>(at + 3));
        if (code > 0x7f) return -1;
        byte = code as u8;
        at += 4;
      }
    }
    if (length == room) return -1;
    store<u8>(to + length, byte);
    length += 1;
  }
  return length;
}

/** Clears the bits of bytes at or after `end`, for a block of 16 bytes. */
function bitsBefore(bits: i32, at: i32, end: i32): i32 {
  const left = end - at;
  return left < 16 ? bits & ((1 << left) - 1) : bits;
}

export function hasBackslash(at: i32, end: i32): bool {
  const backslash = i8x16.splat(BACKSLASH);
  for (; at < end; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), backslash));
    if (bitsBefore(found, at, end)) return true;
  }
  return false;
}

/** Whether all bytes are ASCII and none is a backslash: the bytes are then the string itself. */
export function isPlain(at: i32, end: i32): bool {
  const backslash = i8x16.splat(BACKSLASH);
  for (; at < end; at += 16) {
    const bytes = v128.load(at);
    // The highest bit of non-ASCII bytes is set.
    const others = i8x16.bitmask(v128.or(bytes, i8x16.eq(bytes, backslash)));
    if (bitsBefore(others, at, end)) return false;
  }
  return true;
}
