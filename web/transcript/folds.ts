import { signal } from "@preact/signals";
import { useState } from "preact/hooks";

/** All folds of a session at once; whoever was opened or closed by itself since stays so. */
const all = signal({ isOpen: false, turn: 0 });

export function foldAll(how: "open" | "closed"): void {
  all.value = { isOpen: how === "open", turn: all.value.turn + 1 };
}

export function areAllOpen(): boolean {
  return all.value.isOpen;
}

/** Whether a fold is open, and how it is opened or closed by itself. */
export function useFold(usual: "open" | "closed" = "closed"): [boolean, (isOpen: boolean) => void] {
  const { turn, isOpen } = all.value;
  const [own, setOwn] = useState(() => ({ isOpen: isOpen || usual === "open", turn }));
  const change = (next: boolean): void => setOwn({ isOpen: next, turn: all.peek().turn });
  return [own.turn >= turn ? own.isOpen : isOpen, change];
}
