/**
 * Token counts exactly as recorded. Absent is not zero. Vendors nest their counts differently;
 * `shape` and `reasoning` state how, so that one arithmetic (`usage-facts.ts`) serves all of them.
 */
export interface Counts {
  /** Whether `input` includes the tokens read from and written to the prompt cache. */
  shape: "cache-inside-input" | "cache-beside-input";
  /** Whether `output` includes the thoughts. */
  reasoning: "inside-output" | "beside-output";
  input?: number;
  /** Prompt tokens read from the cache. */
  cached?: number;
  /** Prompt tokens written to the cache with a lifetime of 5 minutes or of one hour. */
  cacheWrite5m?: number;
  cacheWrite1h?: number;
  output?: number;
  thoughts?: number;
  /** Prompt tokens of server-side tools; not included in `input`. */
  tool?: number;
  total?: number;
  /** Web searches that the vendor ran for this reply; charged per search, not in tokens. */
  webSearches?: number;
}

/** The counts that a reply may have, in the order in which they are shown. */
export const RECORDED_COUNTS = [
  "input",
  "cached",
  "cacheWrite5m",
  "cacheWrite1h",
  "output",
  "thoughts",
  "tool",
  "total",
  "webSearches",
] as const;

/** A reply without a single count was not paid for, or its count was never written. */
export function isPaid(counts: Counts | undefined): counts is Counts {
  if (counts === undefined) return false;
  for (const field of RECORDED_COUNTS) if ((counts[field] ?? 0) !== 0) return true;
  return false;
}

export function isSameCounts(first: Counts, second: Counts): boolean {
  return RECORDED_COUNTS.every((field) => first[field] === second[field]);
}

/** Token fields of JSON answers, see `TokenSums`. */
export type TokenField =
  | "input"
  | "cached"
  | "cacheWrite"
  | "output"
  | "thoughts"
  | "tool"
  | "total";
