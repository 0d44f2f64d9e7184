import type { Standing } from "../session/message.ts";
import type { ReplyPurpose, SplitUsage } from "../usage/usage-fact.ts";

/** Kinds of work. `other`: requests outside the conversation, such as titles. */
export const WORK_KINDS = ["asking", "exploring", "editing", "running", "fixing", "other"] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/**
 * What the turns and calls of a session were for, reduced to what insights need. It depends on
 * arguments and outputs, so it is derived when a session is read in full, together with its texts.
 */
export interface SessionWork {
  /** Number of prompted turns of each kind, in the order of `WORK_KINDS`. */
  turns: readonly number[];
  /** The kind of each recorded reply, as its position in `WORK_KINDS`: one digit per reply. */
  replies: string;
  /** Calls by tool, and the messages of the first that failed. */
  tools: readonly { label: string; calls: number; failed: number; failedIn: readonly string[] }[];
  /** Calls that were made more than once with the same arguments and no edit in between. */
  repeats: readonly { label: string; times: number; messageId: string }[];
  /** Edits that a later edit reverted exactly. */
  undone: readonly { path: string; messageId: string }[];
  /** Files that were read alone by a call; `withoutOutput`: reads whose output is not recorded. */
  reads: readonly {
    path: string;
    reads: number;
    characters: number;
    withoutOutput: number;
    messageId: string;
  }[];
  compressions: readonly { messageId: string | null; how: string }[];
}

/** A reply that the session owns, reduced to what insights need. */
export interface WorkReply extends Omit<SplitUsage, "remainder" | "oddities"> {
  /** Number of the reply among all that the session recorded. */
  position: number;
  messageId: string;
  /** Its recorded time. */
  atMs: number | null;
  model: string | null;
  standing: Standing;
  purpose: ReplyPurpose | null;
  tier: string | null;
}

/** The work of a stored session. */
export interface SessionWorkRow {
  source: string;
  id: string;
  projectPath: string | null;
  startedMs: number | null;
  /** `null` until the session was read in full. */
  work: SessionWork | null;
  replies: WorkReply[];
}
