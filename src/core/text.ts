import type { Standing } from "./message.ts";

/** Who said it: where a search may look. At most eight: the index numbers them in three bits. */
export const TEXT_ROLES = ["title", "prompt", "answer", "thought", "tool", "other"] as const;
export type TextRole = (typeof TEXT_ROLES)[number];

/** A stretch of a session's text that is searched as one. */
export interface TextPiece {
  messageId?: string;
  role: TextRole;
  standing: Standing;
  atMs?: number;
  /** One behind the other; they are not put together, for they may be long. */
  texts: readonly string[];
  /** Where its bytes stand, the fullest record first. */
  places: readonly TextPlace[];
}

export interface TextPlace {
  /** The path of the file; a replaced content has a path of its own. */
  file: string;
  start: number;
  end: number;
}

/** A stretch of text that matches. */
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
