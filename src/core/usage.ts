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
  if (usage === undefined) return false;
  // Written out here and below: these are asked of every reply, and a loop takes its time.
  const { input = 0, cached = 0, output = 0, thoughts = 0, tool = 0, total = 0 } = usage;
  return input !== 0 || cached !== 0 || output !== 0 || thoughts !== 0 || tool !== 0 || total !== 0;
}

export function isSameUsage(one: Usage, other: Usage): boolean {
  return (
    one.input === other.input &&
    one.cached === other.cached &&
    one.output === other.output &&
    one.thoughts === other.thoughts &&
    one.tool === other.tool &&
    one.total === other.total
  );
}
