import type { Standing, StandingReason } from "../session/message.ts";
import type { Place } from "../files/place.ts";

/** One paid reply with its counts split into parts. All sums are computed from these numbers. */
export interface UsageFact extends SplitUsage {
  /**
   * The key that other ledgers use: `<ledger>:<session>:<message>`. Pollux identifies a reply by
   * `replyId` alone.
   */
  dedupKey: string;
  /** Identical in every session of the source that holds a copy of this reply. */
  replyId: string;
  messageId: string;
  /** The session that recorded it; every reply is owned by one session (see `links.ts`). */
  sessionId: string;
  at?: string | undefined;
  model?: string | undefined;
  standing: Standing;
  reason?: StandingReason | undefined;
  /** The final count was never written: the true count may be higher. */
  isAtLeast?: boolean | undefined;
  /** For a request beside the conversation: its purpose. */
  purpose?: ReplyPurpose | undefined;
  /** The service tier, if recorded and not the standard one. */
  tier?: string | undefined;
  /** Place of the counts. */
  place: Place;
}

/** A reply with the source and start of the session that owns it. */
export interface PaidReply extends UsageFact {
  source: string;
  /** Start of the session; used as the time of a reply that has none. */
  startedAt: string | null;
}

/** Purposes of requests beside the conversation. */
export type ReplyPurpose = "compression" | "memory" | "warm-up" | "title" | "review" | "other";

/**
 * Token counts that always satisfy both equations:
 *
 *     fresh + cached + cacheWrite5m + cacheWrite1h + output + thoughts = total
 *     input − cached − cacheWrite5m − cacheWrite1h + tool = fresh
 *
 * An unknown part is `null`, and counts as zero in these sums.
 */
export interface SplitUsage {
  /** The whole prompt: tokens read from the cache, written to it, and neither. */
  input: number;
  /** Prompt tokens charged at the full price. */
  fresh: number;
  cached: number | null;
  cacheWrite5m: number | null;
  cacheWrite1h: number | null;
  /** Visible output, plus the `remainder`. */
  output: number;
  /** `null` if they are included in the output and were not counted separately. */
  thoughts: number | null;
  tool: number | null;
  total: number;
  /** Charged per search; not tokens. `null` if the agent does not record them. */
  webSearches: number | null;
  /** Tokens of the recorded total that no recorded part explains; included in `output`. */
  remainder: number;
  /** Irregularities of the recorded counts, which determine how they were read. Usually absent. */
  oddities?: UsageOddity[] | undefined;
}

export type UsageOddity =
  /** The total exceeds its parts: the rest is counted as output. */
  | "remainder"
  /** No prompt count was recorded: it is computed from the total and the other parts. */
  | "input-from-total"
  /** The total only adds up if the thoughts are included in the output. */
  | "thoughts-in-output"
  /** The total only adds up if the tool-use prompt is included in the input. */
  | "tool-in-input"
  /** The total only adds up if the cached part is not included in the input. */
  | "cached-beside-input"
  /** The cached part exceeds the prompt: it is limited to the prompt. */
  | "cached-above-input"
  /** The thoughts exceed the output that includes them: they are limited to the output. */
  | "thoughts-above-output"
  /** The parts exceed the total: the parts are counted. */
  | "total-below-parts"
  /** No total was recorded: it is the sum of the parts. */
  | "total-missing"
  /** A total of zero was recorded although there are parts: it is the sum of the parts. */
  | "total-zero"
  /** A part was not recorded, or not as a count, and is taken as zero. */
  | "part-missing"
  /** More than any model accepts in one request; counted as recorded. */
  | "implausible";

/** Keys of groups for replies without a value. */
export const UNKNOWN_GROUP = "unknown";
export const NO_TOOL = "no tool";
export const NO_SERVER = "no MCP server";

/** APIs also call the model `name` `models/name`; users may have requested either. */
export function modelName(model: string | undefined): string | undefined {
  return model?.replace(/^models\//, "");
}

/** A group of a report: its key, and its display name if that differs. */
export interface Group {
  key: string;
  label?: string;
}

/**
 * Usage grouped by everything that a price depends on: within one bucket, cost is linear in the
 * counts.
 */
export interface UsageBucket {
  /** One group per requested grouping, in the same order. */
  groups: readonly Group[];
  /** The model in the form that `modelName` returns. */
  model: string | null;
  /** Number of requested thresholds that the whole prompt of each request exceeds. */
  promptClass: number;
  /** Number of requested price dates that had passed; `null` for a reply without a time. */
  pricePeriod: number | null;
  tier: string | null;
  requests: number;
  /** Number of these replies whose final count was never written. */
  atLeast: number;
  /** Number of these replies whose recorded counts did not add up. */
  odd: number;
  tokens: BucketTokens;
}

export type BucketTokens = Omit<SplitUsage, "remainder" | "oddities">;

export interface ReplyTimes {
  /** UTC days (since 1970) with at least one reply, ascending. */
  days: number[];
  /**
   * Number of replies that have no time themselves or from their session. They are in no period.
   */
  timeless: number;
}

/** The result of a usage query. */
export interface UsageBuckets {
  buckets: UsageBucket[];
  /** Number of distinct sessions: in total, per first group, and per first and second group. */
  sessions: { groups: readonly Group[]; count: number }[];
}
