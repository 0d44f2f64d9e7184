/**
 * Prompt sizes at which published prices change. Buckets are separated by these thresholds; a price
 * table with another threshold is answered from the reply rows.
 */
export const PROMPT_BORDERS: readonly number[] = [128_000, 200_000, 256_000, 271_999, 272_000];

/** Bucket length: a quarter of an hour, since days and hours of every time zone begin at one. */
export const QUARTER_MS = 900_000;

/** The number of borders that a reply's prompt exceeds, as SQL over the columns of replies. */
export const PROMPT_CLASS: string = PROMPT_BORDERS.map((border) => {
  return `CASE WHEN input + coalesce(tool, 0) > ${border} THEN 1 ELSE 0 END`;
}).join(" + ");
