import type { Standing, StandingReason } from "./message.ts";
import type { Place } from "./place.ts";

/** One paid reply, split once. The only numbers that are ever added up. */
export interface UsageFact {
  /** `gemini:<session>:<message>`-like key of other tools; ours is the message id alone. */
  dedupKey: string;
  messageId: string;
  /** The session that owns the reply: an import only repeats it. */
  sessionId: string;
  at?: string;
  model?: string;
  standing: Standing;
  reason?: StandingReason;
  /** As recorded: the whole prompt, cached part included. */
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
  place: Place;
}
