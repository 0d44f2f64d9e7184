import type { Standing } from "./message.ts";

/**
 * The kinds of text that a search can be limited to. At most eight: the index stores them in three
 * bits.
 */
export const TEXT_ROLES = ["title", "prompt", "answer", "thought", "tool", "other"] as const;
export type TextRole = (typeof TEXT_ROLES)[number];

/** A part of a session's text that is searched as one unit. */
export interface TextPiece {
  messageId?: string;
  role: TextRole;
  standing: Standing;
  atMs?: number;
  /** Consecutive texts; not concatenated, because they may be long. */
  texts: readonly string[];
  /** Places of its bytes, the most complete record first. */
  places: readonly TextPlace[];
}

export interface TextPlace {
  /** Path of the file; a replaced content has its own path. */
  file: string;
  start: number;
  end: number;
}

/** A matching text. */
export interface TextHit {
  source: string;
  sessionId: string;
  messageId: string | undefined;
  role: TextRole;
  standing: Standing;
  atMs: number | undefined;
  places: readonly TextPlace[];
  /** Higher is better. */
  rank: number;
}
