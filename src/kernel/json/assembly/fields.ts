import { BAD, KEY, MAX_KEY_LENGTH } from "./layout";
import { findKey, insideOf, levelOf, listOf, noteEnd, noteStart } from "./tables";
import { rowBytesOf, rowOf } from "./tables";
import { decode, hasBackslash, text } from "./text";
import { CLOSE_OBJECT, COLON, COMMA, NEWLINE, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./value";
import { begin, space, value } from "./value";

/**
 * Implemented by the host: visits the elements of a list. Returns the offset after the list, or
 * `BAD`.
 */
declare function visitList(list: i32, at: i32): i32;

/** Returns the wanted key between two quotes, or 0. The key may contain escapes. */
function wantedKey(level: i32, at: i32, end: i32): i32 {
  const found = findKey(level, at, end - at);
  if (found || !hasBackslash(at, end)) return found;
  const length = decode(at, KEY, MAX_KEY_LENGTH);
  return length < 0 ? 0 : findKey(level, KEY, length);
}

/** Notes the range of a wanted key's value in the row. Returns the offset after the value. */
function wantedValue(at: i32, key: i32, row: i32): i32 {
  if (!noteStart(row, key, at)) return BAD;
  const first = load<u8>(at);
  const inside = insideOf(key);
  const list = listOf(key);
  if (inside && first == OPEN_OBJECT) at = fields(at, inside, row);
  else if (list && first == OPEN_LIST) at = visitList(list, at);
  else at = value(at);
  noteEnd(row, key, at);
  return at;
}

/**
 * Notes the ranges of the wanted values of an object in the row. Returns the offset after the
 * object.
 */
function fields(at: i32, level: i32, row: i32): i32 {
  at = space(at + 1);
  if (load<u8>(at) == CLOSE_OBJECT) return at + 1;
  while (true) {
    if (load<u8>(at) != QUOTE) return BAD;
    const from = at + 1;
    at = text(from);
    if (at < 0) return BAD;
    const key = wantedKey(level, from, at - 1);
    at = space(at);
    if (load<u8>(at) != COLON) return BAD;
    at = space(at + 1);
    at = key ? wantedValue(at, key, row) : value(at);
    if (at < 0) return BAD;
    at = space(at);
    const byte = load<u8>(at);
    if (byte == CLOSE_OBJECT) return at + 1;
    if (byte != COMMA) return BAD;
    at = space(at + 1);
  }
}

/**
 * Returns the offset after a value. The first slot of the row is the value itself, followed by the
 * wanted keys.
 */
export function record(at: i32, wanted: i32): i32 {
  const row = rowOf(wanted);
  memory.fill(row, 0, rowBytesOf(wanted));
  store<i32>(row, at);
  at = load<u8>(at) == OPEN_OBJECT ? fields(at, levelOf(wanted), row) : value(at);
  store<i32>(row, at, 4);
  return at;
}

/**
 * Like `record`, for the line that begins here. Returns the end of the line: its line break, or
 * `end`. A blank line leaves the row empty.
 */
export function line(at: i32, end: i32, wanted: i32): i32 {
  begin(true);
  at = space(at);
  if (isLineEnd(at, end)) {
    memory.fill(rowOf(wanted), 0, rowBytesOf(wanted));
    return at;
  }
  at = record(at, wanted);
  if (at < 0) return BAD;
  at = space(at);
  return isLineEnd(at, end) ? at : BAD;
}

function isLineEnd(at: i32, end: i32): bool {
  return load<u8>(at) == NEWLINE || at == end;
}
