const NEWLINE: u8 = 0x0a;

/** Returns the end of the line that contains `at`: its line break, or `end`. */
export function lineEnd(at: i32, end: i32): i32 {
  const newline = i8x16.splat(NEWLINE);
  for (; at < end; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), newline));
    if (found) return min(at + ctz(found), end);
  }
  return end;
}

/** Whether two byte ranges are equal. Reads up to 15 bytes past the end of both. */
export function isSame(at: i32, other: i32, length: i32): bool {
  for (; length > 0; length -= 16) {
    const differing = i8x16.bitmask(i8x16.ne(v128.load(at), v128.load(other)));
    const counted = length < 16 ? (1 << length) - 1 : 0xffff;
    if (differing & counted) return false;
    at += 16;
    other += 16;
  }
  return true;
}
