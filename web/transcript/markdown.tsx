import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { safeText } from "../safe-text.ts";

/** Longer texts are shown unrendered. */
const MOST_RENDERED = 200_000;

let loading: Promise<{ renderMarkdown: (text: string) => DocumentFragment }> | undefined;

/** Renders Markdown when it comes near the viewport; until then it is readable, searchable text. */
export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place);
  useEffect(() => {
    if (!isNear || text.length > MOST_RENDERED) return undefined;
    const stop = new AbortController();
    void fill(place, text, stop.signal);
    return () => stop.abort();
  }, [isNear, text]);
  return <PlainText place={place} text={text} />;
}

async function fill(
  place: { current: HTMLDivElement | null },
  text: string,
  signal: AbortSignal,
): Promise<void> {
  loading ??= import("./render-markdown.ts");
  const { renderMarkdown } = await loading;
  const element = place.current;
  if (signal.aborted || !element) return;
  element.replaceChildren(renderMarkdown(text));
  element.classList.add("markdown");
}

/** The text is set once; afterwards the renderer owns the nodes. */
function PlainText({ place, text }: { place: { current: HTMLDivElement | null }; text: string }) {
  useLayoutEffect(() => {
    const element = place.current;
    if (element && !element.classList.contains("markdown")) element.textContent = safeText(text);
  }, [text]);
  return <div class="said" dir="auto" ref={place} onClick={copyCode} />;
}

function copyCode(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest(".copy-code") : null;
  const code = button?.parentElement?.querySelector("code")?.textContent;
  if (button && code !== undefined) void copyTo(button, code);
}

async function copyTo(button: Element, code: string): Promise<void> {
  await navigator.clipboard.writeText(code);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

const waiting = new Map<Element, () => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      waiting.get(target)?.();
      waiting.delete(target);
      observer.unobserve(target);
    }
  },
  { rootMargin: "1200px 0px" },
);

function useNear(place: { current: HTMLElement | null }): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || isNear) return undefined;
    waiting.set(element, () => setNear(true));
    observer.observe(element);
    return () => {
      waiting.delete(element);
      observer.unobserve(element);
    };
  }, []);
  return isNear;
}
