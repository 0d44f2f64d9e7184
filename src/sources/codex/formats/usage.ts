import type { Counts } from "../../../core/usage/counts.ts";
import type { Json } from "../../decoding/fields.ts";
import { asObject } from "../../decoding/fields.ts";
import type { Usage } from "../content.ts";

/** A million times the limit of any model; with larger counts, sums would not be exact. */
export const MAX_COUNT = 1e12;

/**
 * `{"input_tokens": 11016, "cached_input_tokens": 211, "output_tokens": 148,
 *   "reasoning_output_tokens": 16, "total_tokens": 11164, "cache_write_input_tokens": 0}`
 *
 * Returns undefined if one of them is not a count; a missing count is 0.
 */
export function readUsage(recorded: unknown): Usage | undefined {
  const usage = asObject(recorded);
  if (!usage) return undefined;
  const input = countOf(usage, "input_tokens");
  const cached = countOf(usage, "cached_input_tokens");
  const output = countOf(usage, "output_tokens");
  const reasoning = countOf(usage, "reasoning_output_tokens");
  const total = countOf(usage, "total_tokens");
  const cacheWrite = countOf(usage, "cache_write_input_tokens");
  const all = [input, cached, output, reasoning, total, cacheWrite];
  if (all.some((count) => Number.isNaN(count))) return undefined;
  const isWritten = usage["cache_write_input_tokens"] !== undefined;
  return { input, cached, output, reasoning, total, ...(isWritten ? { cacheWrite } : {}) };
}

function countOf(usage: Json, field: string): number {
  const value = usage[field];
  if (value === undefined || value === null) return 0;
  const isCount =
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;
  return isCount ? (value as number) : Number.NaN;
}

export function countsOf({ input, cached, output, reasoning, total, cacheWrite }: Usage): Counts {
  const counts: Counts = {
    shape: "cache-inside-input",
    reasoning: "inside-output",
    input,
    cached,
    output,
    thoughts: reasoning,
    total,
  };
  if (cacheWrite !== undefined) counts.cacheWrite5m = cacheWrite;
  return counts;
}
