import { useEffect } from "preact/hooks";
import { isTyping } from "../parts/keys.tsx";

export const PROMPTS = ".message.prompt";
export const ERRORS = '.tool[data-outcome="error"], .notice-text[data-level="error"]';

/** Reading position: distance from the top, below the sticky header. */
const EDGE_PX = 90;

/** The last target, and how far the page was scrolled then. */
let last: { target: HTMLElement; scrollY: number } | undefined;

/** Scrolls to the next or previous matching element. */
export function jump(selector: string, where: "next" | "previous"): void {
  const target = targetOf([...document.querySelectorAll<HTMLElement>(selector)], where);
  if (!target) return;
  target.scrollIntoView({ block: "start" });
  last?.target.closest(".message")?.classList.remove("pointed");
  last = { target, scrollY: window.scrollY };
  const place = target.closest<HTMLElement>(".message");
  place?.classList.add("pointed");
  place?.focus({ preventScroll: true });
}

function targetOf(
  all: readonly HTMLElement[],
  where: "next" | "previous",
): HTMLElement | undefined {
  // Near the end of the page, several targets are visible and none can be scrolled to the top.
  const at = last && last.scrollY === window.scrollY ? all.indexOf(last.target) : -1;
  if (at !== -1) return all[at + (where === "next" ? 1 : -1)];
  const topOf = (item: HTMLElement): number => item.getBoundingClientRect().top;
  return where === "next"
    ? all.find((item) => topOf(item) > EDGE_PX + 8)
    : all.findLast((item) => topOf(item) < EDGE_PX - 40);
}

const KEYS: Readonly<Record<string, [string, "next" | "previous"]>> = {
  n: [PROMPTS, "next"],
  p: [PROMPTS, "previous"],
  e: [ERRORS, "next"],
  E: [ERRORS, "previous"],
};

/** `n` and `p` go from prompt to prompt, `e` and `E` from error to error. */
export function useJumpKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const [selector, where] = KEYS[event.key] ?? [];
      if (selector !== undefined && where !== undefined && !isTyping(event)) jump(selector, where);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
