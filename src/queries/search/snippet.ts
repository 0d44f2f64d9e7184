import type { Mark, Matcher } from "../../core/filter/matcher.ts";

/** A few words around the matches, and the positions of the matches. */
export interface Snippet {
  snippet: string;
  marks: Mark[];
}

const LENGTH = 160;
/** Enough candidates: in a text full of matches any window is good. */
const TRIED = 200;
/** Characters before the first match. */
const BEFORE = 40;

/** The part of a text with the most matches; the beginning if there are none. */
export function snippetOf(text: string, matcher: Matcher): Snippet {
  const marks = matcher.marks(text);
  const best = marks.slice(0, TRIED).reduce(
    (chosen, mark) => {
      const count = marks.filter(
        ([start, end]) => start >= mark[0] && end <= mark[0] + LENGTH,
      ).length;
      return count > chosen.count ? { start: mark[0], count } : chosen;
    },
    { start: 0, count: 0 },
  );
  const from = wordStart(text, Math.max(0, best.start - BEFORE));
  const to = wordEnd(text, Math.min(text.length, from + LENGTH));
  return cut(text, { from, to }, marks);
}

function cut(
  text: string,
  { from, to }: { from: number; to: number },
  marks: readonly Mark[],
): Snippet {
  const head = from > 0 ? "…" : "";
  const tail = to < text.length ? "…" : "";
  const inside = marks
    .filter(([start, end]) => start >= from && end <= to)
    .map(([start, end]): Mark => [start - from + head.length, end - from + head.length]);
  return { snippet: `${head}${text.slice(from, to)}${tail}`, marks: inside };
}

/** Avoids cutting a word or a character. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + BEFORE).search(/\s/);
  return space === -1 ? whole(text, at) : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.slice(Math.max(0, at - BEFORE), at).search(/\s\S*$/);
  return space === -1 ? whole(text, at) : at - BEFORE + space;
}

function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}
