import type { Standing, StandingReason } from "./message.ts";
import type { Place } from "./place.ts";

/** One paid reply, split once. The only numbers that are ever added up. */
export interface UsageFact extends SplitUsage {
  /** The key of other ledgers: `<ledger>:<session>:<message>`. Ours is the message id alone. */
  dedupKey: string;
  messageId: string;
  /** The session that owns the reply: an import only repeats it. */
  sessionId: string;
  at?: string | undefined;
  model?: string | undefined;
  standing: Standing;
  reason?: StandingReason | undefined;
  /** Where the counts stand. */
  place: Place;
}

/**
 * Token counts that add up: `fresh + cached + output + thoughts = total` and
 * `input − cached + tool = fresh`, always.
 */
export interface SplitUsage {
  /** The whole prompt, cached part included. */
  input: number;
  /** Prompt tokens at the full price: `input − cached + tool`. */
  fresh: number;
  cached: number;
  /** Visible output, with what the recorded total leaves over. */
  output: number;
  thoughts: number;
  tool: number;
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
