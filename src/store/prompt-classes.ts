/**
 * Prompt sizes at which published prices change. Buckets are separated by these thresholds; a price
 * table with another threshold is answered from the reply rows.
 */
export const PROMPT_BORDERS: readonly number[] = [128_000, 200_000, 256_000, 271_999, 272_000];

/** Bucket length: a quarter of an hour, since days and hours of every time zone begin at one. */
export const QUARTER_MS = 900_000;
