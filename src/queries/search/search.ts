import { timeText } from "../../core/instant.ts";
import type { Annotation } from "../../core/session/annotation.ts";
import type { Standing } from "../../core/session/message.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { TextHit, TextRole } from "../../core/session/text.ts";
import type { Mark, Matcher } from "../../core/filter/matcher.ts";
import { snippetOf } from "./snippet.ts";

/** Hits, best first, and the sessions that contain them, in the same order. */
export interface SearchAnswer {
  query: string;
  hits: SearchHit[];
  sessions: SessionSummary[];
  /** Number of matching texts; a lower bound if there are too many to count. */
  total: number;
  /** `newest`: too many matches to rank; only the newest were considered. */
  order: "rank" | "newest";
  /** If nothing matches: words similar to those in the query. */
  suggestions: string[];
  tookMs: number;
}

export interface SearchHit {
  sessionId: string;
  source: string;
  messageId: string | null;
  standing: Standing;
  at: string | null;
  /** `own`: a tag, note or title that a person added to the session or message. */
  role: TextRole | "own";
  snippet: string;
  /** Matches in the snippet: `[start, end)` in UTF-16 units. */
  marks: Mark[];
  rank: number;
}

/** Where to search, in the words of the user interface. */
export const SEARCH_PLACES = ["prompts", "answers", "thoughts", "tools", "notes"] as const;
export type SearchPlace = (typeof SEARCH_PLACES)[number];

export function rolesOf(places: readonly SearchPlace[] | undefined): TextRole[] | undefined {
  const roles = {
    prompts: "prompt",
    answers: "answer",
    thoughts: "thought",
    tools: "tool",
  } as const;
  return places?.flatMap((place) => (place === "notes" ? [] : [roles[place]]));
}

/** Builds a hit, with a snippet from the best of the texts at its place. */
export function hitOf(hit: TextHit, texts: readonly string[], matcher: Matcher): SearchHit {
  const { sessionId, source, messageId, standing, role, atMs, rank } = hit;
  return {
    sessionId,
    source,
    messageId: messageId ?? null,
    standing,
    at: timeText(atMs),
    role,
    ...snippetOf(bestOf(texts, matcher), matcher),
    rank: Math.round(rank * 1000) / 1000,
  };
}

/** Hits in people's own tags, notes and titles; they rank above all others. */
export function annotationHits(annotations: readonly Annotation[], matcher: Matcher): SearchHit[] {
  return annotations
    .filter(({ kind, text }) => kind !== "star" && matcher.matches(text))
    .map(({ source, sessionId, messageId, text, changedMs }) => ({
      sessionId,
      source,
      messageId: messageId ?? null,
      standing: "live",
      at: new Date(changedMs).toISOString(),
      role: "own",
      ...snippetOf(text, matcher),
      rank: OWN_RANK,
    }));
}

const OWN_RANK = 1000;

/** The text with the most matches; among equals the longest, because short texts are mostly ids. */
function bestOf(texts: readonly string[], matcher: Matcher): string {
  let best = { text: "", count: 0 };
  for (const text of texts) {
    const count = matcher.count(text);
    const isLonger = count === best.count && text.length > best.text.length;
    if (count > best.count || isLonger) best = { text, count };
  }
  return best.text;
}

/** Groups hits by session; the session with the best hit comes first. */
export function grouped(hits: readonly SearchHit[]): SearchHit[] {
  const order = [...new Set(hits.map(({ sessionId }) => sessionId))];
  const places = new Map(order.map((id, at) => [id, at]));
  return hits.toSorted((a, b) => {
    return (places.get(a.sessionId) ?? 0) - (places.get(b.sessionId) ?? 0) || b.rank - a.rank;
  });
}
