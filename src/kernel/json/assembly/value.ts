import { BAD, MAX_DEPTH, STACK } from "./layout";
import { text } from "./text";

const TAB: u8 = 0x09;
export const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
export const QUOTE: u8 = 0x22;
const PLUS: u8 = 0x2b;
export const COMMA: u8 = 0x2c;
const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;
export const COLON: u8 = 0x3a;
export const OPEN_LIST: u8 = 0x5b;
export const CLOSE_LIST: u8 = 0x5d;
export const OPEN_OBJECT: u8 = 0x7b;
export const CLOSE_OBJECT: u8 = 0x7d;

const RUE: u32 = 0x65_75_72;
const ALSE: u32 = 0x65_73_6c_61;
const ULL: u32 = 0x6c_6c_75;
const THREE_BYTES: u32 = 0xff_ff_ff;

/** Number of line breaks seen between values. */
let breaks: i32 = 0;
/** Line breaks are not white space: the value must be on one line. */
let isOneLine: bool = false;

export function countBreaks(): i32 {
  return breaks;
}

/** Resets the count of line breaks. */
export function beginText(oneLine: bool): void {
  breaks = 0;
  isOneLine = oneLine;
}

/** Skips white space; usually there is none. */
export function space(at: i32): i32 {
  return load<u8>(at) > SPACE ? at : passSpace(at);
}

/** Counts line breaks and skips up to 16 spaces of indentation at once. */
function passSpace(at: i32): i32 {
  while (true) {
    const byte = load<u8>(at);
    if (byte == NEWLINE) {
      if (isOneLine) return at;
      breaks += 1;
      at += 1;
      const others = i8x16.bitmask(i8x16.ne(v128.load(at), i8x16.splat(SPACE)));
      at += ctz(others | 0x1_0000);
    } else if (byte == SPACE || byte == TAB || byte == RETURN) at += 1;
    else return at;
  }
}

/** Returns the offset after one or more digits. */
function digits(at: i32): i32 {
  if (((load<u8>(at) - ZERO) as u8) > 9) return BAD;
  do at += 1;
  while (((load<u8>(at) - ZERO) as u8) <= 9);
  return at;
}

/** Returns the offset after a number: `-12.5e+3`, without leading zeroes. */
function number(at: i32): i32 {
  if (load<u8>(at) == MINUS) at += 1;
  if (load<u8>(at) == ZERO) at += 1;
  else {
    at = digits(at);
    if (at < 0) return BAD;
  }
  if (load<u8>(at) == POINT) {
    at = digits(at + 1);
    if (at < 0) return BAD;
  }
  if ((load<u8>(at) | 0x20) == 0x65) {
    at += 1;
    const sign = load<u8>(at);
    if (sign == PLUS || sign == MINUS) at += 1;
    at = digits(at);
  }
  return at;
}

/** Returns the offset after `true`, `false`, `null` or a number. */
function scalar(at: i32): i32 {
  switch (load<u8>(at)) {
    case 0x74: // t
      return (load<u32>(at + 1) & THREE_BYTES) == RUE ? at + 4 : BAD;
    case 0x66: // f
      return load<u32>(at + 1) == ALSE ? at + 5 : BAD;
    case 0x6e: // n
      return (load<u32>(at + 1) & THREE_BYTES) == ULL ? at + 4 : BAD;
    default:
      return number(at);
  }
}

/** Moves from the key of a field to its value. */
function key(at: i32): i32 {
  if (load<u8>(at) != QUOTE) return BAD;
  at = text(at + 1);
  if (at < 0) return BAD;
  at = space(at);
  return load<u8>(at) == COLON ? space(at + 1) : BAD;
}

/** Returns the offset after the value that begins here, of any type. */
export function value(at: i32): i32 {
  let depth = 0;
  while (true) {
    const first = load<u8>(at);
    if (first == QUOTE) at = text(at + 1);
    else if (first == OPEN_OBJECT || first == OPEN_LIST) {
      // For both kinds of brackets, the code of the closing one is the opening one's plus two.
      const close = (first + 2) as u8;
      at = space(at + 1);
      if (load<u8>(at) != close) {
        if (depth == MAX_DEPTH) return BAD;
        store<u8>(STACK + depth, close);
        depth += 1;
        if (close == CLOSE_OBJECT) at = key(at);
        if (at < 0) return BAD;
        continue;
      }
      at += 1;
    } else at = scalar(at);
    if (at < 0) return BAD;
    while (true) {
      if (depth == 0) return at;
      at = space(at);
      const byte = load<u8>(at);
      const close = load<u8>(STACK + depth - 1);
      if (byte == COMMA) {
        at = space(at + 1);
        if (close == CLOSE_OBJECT) at = key(at);
        if (at < 0) return BAD;
        break;
      }
      if (byte != close) return BAD;
      at += 1;
      depth -= 1;
    }
  }
}
