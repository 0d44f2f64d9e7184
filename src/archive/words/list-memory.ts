/** What lies where: what is free, numbers of words, what is known of each word, and its bytes. */
export const FREE = 0;
export const FREE_END = 4;
/** Where it is told what is known of the words; behind it, which of them a text has. */
export const WORDS = 8;
export const MET = 12;
export const NUMBERS_FROM = 64;

/**
 * What is known of a word: the stretches of its positions and of its list of texts; of the present
 * text, its last position, how often it stands there, and the bytes of its positions; the text
 * before, and how many there are.
 */
export const WORD_BYTES = 64;
export const POSITIONS = 0;
export const TEXTS = 16;
export const LAST = 32;
export const TIMES = 36;
export const SIZE = 40;
export const BEFORE = 44;
export const COUNT = 48;

/**
 * Bytes that grow lie in stretches, each of twice the size of the one before: where the next byte
 * goes, where the stretch counts as full, the first stretch, and the size of the present one.
 */
export const NEXT = 0;
export const LIMIT = 4;
export const FIRST = 8;
export const STRETCH = 12;
export const FIRST_STRETCH = 32;
export const LAST_STRETCH = 4096;

/** Behind the limit: the rest of a number, the stretch that follows, and where the bytes end. */
export const FOLLOWING = 4;
export const USED_END = 8;
export const BEHIND = 12;
