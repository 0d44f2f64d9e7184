/**
 * Raise this whenever reading the same bytes gives a different result: another entry, standing,
 * number or search text. Rows of an older reader are then dropped and made again from the kept
 * bytes.
 */
export const READER_VERSION = 56;
