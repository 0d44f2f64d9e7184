import { useEffect } from "preact/hooks";
import { isTyping } from "./keys.tsx";

/** `j` and `k`, or the arrows, move between rows. */
export function useRowKeys(frame: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isDown = event.key === "j" || event.key === "ArrowDown";
      const isUp = event.key === "k" || event.key === "ArrowUp";
      if (isTyping(event) || !(isDown || isUp)) return;
      const links = [
        ...(frame.current?.querySelectorAll<HTMLElement>(".list-body:not([inert]) .title") ?? []),
      ];
      const at = links.indexOf(document.activeElement as HTMLElement);
      const next = links[at === -1 ? 0 : at + (isDown ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      next.focus({ preventScroll: true });
      next.closest(".list-row")?.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
