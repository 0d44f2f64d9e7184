import { lineEnd } from "./find";
import { BAD, KEY, MAX_KEY_LENGTH } from "./layout";
import { findKey, insideOf, levelOf, listOf, noteEnd, noteStart } from "./tables";
import { rowBytesOf } from "./tables";
import { decode, hasBackslash, text } from "./text";
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, NEWLINE } from "./value";
import { OPEN_LIST, OPEN_OBJECT, QUOTE } from "./value";
import { beginText, countBreaks, space, value } from "./value";

/** A record: its line, its start, its end and its size in bytes, followed by its row. */
const RECORD_LINE: i32 = 0;
const RECORD_START: i32 = 4;
const RECORD_END: i32 = 8;
const RECORD_SIZE: i32 = 12;
const RECORD_ROW: i32 = 16;

/** Where the next record is written, the end of the space for records, and how many there are. */
let next: i32 = 0;
let recordsEnd: i32 = 0;
let records: i32 = 0;
/** The next line of a walk over lines. */
let lineNumber: i32 = 0;
/** Lists are visited in documents, not in lines. */
let visitsLists: bool = false;

/** Sets the space for records of the next walk, and the number of its first line. */
export function begin(start: i32, end: i32, line: i32): void {
  next = start;
  recordsEnd = end;
  records = 0;
  lineNumber = line;
}

/** The number of records written by the last walk. */
export function countRecords(): i32 {
  return records;
}

/** The number of the line where the last walk over lines stopped. */
export function nextLine(): i32 {
  return lineNumber;
}

function fits(size: i32): bool {
  return next + size <= recordsEnd;
}

/** Adds the record at `next`, without its end and its row. */
function add(line: i32, start: i32, size: i32): void {
  store<i32>(next, line, RECORD_LINE);
  store<i32>(next, start, RECORD_START);
  store<i32>(next, size, RECORD_SIZE);
  next += size;
  records += 1;
}

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
  else if (list && visitsLists && first == OPEN_LIST) at = elements(at, list);
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
function record(at: i32, wanted: i32, row: i32): i32 {
  memory.fill(row, 0, rowBytesOf(wanted));
  store<i32>(row, at);
  at = load<u8>(at) == OPEN_OBJECT ? fields(at, levelOf(wanted), row) : value(at);
  store<i32>(row, at, 4);
  return at;
}

/** Writes a value of a document as a record. Returns the offset after it. */
function recordIn(at: i32, wanted: i32): i32 {
  const size = RECORD_ROW + rowBytesOf(wanted);
  if (!fits(size)) return BAD;
  const own = next;
  add(countBreaks() + 1, at, size);
  at = record(at, wanted, own + RECORD_ROW);
  store<i32>(own, at, RECORD_END);
  return at;
}

/** Writes the elements of a list as records. Returns the offset after the list. */
function elements(at: i32, wanted: i32): i32 {
  at = space(at + 1);
  if (load<u8>(at) == CLOSE_LIST) return at + 1;
  while (true) {
    at = recordIn(at, wanted);
    if (at < 0) return BAD;
    at = space(at);
    const byte = load<u8>(at);
    if (byte == CLOSE_LIST) return at + 1;
    if (byte != COMMA) return BAD;
    at = space(at + 1);
  }
}

/**
 * Writes a document to the space for records: first itself, then the elements of its wanted lists.
 * Returns false if it is not JSON, or if there is too little space.
 */
export function document(at: i32, end: i32, wanted: i32): bool {
  beginText(false);
  visitsLists = true;
  at = recordIn(space(at), wanted);
  return at >= 0 && space(at) == end;
}

/**
 * Writes each line between `at` and `end` as a record, except blank ones; the row of a line that is
 * not JSON is empty. Returns where it stopped: at `end`, or at the start of a line for which there
 * was no space.
 */
export function lines(at: i32, end: i32, wanted: i32): i32 {
  beginText(true);
  visitsLists = false;
  const size = RECORD_ROW + rowBytesOf(wanted);
  while (at < end && fits(size)) {
    const own = next;
    let stop = line(at, end, wanted);
    const isJson = stop >= 0;
    if (!isJson) {
      memory.fill(own + RECORD_ROW, 0, rowBytesOf(wanted));
      stop = lineEnd(at, end);
    }
    if (!isJson || load<i32>(own, RECORD_ROW)) {
      add(lineNumber, at, size);
      store<i32>(own, stop, RECORD_END);
    }
    lineNumber += 1;
    at = stop + 1;
  }
  return min(at, end);
}

/**
 * Writes the row of the line that begins here. Returns the end of the line: its line break, or
 * `end`. The row of a blank line is empty.
 */
function line(at: i32, end: i32, wanted: i32): i32 {
  const row = next + RECORD_ROW;
  at = space(at);
  if (isLineEnd(at, end)) {
    store<i32>(row, 0);
    return at;
  }
  at = record(at, wanted, row);
  if (at < 0) return BAD;
  at = space(at);
  return isLineEnd(at, end) ? at : BAD;
}

function isLineEnd(at: i32, end: i32): bool {
  return load<u8>(at) == NEWLINE || at == end;
}
