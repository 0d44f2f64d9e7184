/** Token counts exactly as recorded. Absent is not zero. */
export interface Usage {
  /** The whole prompt, cached part included. */
  input?: number;
  /** The part of `input` that came from the cache. */
  cached?: number;
  /** Visible output, without thoughts. */
  output?: number;
  thoughts?: number;
  /** Prompt tokens of server-side tools; outside `input`. */
  tool?: number;
  total?: number;
}

export const USAGE_FIELDS = ["input", "cached", "output", "thoughts", "tool", "total"] as const;
export type UsageField = (typeof USAGE_FIELDS)[number];

/** A reply without a single counted token was not paid for (or its count was never written). */
export function isPaid(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && USAGE_FIELDS.some((field) => (usage[field] ?? 0) !== 0);
}
