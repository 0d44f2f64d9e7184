import type { Annotation } from "../../core/annotation.ts";
import type { Standing } from "../../core/message.ts";
import type { SessionSummary } from "../../core/summary.ts";
import type { TextHit, TextRole } from "../../core/text.ts";
import type { Mark, Matcher } from "../../core/matcher.ts";
import { snippetOf } from "./snippet.ts";

/** What was found, the best first; and the sessions that it was found in, in the same order. */
export interface SearchAnswer {
  query: string;
  hits: SearchHit[];
  sessions: SessionSummary[];
  /** How many stretches of text match; when there are too many to count, at least so many. */
  total: number;
  /** `newest`: so many match that only the newest were looked at. */
  order: "rank" | "newest";
  /** When nothing matches: words that are near to those asked for. */
  suggestions: string[];
  tookMs: number;
}

export interface SearchHit {
  sessionId: string;
  source: string;
  messageId: string | null;
  standing: Standing;
  at: string | null;
  /** `own`: a tag, note or title that a person put on the session or the message. */
  role: TextRole | "own";
  snippet: string;
  /** Where the snippet holds what was searched: `[start, end)` in UTF-16 units. */
  marks: Mark[];
  rank: number;
}

/** Where a search may look, as people call it. */
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

/** A hit, with the words around what was found in one of the texts at its place. */
export function hitOf(hit: TextHit, texts: readonly string[], matcher: Matcher): SearchHit {
  const { sessionId, source, messageId, standing, role, atMs, rank } = hit;
  return {
    sessionId,
    source,
    messageId: messageId ?? null,
    standing,
    at: atMs === undefined ? null : new Date(atMs).toISOString(),
    role,
    ...snippetOf(bestOf(texts, matcher), matcher),
    rank: Math.round(rank * 1000) / 1000,
  };
}

/** What people put on sessions and messages themselves: above all that was said. */
export function ownHits(annotations: readonly Annotation[], matcher: Matcher): SearchHit[] {
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

/** The text that holds most of what was searched; of several, the longest: ids are short. */
function bestOf(texts: readonly string[], matcher: Matcher): string {
  let best = { text: "", count: 0 };
  for (const text of texts) {
    const count = matcher.count(text);
    const isLonger = count === best.count && text.length > best.text.length;
    if (count > best.count || isLonger) best = { text, count };
  }
  return best.text;
}

/** Hits of one session stand together; the session with the best hit comes first. */
export function grouped(hits: readonly SearchHit[]): SearchHit[] {
  const order = [...new Set(hits.map(({ sessionId }) => sessionId))];
  const places = new Map(order.map((id, at) => [id, at]));
  return hits.toSorted((a, b) => {
    return (places.get(a.sessionId) ?? 0) - (places.get(b.sessionId) ?? 0) || b.rank - a.rank;
  });
}
