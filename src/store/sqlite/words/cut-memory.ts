/** Texts are cut in windows of so many units. */
export const WINDOW: number = 1 << 14;
/** A short word and a gap behind it fit into sixteen bytes. */
export const SHORT = 15;

/** Stretches with other letters are known by up to so many units, and if they are few words. */
export const FEW_UNITS = 7;
export const FEW_WORDS = 3;

/**
 * A slot of the table. For a short word: sixteen bytes, its number + 1, and nothing. For a stretch:
 * its units and a sign that it is one, the count of its words + 1, and their numbers.
 */
export const SLOT_BYTES = 32;
export const FACTORS: readonly number[] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];

/** What lies where: masks, a window, its letters, its bounds, numbers of its words, the table. */
export const MASKS = 0;
export const UNITS = 1024;
export const LETTERS: number = UNITS + WINDOW * 2 + 64;
/** Where a word begins and where it ends, two bytes each, one word behind the other. */
export const BOUNDS: number = LETTERS + WINDOW + 64;
export const NUMBERS: number = BOUNDS + WINDOW * 2 + 64;
export const TABLE: number = NUMBERS + WINDOW * 4 + 64;
