import { isSame } from "./find";
import { FIRST, KEY, TABLES } from "./layout";

/**
 * Wanted fields: the size of a row in bytes, and the level of the top-level keys.
 */
const FIELDS_ROW_BYTES: i32 = 0;
const FIELDS_LEVEL: i32 = 16;

/** A level is a hash table with 32 chains of wanted keys; `chainOf` is the hash function. */
const CHAINS: i32 = 32;
const LEVEL_BYTES: i32 = CHAINS * 4;

/**
 * A wanted key: the next key of its chain, its length, the offset of its note in the row, the size
 * of that note and of all notes nested in it, the level of the keys inside its value, and the
 * wanted fields of its elements if its value is a list that is visited.
 */
const KEY_NEXT: i32 = 0;
const KEY_LENGTH: i32 = 4;
const KEY_NOTE: i32 = 8;
const KEY_NOTE_BYTES: i32 = 12;
const KEY_INSIDE: i32 = 16;
const KEY_LIST: i32 = 20;
const KEY_BYTES: i32 = 32;

/** A note: the start and the end of a value. */
const NOTE_BYTES: i32 = 8;

let free: i32 = TABLES;

/** Allocates zeroed bytes; returns 0 if there is no room left. */
function claim(count: i32): i32 {
  const from = free;
  const to = from + ((count + 15) & ~15);
  if (to > FIRST) return 0;
  free = to;
  memory.fill(from, 0, count);
  return from;
}

/** Adds wanted fields with this number of slots; returns 0 if there is no room left. */
export function addFields(slots: i32): i32 {
  const fields = claim(FIELDS_LEVEL + LEVEL_BYTES);
  if (fields) store<i32>(fields, slots * NOTE_BYTES, FIELDS_ROW_BYTES);
  return fields;
}

export function rowBytesOf(fields: i32): i32 {
  return load<i32>(fields, FIELDS_ROW_BYTES);
}

export function levelOf(fields: i32): i32 {
  return fields + FIELDS_LEVEL;
}

/** Adds the key stored at `KEY` to a level. */
export function addKey(level: i32, length: i32): i32 {
  const key = claim(KEY_BYTES + length);
  if (!key) return 0;
  memory.copy(key + KEY_BYTES, KEY, length);
  store<i32>(key, length, KEY_LENGTH);
  const chain = chainOf(level, KEY, length);
  store<i32>(key, load<i32>(chain), KEY_NEXT);
  store<i32>(chain, key);
  return key;
}

/** Sets the slot of a key; the slots of nested keys follow it. */
export function setSlot(key: i32, slot: i32, slots: i32): void {
  store<i32>(key, slot * NOTE_BYTES, KEY_NOTE);
  store<i32>(key, slots * NOTE_BYTES, KEY_NOTE_BYTES);
}

/** Sets the wanted fields of the elements of a list. */
export function setList(key: i32, list: i32): void {
  store<i32>(key, list, KEY_LIST);
}

/** Adds a level for the keys inside a key's value. */
export function addInside(key: i32): i32 {
  const level = claim(LEVEL_BYTES);
  store<i32>(key, level, KEY_INSIDE);
  return level;
}

export function insideOf(key: i32): i32 {
  return load<i32>(key, KEY_INSIDE);
}

export function listOf(key: i32): i32 {
  return load<i32>(key, KEY_LIST);
}

/**
 * Notes in a row where the value of a key begins. Returns false if the key's list was already
 * visited.
 */
export function noteStart(row: i32, key: i32, at: i32): bool {
  const note = row + load<i32>(key, KEY_NOTE);
  if (load<i32>(note)) {
    // The last value of a duplicate key counts, but visited elements cannot be taken back.
    if (load<i32>(key, KEY_LIST)) return false;
    memory.fill(note, 0, load<i32>(key, KEY_NOTE_BYTES));
  }
  store<i32>(note, at);
  return true;
}

export function noteEnd(row: i32, key: i32, at: i32): void {
  store<i32>(row + load<i32>(key, KEY_NOTE), at, 4);
}

function chainOf(level: i32, at: i32, length: i32): i32 {
  const hash = load<u8>(at) + length + (load<u8>(at + length - 1) << 1);
  return level + ((hash & (CHAINS - 1)) << 2);
}

/** Returns the wanted key that equals these bytes, or 0. */
export function findKey(level: i32, at: i32, length: i32): i32 {
  if (length == 0) return 0;
  let key = load<i32>(chainOf(level, at, length));
  while (key) {
    if (load<i32>(key, KEY_LENGTH) == length && isSame(at, key + KEY_BYTES, length)) return key;
    key = load<i32>(key, KEY_NEXT);
  }
  return 0;
}
