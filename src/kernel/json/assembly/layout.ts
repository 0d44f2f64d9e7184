/**
 * The memory of the walk:
 *
 *     64     how the objects and lists that are open will close
 *     1088   a key, to be looked for
 *     1216   tables of the wanted fields, and rows with the places of their values
 *     65536  the bytes to be walked over, and at least 64 zeroes behind them
 *
 * Zero is no address: in tables and rows it means "none".
 */
export const STACK: i32 = 64;
export const MAX_DEPTH: i32 = 1024;
export const KEY: i32 = 1088;
export const MAX_KEY_LENGTH: i32 = 96;
export const TABLES: i32 = 1216;
export const FIRST: i32 = 65536;

/** What every step returns for bytes that are not JSON, or are nested too deep. */
export const BAD: i32 = -1;
