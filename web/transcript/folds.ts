import { signal } from "@preact/signals";
import { useState } from "preact/hooks";

/** Opens or closes all folds at once; folds toggled individually since then keep their state. */
const all = signal({ isOpen: false, turn: 0 });

export function foldAll(how: "open" | "closed"): void {
  all.value = { isOpen: how === "open", turn: all.value.turn + 1 };
}

export function areAllOpen(): boolean {
  return all.value.isOpen;
}

/** Whether a fold is open, and a function to toggle it individually. */
export function useFold(usual: "open" | "closed" = "closed"): [boolean, (isOpen: boolean) => void] {
  const { turn, isOpen } = all.value;
  const [own, setOwn] = useState(() => ({ isOpen: isOpen || usual === "open", turn }));
  const change = (next: boolean): void => setOwn({ isOpen: next, turn: all.peek().turn });
  return [own.turn >= turn ? own.isOpen : isOpen, change];
}
