/**
 * Memory layout of the walk:
 *
 *     64     closing brackets of the open objects and lists
 *     1088   the key to look up
 *     1216   tables of the wanted fields
 *     65536  buffers: bytes to walk, followed by at least 64 zeroes, and records
 *
 * Zero is not a valid address: in tables and rows it means "none".
 */
export const STACK: i32 = 64;
export const MAX_DEPTH: i32 = 1024;
export const KEY: i32 = 1088;
export const MAX_KEY_LENGTH: i32 = 96;
export const TABLES: i32 = 1216;
export const FIRST: i32 = 65536;

/** Returned by every step for bytes that are not JSON or are nested too deeply. */
export const BAD: i32 = -1;
