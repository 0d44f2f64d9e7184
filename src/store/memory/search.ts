import type { LinkedSession } from "../../core/session/links.ts";
import { keyOf } from "../../core/session/links.ts";
import { Matcher } from "../../core/filter/matcher.ts";
import { matchesSession } from "../../core/filter/matches.ts";
import { phrasesOf } from "../../core/filter/search-expression.ts";
import type { TextHit, TextPiece } from "../../core/session/text.ts";
import { RANKED_TEXTS } from "../reads.ts";
import type { FoundTexts, SessionTexts, TextQuery } from "../store.ts";
import { suggestWords, vocabularyOf } from "../suggestions.ts";

interface Searched {
  sessions: readonly LinkedSession[];
  texts: readonly SessionTexts[];
}

/** Searches every text, one by one. */
export function searchTexts({ sessions, texts }: Searched, query: TextQuery): FoundTexts {
  const meant = new Set(
    sessions
      .filter((session) => matchesSession(session.summary, query.filter, session.tools))
      .map(({ summary }) => keyOf(summary.source, summary.id)),
  );
  const matcher = new Matcher(query.expression);
  const hits: TextHit[] = [];
  for (const { source, id, pieces } of texts) {
    if (!meant.has(keyOf(source, id))) continue;
    for (const piece of pieces) {
      if (query.roles?.includes(piece.role) === false) continue;
      const text = piece.texts.join("\n");
      if (!matcher.matches(text)) continue;
      const rank = matcher.marks(text).length / Math.log(text.length + 3);
      hits.push(hitOf({ source, id }, piece, rank));
    }
  }
  const order = hits.length > RANKED_TEXTS ? "newest" : "rank";
  const isNewer = (a: TextHit, b: TextHit): number => (b.atMs ?? 0) - (a.atMs ?? 0);
  const ordered = hits.toSorted(
    order === "newest" ? isNewer : (a, b) => b.rank - a.rank || isNewer(a, b),
  );
  const all = texts.flatMap(({ pieces }) => pieces.map((piece) => piece.texts.join("\n")));
  const words = phrasesOf(query.expression).map(({ text }) => text);
  return {
    hits: ordered.slice(0, query.limit),
    total: hits.length,
    order,
    suggestions: hits.length > 0 ? [] : suggestWords(words, vocabularyOf(all)),
  };
}

function hitOf(
  { source, id }: { source: string; id: string },
  piece: TextPiece,
  rank: number,
): TextHit {
  const { messageId, role, standing, atMs, places } = piece;
  return { source, sessionId: id, messageId, role, standing, atMs, places, rank };
}
