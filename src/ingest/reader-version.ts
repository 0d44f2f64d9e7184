/**
 * Raised whenever something else is read from the same bytes: another entry, another standing,
 * another number in a digest, other words for the search. Rows of an older reader are then thrown
 * away and made again from the kept bytes.
 */
export const READER_VERSION = 11;
