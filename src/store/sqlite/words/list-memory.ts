/** What lies where: what is free, numbers of words, where each word is told of, and that. */
export const FREE = 0;
export const FREE_END = 4;
export const PLACES = 8;
/** Behind the places: which words a text has. */
export const MET = 12;
export const NUMBERS_FROM = 64;

/**
 * A word that was met: bytes of its positions and of its list of texts; its last position in the
 * present text, and how often it stands there; the text before, and how many there are.
 */
export const POSITIONS = 0;
export const TEXTS = 16;
export const LAST = 32;
export const TIMES = 36;
export const BEFORE = 40;
export const COUNT = 44;
export const HEAD_BYTES = 64;

/**
 * Bytes that grow lie in stretches, each of twice the size of the one before; the first ones stand
 * behind the head of the word. Known are: where the next byte goes, where the stretch counts as
 * full, its size, and where those of the present text begin, as if all were in this stretch.
 */
export const NEXT = 0;
export const LIMIT = 4;
export const STRETCH = 8;
export const BEGIN = 12;
export const FIRST_STRETCH = 32;
export const LAST_STRETCH = 4096;
export const WORD_BYTES: number = HEAD_BYTES + FIRST_STRETCH * 2;

/** Behind the limit: the rest of a number, the stretch that follows, and where the bytes end. */
export const FOLLOWING = 4;
export const USED_END = 8;
export const BEHIND = 12;
