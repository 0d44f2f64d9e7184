import type { Standing, StandingReason } from "./message.ts";
import type { Place } from "./place.ts";

/** One paid reply, split once. The only numbers that are ever added up. */
export interface UsageFact extends SplitUsage {
  /** The key of other ledgers: `<ledger>:<session>:<message>`. Ours is the reply id alone. */
  dedupKey: string;
  /** The same in every session of the source that holds a copy of this reply. */
  replyId: string;
  messageId: string;
  /** The session that recorded it; one reply belongs to one session (see `owners.ts`). */
  sessionId: string;
  at?: string | undefined;
  model?: string | undefined;
  standing: Standing;
  reason?: StandingReason | undefined;
  /** The final count was never written: it is at least this much. */
  isAtLeast?: boolean | undefined;
  /** Of a request beside the conversation: what it was made for. */
  purpose?: ReplyPurpose | undefined;
  /** The service tier, where it is recorded and is not the standard one. */
  tier?: string | undefined;
  /** Where the counts stand. */
  place: Place;
}

/** A reply in the session that owns it. */
export interface PaidReply extends UsageFact {
  source: string;
  /** When its session began: the time of a reply that has none of its own. */
  startedAt: string | null;
}

/** What an agent asks a model for, beside going on with the conversation. */
export type ReplyPurpose = "compression" | "memory" | "warm-up" | "title" | "review" | "other";

/**
 * Token counts that add up:
 * `fresh + cached + cacheWrite5m + cacheWrite1h + output + thoughts = total` and
 * `input − cached − cacheWrite5m − cacheWrite1h + tool = fresh`, always. A part that nothing is
 * known about is `null`, and counts as none in these sums.
 */
export interface SplitUsage {
  /** The whole prompt: read from the cache, written to it, or neither. */
  input: number;
  /** Prompt tokens at the full price. */
  fresh: number;
  cached: number | null;
  cacheWrite5m: number | null;
  cacheWrite1h: number | null;
  /** Visible output, with what the recorded total leaves over. */
  output: number;
  /** `null` where they are inside the output and were not counted apart. */
  thoughts: number | null;
  tool: number | null;
  total: number;
  /** Tokens of the recorded total that no recorded part explains; they are within `output`. */
  remainder: number;
  /** What was odd about the recorded counts, and so how they were read. Mostly absent. */
  oddities?: UsageOddity[] | undefined;
}

export type UsageOddity =
  /** The total is more than its parts: the rest is counted as output. */
  | "remainder"
  /** No prompt count was recorded: the prompt is what the total leaves over. */
  | "input-from-total"
  /** The total only adds up when the thoughts are a part of the output. */
  | "thoughts-in-output"
  /** The total only adds up when the tool-use prompt is a part of the input. */
  | "tool-in-input"
  /** The total only adds up when the cached part is not a part of the input. */
  | "cached-beside-input"
  /** More was cached than asked: no more than the prompt is counted as cached. */
  | "cached-above-input"
  /** More was thought than written: no more than the output is counted as thoughts. */
  | "thoughts-above-output"
  /** The parts are more than the total: the parts are counted. */
  | "total-below-parts"
  /** No total was recorded: it is the sum of its parts. */
  | "total-missing"
  /** A total of none was recorded beside parts: it is their sum. */
  | "total-zero"
  /** A part was not recorded, or not as a count, and is taken as none. */
  | "part-missing"
  /** More than any model takes in one request; counted as recorded. */
  | "implausible";

/** The keys of groups without a name of their own. */
export const UNKNOWN_GROUP = "unknown";
export const NO_TOOL = "no tool";
export const NO_SERVER = "no MCP server";

/** `models/name` is how an API calls `name`: people may have asked for either. */
export function modelName(model: string | undefined): string | undefined {
  return model?.replace(/^models\//, "");
}

/** A group of a report: what it is known by, and how people call it when that is not its key. */
export interface Group {
  key: string;
  label?: string;
}

/**
 * Usage grouped by all that a price depends on: within one bucket, cost is linear in the counts.
 */
export interface UsageBucket {
  /** One for each of the groupings that were asked for, in their order. */
  groups: readonly Group[];
  /** As `modelName` tells it. */
  model: string | null;
  /** How many of the asked thresholds the whole prompt of each request exceeds. */
  promptClass: number;
  /** How many of the asked price dates had come; `null` for a reply without any time. */
  pricePeriod: number | null;
  tier: string | null;
  requests: number;
  /** Of these, replies whose final count was never written. */
  atLeast: number;
  /** And replies whose recorded counts did not add up. */
  odd: number;
  tokens: BucketTokens;
}

export type BucketTokens = Omit<SplitUsage, "remainder" | "oddities">;

/** When replies were paid for. */
export interface ReplyTimes {
  /** UTC days (since 1970) with at least one reply, in order. */
  days: number[];
  /** Replies without any time, of their own or of their session. They lie within no period. */
  timeless: number;
}

/** The answer to a question about usage. */
export interface UsageBuckets {
  buckets: UsageBucket[];
  /** How many different sessions: in all, per first group, per first and second group. */
  sessions: { groups: readonly Group[]; count: number }[];
}
