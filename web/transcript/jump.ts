import { useEffect } from "preact/hooks";
import { isTyping } from "../parts/keys.tsx";

export const PROMPTS = ".message.prompt";
export const ERRORS = '.tool[data-outcome="error"], .notice-text[data-level="error"]';

/** Reading position: distance from the top, below the sticky header. */
const EDGE_PX = 90;

/** Scrolls to the next or previous matching element. */
export function jump(selector: string, where: "next" | "previous"): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const topOf = (item: HTMLElement): number => item.getBoundingClientRect().top;
  const below = all.filter((item) => topOf(item) > EDGE_PX + 8);
  const above = all.filter((item) => topOf(item) < EDGE_PX - 40);
  const target = where === "next" ? below[0] : above.at(-1);
  target?.scrollIntoView({ block: "start" });
  const place = target?.closest<HTMLElement>(".message");
  place?.focus({ preventScroll: true });
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
