import type { Standing } from "./message.ts";
import type { Query } from "./query.ts";

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
  places: TextPlace[];
}

export interface TextPlace {
  /** The number of a kept file. */
  file: number;
  start: number;
  end: number;
}

/** A question to the text index. */
export interface TextWish {
  query: Query;
  /** Where to look; everywhere when absent. */
  roles?: readonly TextRole[];
  /** Sessions that may be found, by their key; all when absent. */
  sessions?: Pick<ReadonlySet<number>, "has">;
  limit: number;
}

export interface TextHits {
  hits: TextHit[];
  /** How many pieces match; when there are too many to count, at least so many. */
  total: number;
  /** `rank`: the best first; `newest`: the words are so common that the newest are taken. */
  order: "rank" | "newest";
}

export interface TextHit {
  session: number;
  messageId: string | undefined;
  role: TextRole;
  standing: Standing;
  atMs: number | undefined;
  places: TextPlace[];
  /** Higher is better. */
  rank: number;
}

/** A question for text, as shelves understand it. */
export interface FindWish {
  query: Query;
  /** Whether a text answers the query, for shelves without an index. */
  matches: (text: string) => boolean;
  roles?: readonly TextRole[];
  /** Ids of the sessions that may be found; all when absent. */
  sessions?: ReadonlySet<string>;
  limit: number;
}

export interface FoundTexts extends Pick<TextHits, "total" | "order"> {
  found: FoundText[];
}

/** A stretch of text that matches. */
export interface FoundText {
  sessionId: string;
  messageId: string | undefined;
  role: TextRole;
  standing: Standing;
  atMs: number | undefined;
  rank: number;
  /** Texts in which it may stand, the likeliest first; read when they are asked for. */
  candidates: () => Iterable<readonly string[]>;
}
