/**
 * Sizes of a prompt at which published prices change. Buckets tell apart which of them a request
 * exceeds; a price table with another border is answered from the replies themselves.
 */
export const PROMPT_BORDERS: readonly number[] = [128_000, 200_000, 256_000, 271_999, 272_000];

/** Buckets add up quarters of an hour: days and hours of every time zone begin with one. */
export const QUARTER_MS = 900_000;
