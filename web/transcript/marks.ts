import { useEffect } from "preact/hooks";

const MOST_MARKS = 3000;
const SETTLE_MS = 120;

/**
 * Highlights words on the page. The browser paints the highlights over the text without changing
 * nodes, so that rendered content stays intact.
 */
export function useMarks(words: readonly string[], place: string): void {
  const wanted = words.map((word) => word.toLowerCase()).filter((word) => word.length > 1);
  useEffect(() => {
    const element = document.querySelector(place);
    if (wanted.length === 0 || !element || !("highlights" in CSS)) return undefined;
    const mark = (): void => {
      CSS.highlights.set("found", new Highlight(...rangesOf(element, wanted)));
    };
    let timer = setTimeout(mark, 0);
    // Folds, rendering and new messages add text, so mark again after changes.
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(mark, SETTLE_MS);
    });
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      CSS.highlights.delete("found");
    };
  }, [wanted.join("\n"), place]);
}

function rangesOf(element: Element, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.textContent ?? "").toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        if (ranges.length >= MOST_MARKS) return ranges;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}

/** The words of a search query, without its operators. */
export function wordsOf(query: string): string[] {
  const phrases = [...query.matchAll(/"([^"]+)"/g)].map(([, phrase]) => phrase ?? "");
  const bare = query.replaceAll(/"[^"]*"?/g, " ").replaceAll(/\b(?:AND|OR|NOT)\b/g, " ");
  return [...phrases, ...(bare.match(/[^\s()*]+/g) ?? [])];
}
